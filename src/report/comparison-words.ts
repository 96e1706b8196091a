import type { CaseChange } from '../compare/case-change.ts';
import type { Slice } from '../measure/results.ts';
import type {
  CaseChanges,
  Comparison,
  ComparisonVerdict,
  FamilyCorrection,
  MeasureComparison,
  MovedCase,
} from '../compare/comparison.ts';
import { count, plural, endFigure, figure, NONE, signedFigure } from '../text/figures.ts';
import type { Tone } from './style.ts';
import { rangeText } from './value-text.ts';

/** How a verdict looks, so that it can be recognised without colour too. In the order in which they are shown. */
export const COMPARISON_LOOKS: Readonly<
  Record<ComparisonVerdict, { readonly symbol: string; readonly tone: Tone | null }>
> = {
  better: { symbol: '▲', tone: 'good' },
  worse: { symbol: '▼', tone: 'bad' },
  'too little data': { symbol: '?', tone: 'warn' },
  'no difference shown': { symbol: '·', tone: null },
};

export const COMPARISON_VERDICTS: readonly ComparisonVerdict[] = [
  'better',
  'worse',
  'too little data',
  'no difference shown',
];

export function isUnsliced({ slice }: { readonly slice: Slice }): boolean {
  return Object.keys(slice).length === 0;
}

/**
 * A measure with the slice it is of.
 *
 * @example measureTitle({ name: 'f1', slice: { label: 'LOC' } }) // 'f1 (label LOC)'
 */
export function measureTitle(row: Pick<MeasureComparison, 'name' | 'slice'>): string {
  return isUnsliced(row) ? row.name : `${row.name} (${sliceText(row.slice)})`;
}

export function sliceText(slice: Slice): string {
  return Object.entries(slice)
    .map(([field, value]) => `${field} ${value}`)
    .join(', ');
}

export function systemName({ systems }: Comparison, place: number): string {
  return systems[place]?.name ?? `system ${place + 1}`;
}

/** What belongs together and is drawn and swapped as a whole; nothing where that is the case itself. */
export function clusterSentences({ unit, units, paired }: Comparison): string[] {
  if (unit === 'case' && units === paired) return [];
  const what = unit === 'case' ? `made from the same document` : `with the same ${unit}`;
  return [`Cases ${what} are not independent: the ${plural(units, 'group')} of them are drawn and swapped as a whole.`];
}

/** Tests that the p values of rows of one family are corrected over. */
export function testsOf({ corrections }: Comparison, rows: readonly MeasureComparison[]): number {
  return corrections.find(({ family }) => family === rows[0]?.family)?.tests ?? 0;
}

/** Head of the column of p values: over how many tests they are corrected. */
export function correctedTitle(comparison: Comparison, rows: readonly MeasureComparison[]): string {
  return `p (${plural(testsOf(comparison, rows), 'test')})`;
}

const FAMILIES: Readonly<Record<FamilyCorrection['family'], string>> = {
  primary: 'the recipe’s primary measures',
  all: 'all measures',
  named: 'the measures asked for',
  further: 'further measures',
  slices: 'the slices',
};

/** What a family of tests holds. */
export function familyText({ family }: FamilyCorrection): string {
  return FAMILIES[family];
}

/** Tests of a family, the method of their correction, and their random swaps. */
export function correctionText({ tests, swaps }: FamilyCorrection): string {
  return `${count(tests)}, corrected by Holm’s method, ${count(swaps)} random swaps each`;
}

const OF_ERRORS: Readonly<Record<CaseChange, string>> = {
  worse: 'more errors',
  better: 'fewer errors',
  others: 'as many, others',
  unchanged: 'unchanged',
};
const OF_MEASURE: Readonly<Record<CaseChange, string>> = {
  worse: 'worse',
  better: 'better',
  others: 'not comparable',
  unchanged: 'unchanged',
};

/** Name of a group of cases. */
export function changeName(by: CaseChanges['by'], change: CaseChange): string {
  return (by === null ? OF_ERRORS : OF_MEASURE)[change];
}

/** Change of one case: `3 more` errors, or the signed difference of a measure. */
export function changeText(by: CaseChanges['by'], size: number): string {
  if (by !== null) return signedFigure(size);
  return `${count(Math.abs(size))} ${size > 0 ? 'more' : 'fewer'}`;
}

/** Errors of a case in both runs, or its values of the measure that cases change by. */
export function changedValues(by: CaseChanges['by'], { baseline, other }: MovedCase): [string, string] {
  return by === null ? [count(baseline), count(other)] : valuePair({ baseline, other });
}

/** How many cases are in each group, system by system. */
export function changeSentences(comparison: Comparison): string[] {
  const { by, systems } = comparison.changes;
  return systems.flatMap(({ system, errors, ...groups }) => {
    const lead = systems.length > 1 ? `${systemName(comparison, system)}: ` : '';
    const shares = (['worse', 'better', 'others', 'unchanged'] as const).map(
      (change) => `${count(groups[change])} ${changeName(by, change)}`,
    );
    if (by !== null) return `${lead}${shares.join(' · ')}, by ${by}`;
    return [`${lead}${shares.join(' · ')}`, `${lead}${count(errors.baseline)} → ${count(errors.other)} errors`];
  });
}

/** What a unit of the comparison is called where it is counted. */
export function unitWord({ unit, units, paired }: Comparison): string {
  return unit === 'case' && units === paired ? 'case' : 'group';
}

/** "a, b and c"; of many the first few and how many there are besides. */
export function nameList(names: readonly string[], most = 6): string {
  if (names.length > most + 1) return `${names.slice(0, most).join(', ')} and ${count(names.length - most)} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

/** Both values of a measure; whole numbers where it counts things. */
export function valuePair({ baseline, other }: Pick<MeasureComparison, 'baseline' | 'other'>): [string, string] {
  const both = [baseline, other].filter((value) => value !== null);
  const counts = both.every(Number.isInteger) && both.some((value) => Math.abs(value) > 1);
  const text = (value: number | null): string => (value === null ? NONE : counts ? count(value) : figure(value));
  return [text(baseline), text(other)];
}

export function intervalOf({ interval }: Pick<MeasureComparison, 'interval'>): string {
  return rangeText(interval, endFigure);
}
