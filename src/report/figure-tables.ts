import type { ItemKind } from '../data/item.ts';
import type { Interval } from '../measure/results.ts';
import type { AttributeTable, Calibration, Ceiling, RunFigures, Taxonomy } from '../figures/run-figures.ts';
import {
  count,
  counted,
  endFigure,
  figure,
  levelText,
  NONE,
  percent,
  signedFigure,
  significant,
} from '../text/figures.ts';
import { CEILING_MEANINGS, ERROR_MEANINGS } from './figure-tables-words.ts';

/** A table of a figure, for Markdown and for the terminal. Cells hold text from data: escape them. */
export interface FigureTable {
  readonly title: string;
  readonly columns: readonly { readonly title: string; readonly align: 'left' | 'right' }[];
  readonly rows: readonly (readonly string[])[];
  /** Sentences below it. */
  readonly notes: readonly string[];
}

/** Rows of an attribute's errors. */
const MOST_MIXED = 12;
/** People of a ceiling. */
const MOST_PEOPLE = 20;

/** Everything that the figures of a run show, as tables; what there is nothing of has none. */
export function figureTables({ taxonomy, calibration, attributes, ceiling }: RunFigures): FigureTable[] {
  return [
    ...taxonomy.flatMap((one) => taxonomyTable(one, taxonomy.length > 1) ?? []),
    ...calibration.map((one) => calibrationTable(one, calibration.length > 1)),
    ...attributes.flatMap((one) => attributeTable(one) ?? []),
    ...ceiling.map(ceilingTable),
  ];
}

function of(kind: ItemKind, several: boolean): string {
  return several ? `: ${kind}` : '';
}

/** Null where F1 has no gap to explain. */
export function taxonomyTable(taxonomy: Taxonomy, several = false): FigureTable | null {
  const { kind, f1, errors } = taxonomy;
  const occurred = errors.filter(({ gap }) => gap > 0).toSorted((a, b) => b.gap - a.gap);
  if (f1 === null || occurred.length === 0) return null;
  const partly = occurred.some(({ lostCredit }) => lostCredit > 0);
  const absent = errors.filter(({ gap }) => gap === 0).map(({ type }) => type);
  return {
    title: `Errors by type${of(kind, several)}`,
    columns: [
      { title: 'type', align: 'left' },
      { title: 'missed', align: 'right' },
      { title: 'spurious', align: 'right' },
      ...(partly ? [{ title: 'lost credit', align: 'right' } as const] : []),
      { title: 'part of the gap', align: 'right' },
      { title: 'F1 if fixed', align: 'right' },
      { title: 'cases', align: 'right' },
      { title: 'what it is', align: 'left' },
    ],
    rows: occurred.map((one) => [
      one.type,
      count(one.missed),
      count(one.spurious),
      ...(partly ? [count(one.lostCredit)] : []),
      `${figure(one.gap)} (${percent(one.gap, 1 - f1)})`,
      one.f1IfFixed === null ? NONE : figure(one.f1IfFixed),
      count(one.cases.total),
      ERROR_MEANINGS[one.type],
    ]),
    notes: [
      `F1 is ${figure(f1)}. Each error has one type, and the parts add up to the gap of ${figure(1 - f1)} to 1.`,
      ...(absent.length === 0 ? [] : [`Did not occur: ${absent.join(', ')}.`]),
    ],
  };
}

export function calibrationTable(calibration: Calibration, several = false): FigureTable {
  const { kind, field, n, error, leftOut, curve } = calibration;
  const best = curve.reduce<Calibration['curve'][number] | null>(
    (most, one) => (one.f1 !== null && one.f1 > (most?.f1 ?? -1) ? one : most),
    null,
  );
  const left = Object.entries(leftOut).map(([reason, of_]) => `${count(of_)} (${reason})`);
  return {
    title: `Confidence and precision${of(kind, several)}`,
    columns: [
      { title: field, align: 'left' },
      { title: 'mean', align: 'right' },
      { title: 'precision', align: 'right' },
      { title: 'interval', align: 'left' },
      { title: 'n', align: 'right' },
    ],
    rows: calibration.bins
      .filter((bin) => bin.n > 0)
      .map(({ from, to, confidence, precision, interval, n: own }) => [
        `${from.toFixed(1)} to ${to.toFixed(1)}`,
        confidence === null ? NONE : figure(confidence),
        precision === null ? NONE : figure(precision),
        interval === null ? NONE : `${figure(interval.low)} to ${figure(interval.high)}`,
        count(own),
      ]),
    notes: [
      ...(error === null
        ? []
        : [`Expected calibration error ${figure(error)} over ${counted(n, 'prediction')}; lower is better.`]),
      ...(best === null || best.f1 === null
        ? []
        : [
            `F1 is highest, ${figure(best.f1)}, with ${field} from ${significant(best.confidence)}: on these cases, and likely less on others.`,
          ]),
      ...(left.length === 0 ? [] : [`Left out: ${left.join(', ')}.`]),
    ],
  };
}

/** Null where all are right. */
export function attributeTable({ attribute, kind, n, right, cells }: AttributeTable): FigureTable | null {
  const mixed = cells.filter((cell) => !cell.right).toSorted((a, b) => b.n - a.n);
  if (mixed.length === 0) return null;
  const left = mixed.length - MOST_MIXED;
  return {
    title: `Mistaken ${attribute} (${kind})`,
    columns: [
      { title: 'gold', align: 'left' },
      { title: 'predicted', align: 'left' },
      { title: 'n', align: 'right' },
    ],
    rows: mixed.slice(0, MOST_MIXED).map(({ gold, predicted, n: own }) => [gold, predicted, count(own)]),
    notes: [
      `${count(right)} of ${count(n)} hits are right (${percent(right, n)}).`,
      ...(left > 0 ? [`And ${count(left)} more pairs of values.`] : []),
    ],
  };
}

export function ceilingTable({ measure, about, people, human, system, difference, verdict }: Ceiling): FigureTable {
  const row = (name: string, value: number | null, interval: Interval | null, n = ''): string[] => [
    name,
    value === null ? NONE : figure(value),
    rangeOf(interval),
    n,
  ];
  const why = human.undefined ?? system.undefined;
  const left = people.length - MOST_PEOPLE;
  return {
    title: `The system among people: ${measure}`,
    columns: [
      { title: 'who', align: 'left' },
      { title: measure, align: 'right' },
      { title: 'interval', align: 'left' },
      { title: 'cases', align: 'right' },
    ],
    rows: [
      row('the system', system.value, system.interval),
      row('people', human.value, human.interval),
      ['difference', signedFigure(difference.value), rangeOf(difference.interval), ''],
      ...people.slice(0, MOST_PEOPLE).map(({ name, value, interval, n }) => row(name, value, interval, count(n))),
    ],
    notes: [
      CEILING_MEANINGS[verdict],
      about,
      ...(why === null ? [] : [`– is undefined: ${why}.`]),
      ...(left > 0 ? [`${counted(left, 'more person is', 'more people are')} not listed.`] : []),
    ],
  };
}

function rangeOf(interval: Interval | null): string {
  if (interval === null) return NONE;
  return `${endFigure(interval.low)} to ${endFigure(interval.high)} (${levelText(interval.level)})`;
}
