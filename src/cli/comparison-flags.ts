import * as flag from './flags.ts';

/** Which measures a comparison tests: the same for every command that compares runs. */
export const MEASURE = flag.names(
  '<list>',
  'measures to compare, such as f1,recall (default: the recipe’s primary ones, else all); fewer tests need less correction',
  'f1,recall',
);

/** The flag as an option of a comparison. */
export function comparedMeasures(names: readonly string[]): { readonly measures?: readonly string[] } {
  return names.length === 0 ? {} : { measures: [...new Set(names)] };
}
