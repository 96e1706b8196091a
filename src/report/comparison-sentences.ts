import { FEW_UNITS } from '../stats/interval.ts';
import { correctedValues, thresholdOf } from '../compare/compare-verdict.ts';
import type { ComparedSystem, Comparison, MeasureComparison } from '../compare/comparison.ts';
import { count, plural, figure, pSentence, pText } from '../text/figures.ts';
import { familyText, isUnsliced, nameList, measureTitle, testsOf, unitWord } from './comparison-words.ts';
import { capitalized } from './value-text.ts';
import { present } from './document.ts';

/** Measures of a recipe are few, slices can be thousands. */
const MOST_NEEDS = 12;

/** What a person must not misread in the rows of one system, one thought each. Holds text from data: escape it. */
export function rowSentences(comparison: Comparison, rows: readonly MeasureComparison[]): string[] {
  const alpha = thresholdOf(comparison.level);
  return [
    ...undefinedSentences(rows),
    ...twins(rows),
    ...tooLittle(comparison, rows, alpha),
    ...testsDisagree(rows, alpha),
    ...intervalDisagrees(comparison, rows, alpha),
  ];
}

/** How the verdicts came about: the same for all systems. */
export function generalSentences(comparison: Comparison): string[] {
  return present([
    ...correctionSentences(comparison),
    comparison.corrections.some(({ family }) => family === 'primary') &&
      'Other measures can be compared with --measure.',
    comparison.measures.some(({ verdict }) => verdict === 'no difference shown') &&
      'No difference shown does not mean equal: every difference within the interval fits these cases.',
    ...resolution(comparison),
  ]);
}

/** What p is corrected over, and for what it is small enough. */
export function correctionSentences(comparison: Comparison): string[] {
  const tested = comparison.corrections.filter(({ tests }) => tests > 0);
  const families = tested.map((one) => `${plural(one.tests, 'test')} of ${familyText(one)}`);
  if (tested.length === 0) return ['Nothing was tested: no measure with a value differs in any case.'];
  return [
    `p is of the paired permutation test, after Holm’s correction over ${families.join(' and, by itself, over ')}. Better or worse: p < ${thresholdOf(comparison.level)} and the interval excludes 0.`,
    ...moreSwaps(comparison),
  ];
}

/** More swaps than resamples were asked for, without which the correction would leave no p below the threshold. */
function moreSwaps({ corrections, resamples }: Comparison): string[] {
  return corrections.flatMap((one) =>
    one.swaps === resamples
      ? []
      : `${plural(one.tests, 'test')} of ${familyText(one)} ${one.tests === 1 ? 'needs' : 'need'} more than ${count(resamples)} random swaps: ${count(one.swaps)} were drawn.`,
  );
}

/** Measures that are another one on these runs, which are tested once. */
function twins(rows: readonly MeasureComparison[]): string[] {
  const pairs = rows.flatMap(({ name, sameAs }) => (sameAs === undefined ? [] : [`${name} is ${sameAs}`]));
  const names = [...new Set(pairs)];
  return names.length === 0 ? [] : [`The same in every case, so counted as one test: ${nameList(names)}.`];
}

/** How many resamples had no value: of thousands of slices nearly each has its own number, and they share a sentence. */
const UNDEFINED_IN = /(?<=undefined in )\d+(?= of )/;

function undefinedSentences(rows: readonly MeasureComparison[]): string[] {
  const byReason = new Map<string, { names: string[]; numbers: number[] }>();
  const add = (reason: string, row: MeasureComparison): void => {
    const number = UNDEFINED_IN.exec(reason)?.[0];
    const alike = reason.replace(UNDEFINED_IN, '#');
    const found = byReason.get(alike) ?? { names: [], numbers: [] };
    found.names.push(measureTitle(row));
    if (number !== undefined) found.numbers.push(Number(number));
    byReason.set(alike, found);
  };
  for (const row of rows) {
    if (row.difference === null) {
      add(row.undefined ?? 'no reason given', row);
      continue;
    }
    // The verdict covers that no unit differs.
    if (row.interval === null && row.differing > 0) add(`no interval: ${row.noInterval ?? 'no reason given'}`, row);
    if (row.permutation.pValue === null) add(`no p: ${row.permutation.undefined ?? 'no reason given'}`, row);
  }
  return [...byReason].map(
    ([alike, { names, numbers }]) => `– ${nameList(names)}: ${alike.replace('undefined in #', inRange(numbers))}.`,
  );
}

function inRange(numbers: readonly number[]): string {
  const [least, most] = [
    numbers.reduce((a, b) => Math.min(a, b), Infinity),
    numbers.reduce((a, b) => Math.max(a, b), 0),
  ];
  return `undefined in ${least === most ? least : `${least} to ${most}`}`;
}

