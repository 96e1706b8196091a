/**
 * What all figures share. One unit is a quarter of a millimetre when the figure is printed 80 mm wide, so that 11.5
 * units of text are 8.15 points; on a screen it is shown at twice its units.
 */
export const WIDTH = 320;
export const MARGIN = 6;
export const SCREEN = 2;

export const TEXT = 11.5;
export const HEADING = 13;
export const LINE = 14;
/** How much wider bold letters are. */
export const BOLDER = 1.12;

export const FONTS = 'Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif';

export const INK = '#1a1a1a';
export const AXIS = '#555555';
export const GRID = '#dddddd';
export const PAPER = '#ffffff';
