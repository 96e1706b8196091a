import { UsageError } from '../data/problems.ts';
import { hasLabel, labelName, type Measure } from '../measure/measure.ts';
import { type Group, isOverall } from '../measure/results.ts';
import { sumsAt, totals, type UnitSums, unitsWith } from '../measure/unit-sums.ts';
import { alignTables, differenceColumns, onlyPairs } from '../stats/align-tables.ts';
import { differenceBetween } from '../stats/paired-difference.ts';
import { isFixed } from '../stats/fixed-value.ts';
import { unitsOf } from '../stats/paired-permutation.ts';
import { columnsOf, type MeasuredPart, withoutEachUnit } from '../stats/unit-by-unit.ts';
import type { FamilyName, MeasureComparison } from './comparison.ts';

/** A measure of a slice, to be compared between two runs. */
export interface ComparedPart extends MeasuredPart, Pick<MeasureComparison, 'slice' | 'family' | 'sameAs'> {
  /** False for what cannot differ by chance: constants, twins and values that are undefined. */
  readonly isTest: boolean;
}

/** A slice as two runs have it, with the parts to compare in it. */
export interface ComparedGroup {
  readonly from: UnitSums;
  readonly to: UnitSums;
  readonly parts: readonly ComparedPart[];
}

export interface WantedParts {
  /** Measures with the family that their overall values are tested in. */
  readonly measures: ReadonlyMap<Measure, Exclude<FamilyName, 'slices'>>;
  readonly slices: boolean;
}

/** Limit for means over labels, and for slices by label: resampling more would take longer than anybody waits. */
export const MOST_LABELS = 2_000;
const MOST_LABELS_AT_ALL = 20_000;

/** The slices that two runs share, overall values included. */
export function comparedGroups(
  before: readonly Group[],
  after: readonly Group[],
  { measures, slices }: WantedParts,
): ComparedGroup[] {
  const bySlice = new Map(after.map((group) => [JSON.stringify(group.slice), group]));
  const names = [...measures.keys()];
  return before.flatMap((group) => {
    const same = bySlice.get(JSON.stringify(group.slice));
    if (same === undefined || (!slices && !isOverall(group.slice))) return [];
    const [from, to] = [group.table, same.table];
    refuseLabels(
      from.labels.length,
      names.some(({ overLabels }) => overLabels === true),
    );
    const [a, b] = alignTables(from, to);
    const labels = slices && group.byLabel && from.labels.length <= MOST_LABELS ? [...a.labels.keys()] : [];
    const parts = [-1, ...labels].flatMap((label) => {
      const wanted = names.filter(
        (measure) => label < 0 || hasLabel(measure, a.labels[label]!, unitsWith(a, measure, label)),
      );
      return wanted.map((measure) => {
        const slice = label < 0 ? group.slice : { ...group.slice, [labelName(measure)]: a.labels[label]! };
        const family = measures.get(measure)!;
        return {
          measure,
          label,
          slice,
          family: family === 'further' || isOverall(slice) ? family : ('slices' as const),
        };
      });
    });
    return [{ from, to, parts: markTests(...onlyPairs(a, b, parts), parts) }];
  });
}

/**
 * Marks the parts that are tests. A constant, whose counts or values are the same whatever the case, cannot differ by
 * chance. A twin has the same contribution of every case in both runs as a measure before it, and so is the same test.
 */
function markTests<Part extends MeasuredPart & Pick<ComparedPart, 'slice' | 'family'>>(
  a: UnitSums,
  b: UnitSums,
  parts: readonly Part[],
): (Part & Pick<ComparedPart, 'isTest' | 'sameAs'>)[] {
  const apart = differenceColumns(a, b);
  const [allA, allB] = [totals(a), totals(b)];
  const valuesOf = ({ measure, label }: MeasuredPart): (number | null)[] => [
    measure.value(sumsAt(a, allA, label)).value,
    measure.value(sumsAt(b, allB, label)).value,
  ];
  // The contribution of a case: the measure without it. Compared only if the values of both runs are the same.
  const contributions = new Map<Part, readonly (number | null)[]>();
  const contributionsOf = (part: Part): readonly (number | null)[] => {
    const known = contributions.get(part) ?? [...withoutEachUnit(a, allA, part), ...withoutEachUnit(b, allB, part)];
    contributions.set(part, known);
    return known;
  };
  let [label, earlier]: [number, { part: Part; values: (number | null)[] }[]] = [NaN, []];
  return parts.map((part) => {
    if (part.label !== label) [label, earlier] = [part.label, []];
    const values = valuesOf(part);
    const differing = unitsOf(columnsOf(a, part).map((column) => apart[column]!)).length;
    const isConstant =
      differing === 0 ||
      isFixed(
        [
          [a, allA],
          [b, allB],
        ],
        part,
      );
    if (isConstant || values.includes(null)) return { ...part, isTest: false };
    const twin = earlier.find(
      (one) =>
        one.part.family === part.family &&
        areSame(one.values, values) &&
        areSame(contributionsOf(one.part), contributionsOf(part)),
    );
    if (twin !== undefined) return { ...part, isTest: false, sameAs: twin.part.measure.name };
    earlier.push({ part, values });
    return { ...part, isTest: true };
  });
}

/** Equal but for rounding. */
function areSame(some: readonly (number | null)[], others: readonly (number | null)[]): boolean {
  return some.every((value, at) => {
    const other = others[at] ?? null;
    return value === null || other === null ? value === other : differenceBetween(value, other) === 0;
  });
}

function refuseLabels(labels: number, overLabels: boolean): void {
  if (labels <= (overLabels ? MOST_LABELS : MOST_LABELS_AT_ALL)) return;
  throw new UsageError(
    `the runs have ${labels} labels: too many to compare${overLabels ? ' means over them' : ''}`,
    overLabels
      ? 'name measures that are no means over labels, such as --measure f1'
      : 'is the label a free text? score with fewer labels',
  );
}