/** What keeps a verdict from being reached: how many units it would take, and where those that differ are too few. */
function tooLittle(comparison: Comparison, rows: readonly MeasureComparison[], alpha: number): string[] {
  const unsure = rows.filter(({ verdict, adjusted }) => verdict === 'too little data' && adjusted !== null);
  const same = rows.filter(({ differing, difference }) => differing === 0 && difference !== null);
  return present([
    ...neededUnits(comparison, unsure),
    ...tooFewDiffer(comparison, unsure, alpha),
    same.length > 0 &&
      `No ${unitWord(comparison)} differs in ${nameList(same.map(measureTitle))}: the answers count the same.`,
  ]);
}

function neededUnits(comparison: Comparison, unsure: readonly MeasureComparison[]): string[] {
  const rows = unsure.filter(
    ({ needed, units, differing, difference }) =>
      needed !== null && needed > units && differing > 0 && difference !== 0,
  );
  const first = rows[0];
  if (first === undefined) return [];
  const alike = rows.every(({ units }) => units === first.units);
  const needs = rows.map(
    (row) => `${measureTitle(row)} about ${count(row.needed ?? 0)}${alike ? '' : ` (${count(row.units)} here)`}`,
  );
  const all = comparison.units === first.units ? '' : ` of ${count(comparison.units)}`;
  const here = alike
    ? `; here ${count(first.units)}${all} ${first.units === 1 ? 'has' : 'have'} anything to measure`
    : '';
  return [
    `Too little data. ${capitalized(unitWord(comparison))}s needed to show a difference of the size seen, with a chance of 80 %: ${nameList(needs, MOST_NEEDS)}${here}. The size seen is itself unsure.`,
  ];
}

/** Measures for which not even a clean sweep would have been enough. */
function tooFewDiffer(comparison: Comparison, unsure: readonly MeasureComparison[], alpha: number): string[] {
  const stuck = unsure
    .filter((row) => row.differing > 0 && isUnsliced(row))
    .map((row) => ({ row, lowest: lowestAdjusted(comparison, row) }))
    .filter(({ lowest }) => lowest >= alpha);
  if (stuck.length === 0) return [];
  const most = Math.max(...stuck.map(({ row }) => row.differing));
  const which =
    stuck.length === unsure.filter(isUnsliced).length
      ? ''
      : ` in ${nameList(stuck.map(({ row }) => measureTitle(row)))}`;
  const units = most === 1 ? `1 ${unitWord(comparison)} differs` : `${count(most)} ${unitWord(comparison)}s differ`;
  const corrected = stuck.some(({ row }) => testsOf(comparison, [row]) > 1) ? ' after correction' : '';
  // Of no help where the cases would be too few for a single test.
  const advice =
    corrected !== '' && 2 ** (1 - most) < alpha
      ? ' Fewer measures (--measure, chosen before looking) mean less to correct for.'
      : '';
  const best = `p would be ${pText(Math.min(...stuck.map(({ lowest }) => lowest)), alpha)} at best${corrected}`;
  return [`At most ${units}${which}: even if all of them went one way, ${best}.${advice}`];
}

/** What p would be after correction if every unit that differs went the same way: two of all swaps are as extreme. */
function lowestAdjusted({ measures }: Comparison, row: MeasureComparison): number {
  const family = measures.filter((one) => one.family === row.family);
  const swept = { ...row, permutation: { ...row.permutation, pValue: 2 ** (1 - row.differing) } };
  return correctedValues(family.map((one) => (one === row ? swept : one)))[family.indexOf(row)] ?? 1;
}

const FULLY_SAID = 3;

/** If Wilcoxon's test gives another result: which of the two decides, and why. */
function testsDisagree(rows: readonly MeasureComparison[], alpha: number): string[] {
  const apart = rows.flatMap((row) => {
    const [own, ranks] = [row.permutation.pValue, row.wilcoxon.pValue];
    return own === null || ranks === null || own < alpha === ranks < alpha ? [] : [{ row, own, ranks }];
  });
  if (apart.length === 0) return [];
  const said = apart
    .slice(0, FULLY_SAID)
    .map(
      ({ row, own, ranks }) =>
        `${measureTitle(row)} permutation ${pSentence(own, alpha)}, Wilcoxon ${pSentence(ranks, alpha)}`,
    );
  const rest = apart.length > FULLY_SAID ? `; and ${count(apart.length - FULLY_SAID)} more` : '';
  return [
    `The two tests fall on different sides of ${alpha} before correction: ${said.join('; ')}${rest}. The permutation test is the one that counts: after every swap it works out the measure itself, while Wilcoxon ranks differences per case, whatever a case weighs.`,
  ];
}

