/** Measures need it too, and they stand before the statistics. */
export { percentile } from '../measure/percentile.ts';
