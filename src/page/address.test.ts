import { describe, expect, it } from 'vitest';
import { decodeSpec } from '../../models/run-address.ts';
import { exampleManifest } from '../../models/testing/manifest.ts';
import { formatAddress, parseAddress } from './address.ts';
import { FIRST_DEFAULTS } from './stores/bundle.ts';
import { DEFAULT_VIEW, FIRST_FRAME } from './stores/view.ts';

const USUAL = { settings: FIRST_DEFAULTS, view: DEFAULT_VIEW, frame: FIRST_FRAME };

describe('the address', () => {
  it('is empty for the defaults', () => {
    expect(formatAddress(USUAL, FIRST_DEFAULTS)).toBe('');
    expect(parseAddress('')).toEqual({ linked: { settings: {}, view: {}, frame: null }, failure: null });
  });

  it('brings back every setting and the view', () => {
    const settings = {
      ...FIRST_DEFAULTS,
      clip: 'maze:umaze:1234',
      horizon: 9,
      mode: 'lag',
      lag: 3,
      steps: 25,
      stabilisation: 0.15,
      eta: 0.05,
      seed: 2 ** 40,
      backend: 'wasm',
    } as const;
    const view = {
      ...DEFAULT_VIEW,
      screen: 'models',
      truth: 'pixels',
      gain: 16,
      speed: 1,
      loop: false,
      asTable: true,
      measure: 'ssim',
      theme: 'dark',
    } as const;
    const text = formatAddress({ settings, view, frame: 2 }, FIRST_DEFAULTS);
    const { linked } = parseAddress(`#${text}`);
    expect({ ...FIRST_DEFAULTS, ...linked!.settings }).toEqual(settings);
    expect({ ...DEFAULT_VIEW, ...linked!.view }).toEqual(view);
    expect(linked!.frame).toBe(2);
    expect(text).toContain('clip=maze:umaze:1234');
  });

  it('is a link that the command line understands as well', () => {
    const settings = { ...FIRST_DEFAULTS, mode: 'lag', lag: 3, steps: 25, clip: 'maze:umaze:7' } as const;
    const text = formatAddress({ settings, view: { ...DEFAULT_VIEW, gain: 16 }, frame: 2 }, FIRST_DEFAULTS);
    const spec = decodeSpec(`#${text}`, exampleManifest());
    expect(spec).toMatchObject({ clip: 'maze:umaze:7', sampler: { mode: 'lag', lag: 3, steps: 25 } });
  });

  it('leaves the lag out where it says nothing', () => {
    const settings = { ...FIRST_DEFAULTS, mode: 'pyramid', lag: 7 } as const;
    expect(formatAddress({ ...USUAL, settings }, FIRST_DEFAULTS)).toBe('mode=pyramid');
  });

  it('leaves the parameters of others alone', () => {
    expect(parseAddress('#testing&steps=4').linked?.settings).toEqual({ steps: 4 });
  });

  it.each([
    ['#steps=-3', 'steps cannot be -3'],
    ['#steps=2.5', 'steps cannot be 2.5'],
    ['#steps=1001', 'steps cannot be 1001'],
    ['#seed=-1', 'seed cannot be -1'],
    ['#stabilisation=1', 'stabilisation cannot be 1'],
    ['#mode=zigzag', 'mode cannot be zigzag'],
    ['#bundle=../secrets', 'bundle cannot be ../secrets'],
    ['#clip=//elsewhere/x', 'clip cannot be //elsewhere/x'],
    ['#horizon=1', 'horizon cannot be 1'],
    ['#lag=2&mode=pyramid', 'mode pyramid takes no lag'],
    ['#gain=3', 'gain cannot be 3'],
    ['#frame=-1', 'frame cannot be -1'],
    ['#theme=', 'theme cannot be empty'],
    ['#backend=node', 'backend cannot be node'],
    ['#noise=torch-cpu', 'this page cannot set noise'],
  ])('refuses %s and says why', (hash, failure) => {
    expect(parseAddress(hash)).toEqual({ linked: null, failure });
  });

  it.each([
    '#steps=abc',
    '#steps=',
    '#eta=NaN',
    '#steps=4&steps=5',
    '#colour=red',
    '#__proto__=1',
    '#clip=%E0%A4%A',
    '#clip',
  ])('refuses %s, which no link of ours looks like', (hash) => {
    const { linked, failure } = parseAddress(hash);
    expect(linked).toBeNull();
    expect(failure).not.toBe('');
  });
});