/** If interval and test seem to disagree: a difference is shown only if both show it. */
function intervalDisagrees(comparison: Comparison, rows: readonly MeasureComparison[], alpha: number): string[] {
  const below = (p: number | null): boolean => p !== null && p < alpha;
  const titles = (holdsZero: boolean, wanted: (row: MeasureComparison) => boolean): string[] =>
    rows
      .filter(({ interval }) => interval !== null && holdsZero === (interval.low <= 0 && interval.high >= 0))
      .filter(wanted)
      .map(measureTitle);
  const corrected = titles(false, ({ adjusted, permutation }) => !below(adjusted) && below(permutation.pValue));
  const untested = ({ permutation }: MeasureComparison): boolean =>
    permutation.pValue !== null && !below(permutation.pValue);
  const narrow = titles(false, (row) => untested(row) && row.units < FEW_UNITS);
  const borderline = titles(false, (row) => untested(row) && row.units >= FEW_UNITS);
  const inside = titles(true, ({ adjusted }) => below(adjusted));
  return present([
    corrected.length > 0 &&
      `The interval of ${nameList(corrected)} leaves out 0, but it is of one measure alone; p takes account of all ${count(testsOf(comparison, rows))} tests.`,
    narrow.length > 0 &&
      `The interval of ${nameList(narrow)} leaves out 0, but the test does not show a difference: with few cases a resampled interval is too narrow.`,
    borderline.length > 0 &&
      `The interval of ${nameList(borderline)} leaves out 0, but p is above ${alpha}: they ask in different ways, and a difference is shown only where both find it.`,
    inside.length > 0 &&
      `p of ${nameList(inside)} is small, but the interval holds 0, so no difference is shown: the test also answers to how many items a system gives, the interval to the measure alone.`,
  ]);
}

/** A resampled p has a floor, which is reported if some p is at it. */
function resolution({ corrections, measures }: Comparison): string[] {
  const atFloor = corrections.filter(({ family, swaps }) =>
    measures.some(
      ({ permutation: { method, pValue }, ...row }) =>
        row.family === family && method === 'resampled' && pValue !== null && pValue <= 1.5 / (swaps + 1),
    ),
  );
  return atFloor.map(
    ({ swaps }) =>
      `From ${count(swaps)} random swaps no p can be smaller than 1 / ${count(swaps + 1)} (before correction): the smallest here may be smaller still.`,
  );
}

const IDS_SHOWN = 5;

/** What to know before believing a comparison, one sentence each. Holds text from data: escape it. */
export function comparisonNotices(comparison: Comparison): string[] {
  return present([
    ...comparison.systems.flatMap(unpaired),
    comparison.failed !== 0 &&
      `${plural(comparison.failed, 'case')} that all runs have ${comparison.failed === 1 ? 'is' : 'are'} in no figure here, since a run failed on ${comparison.failed === 1 ? 'it' : 'them'}`,
    ...failedOtherwise(comparison),
    ...comparison.systems.flatMap(unanswered),
    ...comparison.notices,
  ]);
}

const MEASURES_SHOWN = 6;

/** Leaving failed cases out flatters the run that fails on the hard ones: what they change is shown. */
function failedOtherwise({ systems, failedOtherwise: other }: Comparison): string[] {
  if (other === undefined) return [];
  const how = other.failed === 'empty' ? 'counted as empty answers' : 'left out';
  const shown = other.measures.slice(0, MEASURES_SHOWN).map(({ name, values }) => {
    const each = values.map((value, at) => `${systems[at]!.name} ${value === null ? 'undefined' : figure(value)}`);
    return `${name} ${each.join(', ')}`;
  });
  const more = other.measures.length > shown.length ? '; …' : '';
  return [
    `over all cases of each run, with failed ones ${how} (data.failed=${other.failed}): ${shown.join('; ')}${more}`,
  ];
}

function unpaired({ name, cases, unpaired: { n, cases: ids } }: ComparedSystem): string[] {
  if (n === 0) return [];
  const more = n > Math.min(ids.length, IDS_SHOWN) ? ', …' : '';
  const which = ids.length === 0 ? '' : `: ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`;
  return [
    `${count(n)} of ${plural(cases, 'case')} of ${name} ${n === 1 ? 'is' : 'are'} not compared, since another run lacks ${n === 1 ? 'it' : 'them'}${which}`,
  ];
}

function unanswered({ name, cases, unanswered: n }: ComparedSystem): string[] {
  return n === 0
    ? []
    : [`${name} has no prediction for ${count(n)} of ${plural(cases, 'case')}: compared as an empty answer`];
}
