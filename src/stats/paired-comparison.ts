import { distanceFromBest, improvement, type Measure, type Outcome } from '../measure/measure.ts';
import { sumsAt, totals, type UnitSums } from '../measure/unit-sums.ts';
import { differenceColumns, onlyPairs } from './align-tables.ts';
import { cohenDz, rankBiserial } from './effect-size.ts';
import { isFixed } from './fixed-value.ts';
import { inGroups, USUAL_GROUPS_ABOVE } from './in-groups.ts';
import { mcnemar } from './mcnemar.ts';
import type { Sureness } from '../measure/results.ts';
import {
  differenceBetween,
  type IntervalChoice,
  pairedBootstrap,
  type PairedDifference,
  type PairedTest,
  type ResampledDifference,
  type YesNoTest,
} from './paired-difference.ts';
import { pairedPermutation, unitsOf } from './paired-permutation.ts';
import type { Breathe } from './resample.ts';
import type { ResampleSettings } from './resample-settings.ts';
import { columnsOf, type MeasuredPart, unitValues } from './unit-by-unit.ts';
import { wilcoxon } from './wilcoxon.ts';

export interface PairedSettings extends ResampleSettings, IntervalChoice {
  /** With more units than this they are drawn and swapped in groups; null: never. */
  readonly groupsAbove?: number | null;
}

/**
 * Two systems' answers to the same units, measure by measure: difference with its interval, tests, effect sizes, and
 * which units the one or the other wins. The tables must be aligned.
 */
export async function comparePaired(
  allA: UnitSums,
  allB: UnitSums,
  parts: readonly MeasuredPart[],
  settings: PairedSettings,
  breathe?: Breathe,
): Promise<PairedDifference[]> {
  const { groupsAbove = USUAL_GROUPS_ABOVE } = settings;
  const [a, b] = onlyPairs(allA, allB, parts);
  // If the best value lies between the ends, the difference is that of the distances from it. The swap test still asks
  // whether the values differ: swapped halves of too much and too little would lie at the best value by chance.
  const tested = parts.map(({ measure, label }) => ({ measure: distanceFromBest(measure), label }));
  const [drawnA, drawnB] = [inGroups(a, groupsAbove), inGroups(b, groupsAbove)];
  const [resampled] = await pairedBootstrap(drawnA, [drawnB], tested, settings, (share) => breathe?.(share / 2));
  const permuted = await pairedPermutation(drawnA, drawnB, parts, settings, (share) => breathe?.(0.5 + share / 2));
  const apart = differenceColumns(a, b);
  const [sumsA, sumsB] = [totals(a), totals(b)];
  return tested.map((part, at) => {
    const { measure, label } = parts[at]!;
    const columns = columnsOf(a, part);
    const differing = unitsOf(columns.map((column) => apart[column]!)).length;
    const outcomes = [
      part.measure.value(sumsAt(a, sumsA, label)),
      part.measure.value(sumsAt(b, sumsB, label)),
    ] as const;
    const found = differenceOf(a, b, part, outcomes, resampled![at]!, permuted[at]!, differing);
    const isWhole = (column: number): boolean =>
      a.columns[column] === allA.columns[column] && b.columns[column] === allB.columns[column];
    return {
      // The values themselves, also where distances are compared.
      baseline: measure.value(sumsAt(a, sumsA, label)).value,
      other: measure.value(sumsAt(b, sumsB, label)).value,
      ...found,
      fixed:
        differing === 0 ||
        isFixed(
          [
            [a, sumsA],
            [b, sumsB],
          ],
          parts[at]!,
        ),
      // Units that have a value in one system only are no part of a mean over cases, but they are counted.
      withoutPair: columns.every(isWhole) ? found.withoutPair : pairsOf(allA, allB, part).withoutPair,
    };
  });
}

