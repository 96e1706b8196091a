import { UsageError } from '../data/problems.ts';
import type { Measure } from '../measure/measure.ts';
import { suggestion } from '../prepare/setting-error.ts';
import type { FamilyName } from './comparison.ts';

const MOST_USUAL = 8;

/** The measures of these names; `owner` is what has them, with its verb: `the runs have`. */
export function namedMeasures(all: readonly Measure[], names: readonly string[], owner: string): Measure[] {
  const known = all.map(({ name }) => name);
  return [...new Set(names)].map((wanted) => {
    const found = all.find(({ name }) => name === wanted);
    if (found !== undefined) return found;
    throw new UsageError(`${owner} no measure ${wanted}`, suggestion(wanted, known, 'there are'));
  });
}

/** The measures that a recipe names as its primary ones, of those that there are; none where it names none. */
export function declaredPrimary(all: readonly Measure[], primary: unknown): Measure[] {
  const names: readonly unknown[] = Array.isArray(primary) ? primary : [];
  return names.flatMap((wanted) => all.find(({ name }) => name === String(wanted)) ?? []);
}

type OverallFamily = Exclude<FamilyName, 'slices'>;

/**
 * The measures that a comparison tests, with the family of each: those that were asked for, else the recipe's primary ones,
 * else all. With `manyLabels`, means over labels are left out unless they were asked for by name.
 */
export function wantedMeasures(
  all: readonly Measure[],
  primary: unknown,
  { measures: asked, also = [] }: { readonly measures?: readonly string[]; readonly also?: readonly string[] },
  manyLabels: boolean,
) {
  const declared = declaredPrimary(all, primary);
  const family: OverallFamily = asked !== undefined ? 'named' : declared.length > 0 ? 'primary' : 'all';
  const tested =
    asked !== undefined ? namedMeasures(all, asked, 'the runs have') : declared.length > 0 ? declared : all;
  const small = tested.filter(({ overLabels }) => overLabels !== true);
  const isCut = manyLabels && asked === undefined && small.length > 0 && small.length < tested.length;
  const families = new Map<Measure, OverallFamily>((isCut ? small : tested).map((measure) => [measure, family]));
  for (const measure of namedMeasures(all, also, 'the runs have'))
    if (!families.has(measure)) families.set(measure, 'further');
  const lost = tested.length - small.length;
  const notices = isCut
    ? [`the runs have too many labels for means over them: ${lost} of ${tested.length} measures are left out`]
    : [];
  return { family, families, notices };
}

/** Without a word from recipe or user: every F1 that is no mean over labels, then precision and recall; else the first few. */
export function usualMeasures(all: readonly Measure[]): Measure[] {
  // A mean over labels takes many times as long to resample: it is there for those who ask for it.
  const f1 = all.filter(({ name, overLabels }) => /(?:^|_)f1$/.test(name) && overLabels !== true);
  const inOrder = [...f1.filter(({ name }) => name === 'f1'), ...f1.filter(({ name }) => name !== 'f1')];
  const found = [...inOrder, ...declaredPrimary(all, ['precision', 'recall'])];
  return found.length > 0 ? found : all.slice(0, MOST_USUAL);
}
