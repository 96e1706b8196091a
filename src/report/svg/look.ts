/**
 * What all figures share. A unit is a pixel of the page that shows the figure, so that its letters are as large as those
 * around it; printed 80 mm wide, letters of 13 units are 8.2 points.
 */
export const WIDTH = 360;
export const MARGIN = 8;

export const TEXT = 13;
export const HEADING = 15;
export const LINE = 18;
/** How much wider bold letters are. */
export const BOLDER = 1.12;

export const FONTS = 'system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Open Sans, Helvetica, Arial, sans-serif';

export const INK = '#1a1a1a';
export const AXIS = '#555555';
export const GRID = '#dddddd';
export const PAPER = '#ffffff';
export const GREY = '#777777';

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

export type SymbolShape = 'circle' | 'square' | 'up' | 'down' | 'diamond' | 'plus' | 'cross' | 'star' | 'tick';

/** How one series differs from the others: by shape and dashes too, so that colour is never needed. */
export interface SeriesLook {
  readonly colour: string;
  readonly shape: SymbolShape;
  readonly hollow: boolean;
  /** Of a line; empty: solid. */
  readonly dashes: string;
}

const ORDER = Object.values(COLOURS);
const SHAPES: readonly SymbolShape[] = ['circle', 'square', 'up', 'diamond', 'down', 'plus', 'cross'];
const DASHES = ['', '6 2.5', '1.5 2', '8 2 1.5 2', '3 1.5'];

/** Readers cannot distinguish more series than this. */
export const MOST_SERIES = 10;

export function seriesLook(at: number): SeriesLook {
  return {
    colour: ORDER[at % ORDER.length]!,
    shape: SHAPES[at % SHAPES.length]!,
    hollow: at >= SHAPES.length,
    dashes: DASHES[at % DASHES.length]!,
  };
}
