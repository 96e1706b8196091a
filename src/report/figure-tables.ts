import type { AttributeTable, Calibration, Ceiling, ErrorClass, RunFigures, Taxonomy } from '../figures/run-figures.ts';
import type { ErrorType } from '../judge/error-type.ts';
import { count, plural, endFigure, figure, levelText, percent, signedFigure, significant } from '../text/figures.ts';
import { filledTable, numberColumns, type Section, type Table, present } from './document.ts';
import { figureOrNone, rangeText } from './value-text.ts';

/** Rows of an attribute's errors. */
const MOST_MIXED = 12;
/** Annotators of a ceiling. */
const MOST_PEOPLE = 20;
const right = { align: 'right' } as const;

/** What a type of error means, in one line. */
const ERROR_MEANINGS: Readonly<Record<ErrorType, string>> = {
  boundary: 'the right label, but not the right place',
  type: 'the right place, but another label',
  both: 'near the right place, and with another label',
  split: 'one gold item answered in several pieces',
  merged: 'several gold items answered as one',
  duplicate: 'where something else was found already',
  missed: 'in gold, and no prediction like it is left',
  spurious: 'predicted, and no gold like it is left',
  ungrounded: 'predicted with words or a place that are not in the text',
};

/** What the comparison with annotators comes to, in a sentence. */
export const CEILING_MEANINGS: Readonly<Record<Ceiling['verdict'], string>> = {
  'above people': 'The system agrees with people more than they do with each other.',
  'below people': 'The system agrees with people less than they do with each other.',
  'no difference shown': 'No difference between the system and people is shown.',
  'too little data': 'There is too little data to tell the system from people.',
};

/** Everything that the figures of a run show, as tables of a page. */
export function figureSections({ taxonomy, calibration, attributes, ceiling }: RunFigures): Section[] {
  const ofKind = (title: string, kind: string, all: readonly unknown[]): string =>
    all.length > 1 ? `${title}: ${kind}` : title;
  const sections: (readonly [title: string, Table | null])[] = [
    ...taxonomy.map((one) => [ofKind('Errors by type', one.kind, taxonomy), taxonomyTable(one)] as const),
    ...calibration.map(
      (one) => [ofKind('Confidence and precision', one.kind, calibration), calibrationTable(one)] as const,
    ),
    ...attributes.map((one) => [`Mistaken ${one.attribute} (${one.kind})`, attributeTable(one)] as const),
    ...ceiling.map((one) => [`The system among people: ${one.measure}`, ceilingTable(one)] as const),
  ];
  return sections.map(([title, table]) => ({ title, on: 'page', blocks: [table] }));
}

/** Null if F1 has no gap to explain. */
function taxonomyTable({ f1, errors }: Taxonomy): Table | null {
  const occurred = errors.filter(({ gap }) => gap > 0).toSorted((a, b) => b.gap - a.gap);
  if (f1 === null || occurred.length === 0) return null;
  const isPartial = occurred.some(({ lostCredit }) => lostCredit > 0);
  const absent = errors.filter(({ gap }) => gap === 0).map(({ type }) => type);
  const table = filledTable<ErrorClass>(
    [
      [{ title: 'type' }, ({ type }) => type],
      [{ title: 'missed', ...right }, ({ missed }) => count(missed)],
      [{ title: 'spurious', ...right }, ({ spurious }) => count(spurious)],
      isPartial ? [{ title: 'lost credit', ...right }, ({ lostCredit }) => count(lostCredit)] : null,
      [{ title: 'part of the gap', ...right }, ({ gap }) => `${figure(gap)} (${percent(gap, 1 - f1)})`],
      [{ title: 'F1 if fixed', ...right }, ({ f1IfFixed }) => figureOrNone(f1IfFixed)],
      [{ title: 'cases', ...right }, ({ cases }) => count(cases.total)],
      [{ title: 'what it is' }, ({ type }) => ERROR_MEANINGS[type]],
    ],
    occurred,
  );
  return {
    ...table,
    remarks: present([
      `F1 is ${figure(f1)}. Each error has one type, and the parts add up to the gap of ${figure(1 - f1)} to 1.`,
      absent.length > 0 && `Did not occur: ${absent.join(', ')}.`,
    ]),
  };
}

function calibrationTable({ field, n, error, leftOut, curve, bins }: Calibration): Table {
  const best = curve.reduce<Calibration['curve'][number] | null>(
    (most, one) => (one.f1 !== null && one.f1 > (most?.f1 ?? -1) ? one : most),
    null,
  );
  const left = Object.entries(leftOut).map(([reason, of]) => `${count(of)} (${reason})`);
  return {
    columns: [{ title: field }, ...numberColumns('mean', 'precision'), { title: 'interval' }, ...numberColumns('n')],
    rows: bins
      .filter((bin) => bin.n > 0)
      .map(({ from, to, confidence, precision, interval, n: size }) => [
        `${from.toFixed(1)} to ${to.toFixed(1)}`,
        figureOrNone(confidence),
        figureOrNone(precision),
        rangeText(interval),
        count(size),
      ]),
    remarks: present([
      error !== null && `Expected calibration error ${figure(error)} over ${plural(n, 'prediction')}; lower is better.`,
      best !== null &&
        best.f1 !== null &&
        `F1 is highest, ${figure(best.f1)}, with ${field} from ${significant(best.confidence)}: on these cases, and likely less on others.`,
      left.length > 0 && `Left out: ${left.join(', ')}.`,
    ]),
  };
}

/** Null if all are right. */
function attributeTable({ n, right: correct, cells }: AttributeTable): Table | null {
  const mixed = cells.filter((cell) => !cell.right).toSorted((a, b) => b.n - a.n);
  if (mixed.length === 0) return null;
  return {
    columns: [{ title: 'gold' }, { title: 'predicted' }, ...numberColumns('n')],
    rows: mixed.slice(0, MOST_MIXED).map(({ gold, predicted, n: size }) => [gold, predicted, count(size)]),
    total: mixed.length,
    rest: ' pairs of values',
    remarks: [`${count(correct)} of ${count(n)} hits are right (${percent(correct, n)}).`],
  };
}

function ceilingTable({ measure, about, people, human, system, difference, verdict }: Ceiling): Table {
  const range = (interval: Ceiling['human']['interval']): string =>
    `${rangeText(interval, endFigure)}${interval === null ? '' : ` (${levelText(interval.level)})`}`;
  const why = human.undefined ?? system.undefined;
  return {
    columns: [{ title: 'who' }, ...numberColumns(measure), { title: 'interval' }, ...numberColumns('cases')],
    rows: [
      ['the system', figureOrNone(system.value), range(system.interval), ''],
      ['people', figureOrNone(human.value), range(human.interval), ''],
      ['difference', signedFigure(difference.value), range(difference.interval), ''],
      ...people
        .slice(0, MOST_PEOPLE)
        .map(({ name, value, interval, n }) => [name, figureOrNone(value), range(interval), count(n)]),
    ],
    total: 3 + people.length,
    rest: ' people',
    remarks: present([CEILING_MEANINGS[verdict], about, why !== null && `– is undefined: ${why}.`]),
  };
}
