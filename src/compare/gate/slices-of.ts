import { isRecord } from '../../data/record-fields.ts';
import type { MeasureValue, Slice } from '../../measure/results.ts';
import { compareText } from '../../text/compare.ts';
import { nearestNames } from '../../text/nearest.ts';
import type { Run } from '../../score/run.ts';
import type { MeasureRule } from './rules.ts';

/** One way to tell slices apart, whatever the order of their keys. */
export function sliceKey(slice: Slice): string {
  return JSON.stringify(Object.entries(slice).sort(([a], [b]) => compareText(a, b)));
}

export function isOverall(slice: Slice): boolean {
  return Object.keys(slice).length === 0;
}

/** By what values are cut: the keys of their slices, in order; none for the overall value. */
export type Cut = readonly string[];

export function cutOf(slice: Slice, each: string | null = null): Cut {
  return [...Object.keys(slice), ...(each === null ? [] : [each])].sort(compareText);
}

export function sameCut(a: Cut, b: Cut): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}

/** All cuts that the run has or, by its recipe, would have if there were anything to cut. */
export function cutsOf(run: Run): Cut[] {
  const { slice, schemes } = run.manifest.recipe.resolved;
  const columns = Array.isArray(slice) ? slice.filter((column) => typeof column === 'string') : [];
  const hasSchemes = isRecord(schemes) && Object.keys(schemes).length > 0;
  return [
    [],
    ...columns.map((column) => [column]),
    ...(hasSchemes ? [['scheme'], ...(columns.includes('label') ? [['label', 'scheme']] : [])] : []),
    ...run.measures.measures.map((measured) => cutOf(measured.slice)),
  ];
}

/** The run's values of the measure that a rule speaks of: one, or with `each` as many as there are. */
export function matching(run: Run, rule: MeasureRule): MeasureValue[] {
  const wanted = cutOf(rule.slice, rule.each);
  return run.measures.measures.filter(
    ({ name, slice }) =>
      name === rule.measure &&
      sameCut(cutOf(slice), wanted) &&
      Object.entries(rule.slice).every(([key, value]) => slice[key] === value),
  );
}

/** What the run has instead of a slice that it lacks: `label PERSON` for `label PERSN`. */
export function nearSlices(run: Run, rule: MeasureRule): string[] {
  return Object.entries(rule.slice).flatMap(([key, value]) => {
    const values = run.measures.measures.flatMap(({ slice }) => slice[key] ?? []);
    return values.includes(value) ? [] : nearestNames(value, values).map((near) => `${key} ${near}`);
  });
}
