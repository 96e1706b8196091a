import type { VerdictKind } from '../judge/verdict.ts';
import type { ComingAndGoing, GoldItem, KindStability, Share } from '../compare/repeats/item-stability.ts';
import type { Flip } from '../compare/repeats/flips.ts';

import { isWider, type MeasureSpread } from '../compare/repeats/measure-spread.ts';
import type { ItemStability, Repeats } from '../compare/repeats/repeats.ts';
import { count, counted, figure, percent } from '../text/figures.ts';
import { kindName } from './kind-name.ts';
import { VERDICT_LOOKS } from './style.ts';
import type { Column } from './table.ts';

/** A table of the report on repeated runs, before it is laid out for a terminal or a page. Cells hold text from data. */
export interface RepeatsTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Below the table. */
  readonly remarks: readonly string[];
  /** How many columns at the end of a list are running text, which a terminal puts together. */
  readonly prose?: number;
}

const NONE = '–';
const ABSENT = '·';
const right = { align: 'right' } as const;

/** `narrow` leaves out what a small terminal has no room for. */
export function measureTable({ measures }: Repeats, narrow = false): RepeatsTable {
  const bounds = narrow ? [] : [{ title: 'min', ...right } as const, { title: 'max', ...right } as const];
  const rows = measures.map(({ name, runs, cases, parts, limit, range }) => [
    name,
    ...[runs.mean, runs.sd, ...(narrow ? [] : [runs.min, runs.max]), cases?.meanSd].map(figureOrNone),
    parts?.runShare == null ? NONE : percent(parts.runShare, 1),
    isWider(limit.value, range) ? NONE : figureOrNone(limit.value),
  ]);
  return {
    columns: [
      { title: 'Measure', shrinks: true },
      { title: 'mean', ...right },
      { title: 'sd', ...right },
      ...bounds,
      { title: 'case sd', ...right },
      { title: 'rerun', ...right },
      { title: 'limit', ...right },
    ],
    rows,
    remarks: [
      `sd${narrow ? '' : ', min, max'}: between runs; case sd: between cases, averaged over runs; rerun: the share of the variance of a case’s value that comes from running again; limit: two runs differ by less 95 times in 100 (${NONE} where no two differ)`,
      ...measureRemarks(measures),
    ],
  };
}

/** What is undefined, and why: each reason once, with the measures it belongs to. */
function measureRemarks(measures: readonly MeasureSpread[]): string[] {
  const names = new Map<string, string[]>();
  for (const measure of measures)
    for (const remark of remarksOf(measure)) names.set(remark, [...(names.get(remark) ?? []), measure.name]);
  return [...names].map(([remark, of]) => `${of.join(', ')}: ${remark}`);
}

function remarksOf({ values, runs, cases, parts, casesLeftOut, limit, range }: MeasureSpread): string[] {
  const reasons = [...new Set(values.flatMap(({ undefined: reason }) => reason ?? []))];
  const all = casesLeftOut + (parts?.cases ?? 0);
  return [
    ...(reasons.length === 0
      ? []
      : [`undefined in ${runs.undefined} of ${counted(values.length, 'run')} (${reasons.join('; ')})`]),
    ...(cases !== null && cases.undefined !== null ? [`no case sd: ${cases.undefined}`] : []),
    ...(parts === null || parts.undefined === null ? [] : [`no share by rerun: ${parts.undefined}`]),
    ...(parts === null || parts.note === null ? [] : [parts.note]),
    ...(casesLeftOut === 0 || parts?.runShare == null
      ? []
      : [`rerun is over the ${count(all - casesLeftOut)} of ${counted(all, 'case')} with a value in every run`]),
    ...(limit.undefined === null || runs.mean === null || runs.sd === 0 ? [] : [`no limit: ${limit.undefined}`]),
    ...(isWider(limit.value, range)
      ? ['no limit: it would be wider than the measure itself, more runs are needed']
      : []),
  ];
}

