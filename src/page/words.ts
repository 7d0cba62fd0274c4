/** Every sentence that the visitor reads, in one place: plain and short, numbers with their unit. */
import type { DeviceReport, LoadProgress } from '../../workers/protocol.ts';
import type { Mode } from './stores/settings.ts';
import type { Measure, PictureKind, Screen, ThemeChoice, TruthKind } from './stores/view.ts';

export const words = {
  product: 'NanoWM playground',
  tagline: 'A world model in this tab: set its noise schedule, see the future that it predicts.',
  privacy: 'Nothing leaves this machine.',
  skip: 'To the pictures',
  screens: 'Screens',
  screenNames: { studio: 'Studio', models: 'Models' } satisfies Record<Screen, string>,

  clips: 'Clips',
  newEpisode: 'New episode',
  newEpisodeHint: 'Simulates an episode in MuJoCo, here and now, that the model has never seen',
  shortClip: (frames: number) => `This clip has ${frames} frames; the run goes to its end.`,
  clipAbsent: 'This clip is not there; choose another to run.',
  unseenMap: (map: string, trained: string) =>
    `This model was trained on ${trained} only; what it predicts on ${map} means nothing.`,
  simulating: 'Simulating in MuJoCo',
  clipsLoading: 'Loading clips',
  clipsFailed: 'The clips could not be loaded; a new episode can still be simulated.',
  episodeFailed: 'The episode could not be simulated.',
  episodeTitle: (map: string, seed: number) => `Episode ${seed}, ${map}`,

  schedule: 'Schedule',
  modeNames: {
    full_sequence: 'Full',
    pyramid: 'Pyramid',
    sequential: 'Sequential',
    lag: 'Lag',
  } satisfies Record<Mode, string>,
  modeHints: {
    full_sequence: 'All frames are denoised together',
    pyramid: 'Each frame starts one row after the one before it',
    sequential: 'A frame starts when the one before it is clean',
    lag: 'Each frame starts a number of rows after the one before it',
  } satisfies Record<Mode, string>,
  lag: 'Lag',
  lagHint:
    'Rows by which each frame starts after the one before it: 0 is full sequence, 1 pyramid, as many as steps sequential',
  steps: 'Steps',
  stepsHint: 'Denoising steps of each frame; fewer are faster, more are finer',
  horizon: 'Frames to predict',
  horizonHint: 'More frames than the model sees at once are predicted window by window',
  stabilisation: 'History noise',
  stabilisationHint: 'Noise put on the context before the network sees it (history stabilisation); 0 is off',
  eta: 'Eta',
  etaHint: 'Fresh noise in each step: 0 is DDIM and repeats exactly, 1 is ancestral sampling',
  seed: 'Seed',
  seedHint: 'The same seed gives the same noise, so that schedules can be compared',
  rollDice: 'Another seed',
  sampler: 'Sampler',
  device: 'Device',
  backendNames: { webgpu: 'WebGPU', wasm: 'WASM' } as Readonly<Record<string, string>>,
  backends: { auto: 'Auto', webgpu: 'WebGPU', wasm: 'WASM' },
  backendHint: 'Auto takes WebGPU on a real graphics processor and WASM otherwise',
  rowsUnit: 'rows',

  wrong: {
    whole: (low: number, high: number) => `Give a whole number from ${low} to ${high}.`,
    between: (low: number, high: number, highIncluded: boolean) =>
      highIncluded ? `Give a number from ${low} to ${high}.` : `Give a number from ${low} to below ${high}.`,
  },

  networkCalls: (count: number) => (count === 1 ? '1 network call' : `${count} network calls`),
  frameEvaluations: (count: number) => (count === 1 ? '1 frame evaluation' : `${count} frame evaluations`),
  frameEvaluationsHint:
    'Frames that the network computes. A model that remembers frames computes only those that change; another one all frames of the window in every call',
  estimate: (seconds: number) => `about ${duration(seconds)}`,
  onThisDevice: 'on this device',
  planNever: 'The cost is not known without the model.',
  matrixNever: 'The schedule is drawn when the model can be loaded.',
  planLater: 'The cost is known when the model\u2019s description has loaded.',
  estimateLater: 'Time is measured when the model has loaded.',

  run: 'Run',
  cancel: 'Cancel',
  starting: 'Starting',
  stopping: 'Stopping after this row',
  encoding: 'Encoding the clip',
  measuring: 'Decoding and measuring',
  noAnswer: 'The model worker did not answer; it was ended and starts again with the next run.',
  anotherDevice: (device: string) => `The device was lost; the run began again on ${device}.`,
  runFailed: 'The run failed.',
  retry: 'Try again',
  details: 'Details',

  model: 'Model',
  modelEmpty: 'Not loaded; the first run loads it.',
  load: 'Load',
  loadStages: {
    download: 'Loading the model',
    verify: 'Checking the model',
    compile: 'Preparing the model',
    'warm-up': 'Measuring this device',
  } satisfies Record<LoadProgress['stage'], string>,
  loadBytes: (loaded: number, total: number) => `${bytes(loaded)} of ${bytes(total)}`,
  left: (seconds: number) => `${duration(seconds)} left`,
  stored: 'from this browser’s store',
  modelFailed: 'The model could not be loaded.',
  forget: 'Remove stored model files',
  forgetting: 'Removing stored model files',
  forgetLater: 'They can be removed when the run is done.',
  forgot: (freed: number) => `Removed ${bytes(freed)}; the next run fetches them again.`,

  pictures: {
    truth: 'Truth',
    prediction: 'Prediction',
    difference: 'Difference',
  } satisfies Record<PictureKind, string>,
  truthKinds: {
    pixels: 'Recorded',
    reconstruction: 'Reconstructed',
  } satisfies Record<TruthKind, string>,
  truthHints: {
    pixels: 'The pixels as they were recorded',
    reconstruction:
      'The recorded pixels through the autoencoder and back: the best that any prediction can do',
  } satisfies Record<TruthKind, string>,
  truthChoice: 'Truth',
  reconstructionLater: 'The reconstruction comes with the first run; these are the recorded pixels.',
  gain: 'Gain',
  gainTimes: (gain: number) => `×${gain}`,
  differenceHint: 'Prediction minus truth, the channel that differs most: orange is more, blue is less',
  afterRow: (row: number) => `after row ${row}`,
  noPrediction: 'No prediction yet',
  noPredictionNext: 'Press Run to predict this clip.',
  contextFrame: 'context',
  recorded: 'recorded',
  recordedOn: (device: string, date: string) => `Recorded on ${device}, ${date}`,
  recordedNote: (date: string) => `Recorded on ${date}. Run computes it here.`,
  stale: 'Settings changed since this run.',
  useItsSettings: 'Use its settings',

  transport: 'Transport',
  play: 'Play',
  pause: 'Pause',
  first: 'First frame',
  last: 'Last frame',
  stepBack: 'Frame back',
  stepForward: 'Frame forward',
  loop: 'Loop',
  speed: 'Speed',
  fps: (speed: number) => `${speed} fps`,
  frameOf: (frame: number, last: number, context: boolean) =>
    `frame ${frame} of ${last}${context ? ', context' : ''}`,
  strip: 'Frames',
  force: (right: number, up: number) =>
    `mean force on the ball on the way here: ${part(right, 'right', 'left')}, ${part(up, 'up', 'down')}`,

  matrix: 'Scheduling matrix',
  matrixKeys: 'Arrow keys read the cells.',
  noise: 'noise',
  clean: 'clean',
  cell: (
    frame: number,
    row: number,
    level: number,
    steps: number,
    timestep: number,
    alphaBar: number | null,
  ) =>
    `frame ${frame}, row ${row}: level ${level} of ${steps}, timestep ${timestep}${alphaBar === null ? '' : `, ᾱ ${small(alphaBar)}`}`,
  cleanCell: (frame: number, row: number, steps: number) =>
    `frame ${frame}, row ${row}: level 0 of ${steps}, clean`,
  contextCell: (frame: number, timestep: number | null) =>
    timestep === null
      ? `frame ${frame}: context, clean in every row`
      : `frame ${frame}: context, held at timestep ${timestep}`,
  rowsOf: (rows: number, windows: number) =>
    windows === 1 ? `${many(rows, 'row')}.` : `${many(windows, 'window')} of ${many(rows, 'row')}.`,
  windowContext: (context: number) =>
    context === 1
      ? 'Of what came before, each window sees the last frame alone, and so no velocity.'
      : `Of what came before, each window sees the last ${context} frames alone.`,
  framesTogether: (first: number, last: number, from: number, to: number) =>
    first === last
      ? `Frame ${first} is denoised in ${span('row', from, to)}.`
      : `Frames ${first} to ${last} are denoised together in ${span('row', from, to)}.`,
  framesInTurn: (spans: readonly { readonly frame: number; readonly from: number; readonly to: number }[]) =>
    `${spans.map(({ frame, from, to }, i) => `${i === 0 ? 'Frame' : 'frame'} ${frame} in ${span('row', from, to)}`).join(', ')}.`,
  rowOf: (row: number, rows: number) => `row ${row} of ${rows}`,
  frameAtStep: (frame: number, frames: number, step: number, steps: number) =>
    `frame ${frame} of ${frames}, step ${step} of ${steps}`,
  framesAtRow: (first: number, last: number, frames: number, row: number, rows: number) =>
    `frames ${first} to ${last} of ${frames}, row ${row} of ${rows}`,

  measures: { psnr: 'PSNR', ssim: 'SSIM' } satisfies Record<Measure, string>,
  measureHints: {
    psnr: 'Peak signal-to-noise ratio of a frame, in decibels; higher is closer',
    ssim: 'Structural similarity of a frame, at most 1; higher is closer',
  } satisfies Record<Measure, string>,
  measureChoice: 'Measure',
  against: 'against',
  againstKinds: {
    pixels: 'recorded pixels',
    reconstruction: 'reconstruction',
  } satisfies Record<TruthKind, string>,
  noMeasures: 'A run puts its measures here, frame by frame.',
  showTable: 'Show as table',
  showChart: 'Show as chart',
  copyCsv: 'Copy CSV',
  copyFailed: 'The browser did not allow copying.',
  chartFailed: 'The chart could not be drawn; the table has the same numbers.',
  frame: 'Frame',
  mean: 'Mean',

  runs: 'Runs',
  noRuns: 'Runs of this visit are listed here.',
  runNames: (mode: Mode, steps: number, lag: number) =>
    mode === 'lag'
      ? `lag ${lag}, ${many(steps, 'step')}`
      : `${{ full_sequence: 'full', pyramid: 'pyramid', sequential: 'sequential' }[mode]}, ${many(steps, 'step')}`,
  runHeads: { run: 'Run', psnr: 'PSNR', ssim: 'SSIM', calls: 'Calls', time: 'Time' },

  share: 'Copy link',
  theme: 'Theme',
  themes: { auto: 'as the system', light: 'light', dark: 'dark' } satisfies Record<ThemeChoice, string>,
  undo: 'Undo',
  redo: 'Redo',
  help: 'Keys',
  about: 'About',
  settings: 'Settings',
  close: 'Close',
  dismiss: 'Dismiss',
  brokenLink: (reason: string) => `This link could not be read (${reason}), so the defaults are shown.`,
  brokenChange: (reason: string) => `This address could not be read (${reason}), so nothing was changed.`,
  crash: 'The page stopped on an error.',
  reload: 'Reload',

  announceRunning: 'The run has begun.',
  announceStopped: 'The run was cancelled.',
  announceDone: (psnr: number | null, ssim: number | null) =>
    psnr === null || ssim === null
      ? 'The run is done.'
      : `The run is done: PSNR ${psnr.toFixed(2)} dB, SSIM ${ssim.toFixed(4)} on average.`,

  linkCopied: 'The link to this state is copied.',
  csvCopied: 'The measures are copied as CSV.',

  onDevice: ({ backend, threads }: DeviceReport) =>
    backend === 'webgpu' ? 'WebGPU' : `WASM, ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
} as const;

function part(value: number, positive: string, negative: string): string {
  return `${Math.abs(value).toFixed(2)} ${value < 0 ? negative : positive}`;
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function span(noun: string, from: number, to: number): string {
  return from === to ? `${noun} ${from}` : `${noun}s ${from} to ${to}`;
}

/** 0.64 s, 3.2 s, 48 s, 2 min 5 s. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${seconds.toFixed(2)} s`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Decimal units, as browsers and operating systems show them. */
export function bytes(count: number): string {
  if (count < 1e6) return `${Math.round(count / 1e3)} kB`;
  if (count < 1e9) return `${(count / 1e6).toFixed(1)} MB`;
  return `${(count / 1e9).toFixed(1)} GB`;
}

/** Three significant digits, never in exponents: 0.0204, 0.998. */
export function small(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-6) return '< 0.000001';
  return Number(value.toPrecision(3)).toLocaleString('en-GB', { maximumFractionDigits: 8 });
}
