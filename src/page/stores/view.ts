/** How things are looked at: nothing here changes a run. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

export const GAINS = [1, 2, 4, 8, 16] as const;
export const SPEEDS = [1, 2, 4, 8, 16] as const;

export type TruthKind = 'pixels' | 'reconstruction';
export type Measure = 'psnr' | 'ssim';
export type ThemeChoice = 'auto' | 'light' | 'dark';
export type PictureKind = 'truth' | 'prediction' | 'difference';
export const SCREENS = ['studio', 'models'] as const;
export type Screen = (typeof SCREENS)[number];
export type SheetName = 'help' | 'about' | 'settings' | 'clips' | 'trust';

export interface View {
  readonly screen: Screen;
  /** What the prediction is held against, in the pictures and in the measures. */
  readonly truth: TruthKind;
  /** How many times differences are enlarged. */
  readonly gain: number;
  /** Frames a second. */
  readonly speed: number;
  readonly loop: boolean;
  readonly measure: Measure;
  readonly asTable: boolean;
  readonly theme: ThemeChoice;
  readonly sheet: SheetName | null;
}

export const DEFAULT_VIEW: View = {
  screen: 'studio',
  truth: 'reconstruction',
  gain: 4,
  speed: 4,
  loop: true,
  measure: 'psnr',
  asTable: false,
  theme: 'auto',
  sheet: null,
};

/** A visitor starts at the first predicted frame of the usual context of one. */
export const FIRST_FRAME = 1;

export type ViewStore = StoreApi<View>;

export function createView(initial: View): ViewStore {
  return createStore<View>(() => initial);
}
