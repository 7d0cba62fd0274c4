/** Draws the measures with Observable Plot. Loaded when the first measures are there, not before. */
import { dot, gridY, line, plot, pointerX, ruleX, tip } from '@observablehq/plot';
import type { Measure } from '../stores/view.ts';
import { words } from '../words.ts';
import { spread } from './spread.ts';
import { format, measuredFrames } from './series.ts';
import type { Series } from './series.ts';

export interface Drawn {
  readonly element: SVGElement | HTMLElement;
  /** Moves the line of the frame cursor. */
  markFrame(frame: number): void;
  /** Frame under a place across the chart, in CSS pixels from its left side. */
  frameAt(x: number): number;
}

interface Point {
  readonly frame: number;
  readonly value: number;
  readonly series: Series;
}

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = { top: 24, right: 164, bottom: 36, left: 40 } as const;
/** Names at the ends of lines need this much room from one to the next, in CSS pixels. */
const NAME_HEIGHT = 16;

export function drawMeasures(
  series: readonly Series[],
  measure: Measure,
  size: { readonly width: number; readonly height: number },
): Drawn {
  const narrow = size.width < 420;
  const marginRight = narrow ? 16 : MARGIN.right;
  const frames = measuredFrames(series);
  const points = (list: readonly Series[]): Point[] =>
    list.flatMap((one) =>
      one.values.flatMap((value, frame) => (value === null ? [] : [{ frame, value, series: one }])),
    );
  const all = points(series);
  const shown = points(series.filter((one) => one.shown));
  const others = points(series.filter((one) => !one.shown));
  const [low, high] = range(
    all.map(({ value }) => value),
    measure,
  );

  const chart = plot({
    width: size.width,
    height: size.height,
    marginTop: MARGIN.top,
    marginRight,
    marginBottom: MARGIN.bottom,
    marginLeft: MARGIN.left,
    style: { background: 'none', fontFamily: 'inherit', fontSize: '12px', overflow: 'visible' },
    x: {
      domain: frames.length > 1 ? [frames[0]!, frames.at(-1)!] : [frames[0]! - 0.5, frames[0]! + 0.5],
      ticks: ticksOf(frames),
      tickFormat: (frame: number) => String(frame),
      label: words.frame,
      labelArrow: 'none',
      labelAnchor: 'center',
      tickSize: 0,
    },
    y: {
      domain: [low, high],
      ticks: 4,
      label: measure === 'psnr' ? 'dB' : null,
      labelArrow: 'none',
      tickSize: 0,
    },
    marks: [
      gridY({ ticks: 4, stroke: 'var(--line)', strokeOpacity: 1 }),
      line(others, {
        x: 'frame',
        y: 'value',
        z: nameOf,
        stroke: colourOf,
        strokeWidth: 1.25,
        strokeOpacity: 0.9,
      }),
      dot(others, { x: 'frame', y: 'value', fill: colourOf, r: 2 }),
      line(shown, { x: 'frame', y: 'value', z: nameOf, stroke: colourOf, strokeWidth: 2.5 }),
      dot(shown, { x: 'frame', y: 'value', fill: colourOf, r: 3.5 }),
      ruleX(
        frames,
        pointerX({ x: (frame: number) => frame, stroke: 'var(--line-strong)', maxRadius: Infinity }),
      ),
      tip(
        frames,
        pointerX({
          x: (frame: number) => frame,
          y: high,
          title: (frame: number) => tipText(series, frame, measure),
          frameAnchor: 'top',
          preferredAnchor: 'top-left',
          lineHeight: 1.4,
          fill: 'var(--surface)',
          stroke: 'var(--line)',
          pathFilter: 'none',
          textPadding: 8,
          maxRadius: Infinity,
        }),
      ),
    ],
  });

  const x = chart.scale('x')!;
  const y = chart.scale('y')!;
  const svg = (chart instanceof SVGElement ? chart : chart.querySelector('svg')) as SVGSVGElement;
  if (!narrow) nameLines(svg, series, (value) => y.apply(value) as number, size.width - marginRight + 10);
  const mark = document.createElementNS(SVG, 'line');
  mark.setAttribute('class', 'chart-cursor');
  mark.setAttribute('y1', String(MARGIN.top));
  mark.setAttribute('y2', String(size.height - MARGIN.bottom));
  svg.prepend(mark);

  return {
    element: chart,
    markFrame: (frame) => {
      const there = frame >= frames[0]! && frame <= frames.at(-1)!;
      mark.setAttribute('visibility', there ? 'visible' : 'hidden');
      if (!there) return;
      const place = String(x.apply(frame) as number);
      mark.setAttribute('x1', place);
      mark.setAttribute('x2', place);
    },
    frameAt: (place) => {
      const distance = (frame: number) => Math.abs((x.apply(frame) as number) - place);
      return frames.reduce((best, frame) => (distance(frame) < distance(best) ? frame : best), frames[0]!);
    },
  };
}

const nameOf = (point: Point): string => point.series.id;
const colourOf = (point: Point): string => point.series.colour;

/** A tenth of room above and below; a similarity never claims more than 1. */
function range(values: readonly number[], measure: Measure): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = Math.max((high - low) * 0.15, measure === 'psnr' ? 0.5 : 0.0005);
  return [low - room, measure === 'ssim' ? Math.min(1, high + room) : high + room];
}

function ticksOf(frames: readonly number[]): number[] {
  const every = Math.ceil(frames.length / 12);
  return frames.filter((_, i) => i % every === 0);
}

function tipText(series: readonly Series[], frame: number, measure: Measure): string {
  const unit = measure === 'psnr' ? ' dB' : '';
  const lines = series.flatMap(({ name, values }) => {
    const value = values[frame] ?? null;
    return value === null ? [] : [`${name}  ${format(value, measure)}${unit}`];
  });
  return [`${words.frame.toLowerCase()} ${frame}`, ...lines].join('\n');
}

/** Names at the ends of the lines instead of a legend, pushed apart where lines end close together. */
function nameLines(
  svg: SVGSVGElement,
  series: readonly Series[],
  place: (value: number) => number,
  left: number,
): void {
  const ends = series.flatMap((one) => {
    const value = one.values.findLast((candidate) => candidate !== null) ?? null;
    return value === null ? [] : [{ one, y: place(value) }];
  });
  const places = spread(
    ends.map(({ y }) => y),
    NAME_HEIGHT,
  );
  for (const [i, { one }] of ends.entries()) {
    const text = document.createElementNS(SVG, 'text');
    text.setAttribute('x', String(left));
    text.setAttribute('y', String(places[i]!));
    text.setAttribute('dy', '0.32em');
    text.setAttribute('text-anchor', 'start');
    text.setAttribute('fill', one.colour);
    text.setAttribute('font-weight', one.shown ? '600' : '400');
    text.textContent = one.name;
    // Behind what the pointer brings up.
    svg.insertBefore(text, svg.querySelector('[aria-label="tip"]')?.closest('svg > g') ?? null);
  }
}