export function stabilityTable(kind: KindStability): RepeatsTable {
  const runs = kind.byRuns.length;
  const some = kind.byRuns.map((n, at) => ({ n, at: at + 1 })).filter(({ n, at }) => n > 0 && at < runs);
  return {
    columns: [
      { title: capital(kindName(kind.kind)), shrinks: true },
      { title: 'found', ...right },
      { title: 'in all runs', ...right },
      { title: 'share', ...right },
    ],
    rows: [{ ...kind, label: '(all)' }, ...kind.labels].map((own) => [
      own.label,
      count(own.items),
      count(own.inAllRuns),
      shareText(own.share, own.inAllRuns, own.items),
    ]),
    remarks: [
      ...(kind.share.undefined === null ? [] : [`${NONE} undefined: ${kind.share.undefined}`]),
      ...(some.length === 0 ? [] : [some.map(({ n, at }) => `in ${at} of ${runs} runs: ${count(n)}`).join(', ')]),
      ...(kind.pairwise.value === null
        ? []
        : [
            `two runs have ${percent(kind.pairwise.value, 1)} in common: 2 × items in both / (items of one + items of the other), mean over pairs of runs`,
          ]),
    ],
  };
}

/** Columns of a list of items with the runs that found each. */
function foundByRun(runs: number): RepeatsTable['columns'] {
  return [
    { title: 'case', shrinks: true },
    { title: 'label', shrinks: true },
    { title: runsTitle(runs) },
    { title: '' },
  ];
}

export function comeAndGoTable(items: readonly ComingAndGoing[], runs: number): RepeatsTable {
  return {
    columns: foundByRun(runs),
    rows: items.map((item) => [item.case, item.label, runMarks(item.runs), `${quoted(item.text)}${nearText(item)}`]),
    remarks: [],
  };
}

function nearText({ near }: ComingAndGoing): string {
  return near === null ? '' : ` (other runs: ${near.label} ${quoted(near.text)}, ${near.why})`;
}

export function attributeTable({ attributes, undecided }: ItemStability): RepeatsTable {
  const unsure = attributes.some((one) => one.undecided > 0);
  return {
    columns: [
      { title: 'Attribute', shrinks: true },
      { title: 'compared', ...right },
      { title: 'flips', ...right },
      { title: 'share', ...right },
      { title: 'undecided', ...right },
    ],
    rows: attributes.map((one) => [
      one.attribute,
      count(one.compared),
      count(one.flips),
      shareText(one.share, one.flips, one.compared),
      count(one.undecided),
    ]),
    remarks: [
      'compared: items that two or more runs found; flips: two runs give different values',
      ...(unsure ? [`undecided: the runs differ only in that some say nothing or ${undecided.join(' or ')}`] : []),
    ],
  };
}

export function flipTable(flips: readonly Flip[]): RepeatsTable {
  return {
    columns: [
      { title: 'case', shrinks: true },
      { title: 'label', shrinks: true },
      { title: 'attribute', shrinks: true },
      { title: 'by run' },
      { title: '' },
    ],
    rows: flips.map((flip) => [
      flip.case,
      flip.label,
      flip.attribute,
      flip.values.map((value, run) => (flip.found[run] === true ? (value ?? NONE) : ABSENT)).join(', '),
      quoted(flip.text),
    ]),
    remarks: [],
    prose: 2,
  };
}

export function goldTable(items: readonly GoldItem[], runs: number): RepeatsTable {
  return {
    columns: foundByRun(runs),
    rows: items.map((item) => [item.case, item.label, runMarks(item.runs), quoted(item.text)]),
    remarks: [],
  };
}

/** What the marks of the lists mean, those that occur. */
export function marksLegend(hasGold: boolean): string {
  if (!hasGold) return `● found, ${ABSENT} not found`;
  const verdicts = ['hit', 'spurious', 'missed', 'excused'] as const;
  return `${verdicts.map((verdict) => `${VERDICT_LOOKS[verdict].symbol} ${verdict}`).join(', ')}, ${ABSENT} not found`;
}

function runMarks(runs: readonly (VerdictKind | 'found' | null)[]): string {
  const marks = runs.map((one) => (one === null ? ABSENT : one === 'found' ? '●' : VERDICT_LOOKS[one].symbol));
  return marks.join(runs.length > MOST_NUMBERED ? '' : ' ');
}

const MOST_NUMBERED = 9;

function runsTitle(runs: number): string {
  if (runs > MOST_NUMBERED) return `runs 1 to ${runs}`;
  return Array.from({ length: runs }, (_, at) => String(at + 1)).join(' ');
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function quoted(text: string): string {
  return `"${text}"`;
}

function figureOrNone(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : figure(value);
}

function shareText(share: Share, part: number, whole: number): string {
  return share.value === null ? NONE : percent(part, whole);
}