function differenceOf(
  a: UnitSums,
  b: UnitSums,
  part: MeasuredPart,
  [from, to]: readonly [Outcome, Outcome],
  { bounds, standardError, ...resampled }: ResampledDifference,
  permutation: PairedTest,
  differing: number,
): Omit<PairedDifference, 'baseline' | 'other' | 'fixed'> {
  const { measure } = part;
  const difference = from.value === null || to.value === null ? null : differenceBetween(from.value, to.value);
  const looked = columnsOf(a, part).flatMap((column) => [a.columns[column]!, b.columns[column]!]);
  const units = measure.everyCase === true ? a.units.length : unitsOf(looked).length;
  const { pairs, withoutPair } = pairsOf(a, b, part);
  const differences = pairs.map(([before, after]) => differenceBetween(before, after));
  const signs = pairs.map(([before, after], at) => (differences[at] === 0 ? 0 : improvement(measure, before, after)));
  const why =
    difference === null
      ? 'there is no difference'
      : units === 0
        ? 'no case has anything to measure'
        : units === 1
          ? 'there is one unit only: nothing to resample'
          : null;
  const withReason = ({ interval, noInterval }: Sureness): Sureness => ({
    interval: why === null ? interval : null,
    noInterval: why ?? (noInterval !== null && differing === 0 ? 'the two are the same on every case' : noInterval),
  });
  return {
    difference,
    undefined:
      difference !== null
        ? null
        : from.value === null
          ? `undefined for the baseline: ${from.undefined ?? ''}`
          : `undefined for the other: ${to.undefined ?? ''}`,
    ...withReason(resampled),
    ...(bounds === undefined ? {} : { bounds: withReason(bounds) }),
    constant: why === null && standardError === 0,
    units,
    differing,
    permutation: permutation.n === 0 ? permutation : { ...permutation, n: a.units.length },
    wilcoxon: signedRankTest(measure, differences),
    mcnemar: yesNo(measure, pairs),
    effect: {
      dz: cohenDz(differences).value,
      rankBiserial: rankBiserial(differences.map(rounded)).value,
      standardised:
        difference === null || standardError === null || standardError === 0
          ? null
          : difference / (standardError * Math.sqrt(units)),
    },
    wins: signs.filter((sign) => sign > 0).length,
    losses: signs.filter((sign) => sign < 0).length,
    ties: signs.filter((sign) => sign === 0).length,
    withoutPair,
  };
}

/** Values of the units that have one in both systems. */
function pairsOf(a: UnitSums, b: UnitSums, part: MeasuredPart): { pairs: [number, number][]; withoutPair: number } {
  const before = unitValues(a, part);
  const pairs: [number, number][] = [];
  let withoutPair = 0;
  unitValues(b, part).forEach((after, unit) => {
    const from = before[unit] ?? null;
    if (from !== null && after !== null) pairs.push([from, after]);
    else if (from !== null || after !== null) withoutPair += 1;
  });
  return { pairs, withoutPair };
}

function signedRankTest(measure: Measure, differences: readonly number[]): PairedTest {
  if (measure.overLabels === true)
    return { pValue: null, undefined: 'it has no value per case', method: 'none', statistic: null, n: 0 };
  const { pValue, statistic, method, n, undefined: why } = wilcoxon(differences.map(rounded));
  return { pValue, undefined: why, method, statistic, n };
}

/** Twelve digits: 1 − 2/3 and 1/3 are ties to the ranks, whatever their last bit. */
function rounded(difference: number): number {
  return Number(difference.toPrecision(12));
}

/** McNemar's test, where each unit's value is a yes or a no. */
function yesNo(measure: Measure, pairs: readonly (readonly [number, number])[]): YesNoTest | null {
  const plain = pairs.flat().every((value) => value === 0 || value === 1);
  if (!measure.proportion || pairs.length === 0 || !plain) return null;
  const onlyBaseline = pairs.filter(([before, after]) => before > after).length;
  const onlyOther = pairs.filter(([before, after]) => before < after).length;
  const { pValue, undefined: why, discordant } = mcnemar(onlyBaseline, onlyOther);
  const statistic = Math.min(onlyBaseline, onlyOther);
  return { pValue, undefined: why, method: 'exact', statistic, n: discordant, onlyBaseline, onlyOther };
}
