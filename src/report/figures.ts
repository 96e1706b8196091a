/** Findings need them too, and they stand before the reports. */
export { count, counted, figure, levelText, percent } from '../text/figures.ts';
