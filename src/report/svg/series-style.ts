import type { Shape } from './marker.ts';

/** How one series differs from the others: by shape and dashes too, so that colour is never needed. */
export interface SeriesStyle {
  readonly colour: string;
  readonly shape: Shape;
  readonly hollow: boolean;
  /** Of a line; empty: solid. */
  readonly dashes: string;
}

/**
 * The colours of Okabe and Ito (Color Universal Design, 2008), those with the most contrast to white first; their
 * yellow is left out, which white paper swallows.
 */
export const COLOURS = {
  blue: '#0072b2',
  vermilion: '#d55e00',
  green: '#009e73',
  black: '#000000',
  purple: '#cc79a7',
  orange: '#e69f00',
  sky: '#56b4e9',
} as const;

const ORDER = Object.values(COLOURS);
const SHAPES: readonly Shape[] = ['circle', 'square', 'up', 'diamond', 'down', 'plus', 'cross'];
const DASHES = ['', '6 2.5', '1.5 2', '8 2 1.5 2', '3 1.5'];

/** More series than this no reader tells apart. */
export const MOST_SERIES = 10;

export function seriesStyle(at: number): SeriesStyle {
  return {
    colour: ORDER[at % ORDER.length]!,
    shape: SHAPES[at % SHAPES.length]!,
    hollow: at >= SHAPES.length,
    dashes: DASHES[at % DASHES.length]!,
  };
}
