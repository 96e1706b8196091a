import type { Flip } from '../compare/repeats/flips.ts';
import type { ComingAndGoing, GoldItem, KindStability, Share } from '../compare/repeats/item-stability.ts';
import { isWider, type MeasureSpread } from '../compare/repeats/measure-spread.ts';
import type { ItemStability, Repeats } from '../compare/repeats/repeats.ts';
import type { VerdictKind } from '../judge/verdict.ts';
import { count, plural, NONE, percent } from '../text/figures.ts';
import { type Document, numberColumns, type Section, type Table, textColumns, present } from './document.ts';
import { kindName, kindTitle } from './kind-name.ts';
import { poolingRemarks } from './pooling.ts';
import { VERDICT_LOOKS } from './style.ts';
import { figureOrNone, sharedRemarks } from './value-text.ts';

const LABELS_SHOWN = 12;
/** Rows of a list on a terminal; the page and the JSON have all of them. */
export const ROWS_SHOWN = 20;
const REST = ': --limit, --markdown FILE or --json';

/** How far the numbers of repeated runs move, what comes and goes, what flips, and which gold is found. */
export function repeatsDocument(repeats: Repeats, shown = ROWS_SHOWN): Document {
  const { recipe, runs, cases, notices, meaning, noMeasures, measures } = repeats;
  const values = measures.map(({ name, values: own }) => [name, ...own.map(({ value }) => figureOrNone(value))]);
  const numbers = numberColumns(...runs.map((_, at) => String(at + 1)));
  return {
    title: `Repeated runs: ${recipe}`,
    about: `${plural(runs.length, 'run')} of one system on ${plural(cases.compared, 'case')}.`,
    sections: [
      { blocks: [{ list: runs.map(({ name }, at) => `${at + 1}  ${name}`), on: 'terminal' }] },
      { blocks: [{ list: notices, mark: 'warning' }] },
      { blocks: [noMeasures === null ? null : { text: `No measures: ${noMeasures}.` }] },
      { title: 'Measures', blocks: [measureTable(repeats), meaning === null ? null : { text: meaning }] },
      { title: 'By run', level: 3, on: 'page', blocks: [runTable(repeats)] },
      { on: 'page', blocks: [{ columns: [{ title: 'measure' }, ...numbers], rows: values }] },
      ...itemSections(repeats, shown),
      goldSection(repeats, shown),
      {
        title: 'Cases left out',
        on: 'page',
        blocks: [
          {
            columns: [{ title: 'case' }, { title: 'because' }],
            rows: cases.leftOut.map(({ case: id, because }) => [id, because]),
          },
        ],
      },
    ],
  };
}

function runTable({ runs }: Repeats): Table {
  return {
    columns: [...numberColumns(''), { title: 'run' }, ...numberColumns('cases', 'failed', 'unanswered')],
    rows: runs.map((run, at) => [String(at + 1), run.name, count(run.cases), count(run.failed), count(run.unanswered)]),
  };
}

function itemSections({ items, noItems, runs, gold }: Repeats, shown: number): Section[] {
  if (items === null) return [{ blocks: [{ text: `Items were not followed: ${noItems ?? ''}.` }] }];
  const { kinds, comeAndGo, flips } = items;
  const total = kinds.reduce((sum, kind) => sum + kind.items, 0);
  const names = kinds.map(({ kind }) => kindName(kind)).join(' and ');
  const isStable = comeAndGo.length === 0 && total > 0;
  const changes = { flip: 'Flips', undecided: 'Undecided in some runs' } as const;
  return [
    ...kinds.map((kind): Section => {
      const rest = ' with fewer items';
      return { title: kindTitle(kind.kind), blocks: [{ ...stabilityTable(kind), shown: LABELS_SHOWN, rest }] };
    }),
    {
      blocks: [
        isStable ? { text: `No ${names} come and go: all ${count(total)} are in every run`, tone: 'strong' } : null,
      ],
    },
    {
      title: 'Come and go',
      about: `${count(comeAndGo.length)} of ${count(total)} ${names}`,
      blocks: [{ ...comeAndGoTable(comeAndGo, runs.length), remarks: [marksLegend(gold !== null)], shown, rest: REST }],
    },
    { title: 'Attribute', blocks: [total === 0 ? null : attributeTable(items)] },
    ...(['flip', 'undecided'] as const).map((change): Section => {
      const own = flips.filter((flip) => flip.change === change);
      return { title: changes[change], about: count(own.length), blocks: [{ ...flipTable(own), shown, rest: REST }] };
    }),
  ];
}

function goldSection({ gold, runs }: Repeats, shown: number): Section {
  if (gold === null) return { blocks: [] };
  const { always, sometimes, never, excused } = gold.counts;
  const parts = present([
    `${count(always)} found in every run`,
    `${count(sometimes)} in some`,
    `${count(never)} in none`,
    excused > 0 && `${count(excused)} excused`,
    gold.notInEveryRun > 0 && `${count(gold.notInEveryRun)} not in the gold of every run, left out`,
  ]);
  const only = (...found: readonly GoldItem['found'][]): GoldItem[] =>
    gold.items.filter((item) => found.includes(item.found));
  return {
    title: 'Gold items',
    blocks: [
      { text: `${parts.join(', ')}.` },
      { ...goldTable(only('sometimes'), runs.length), shown, rest: REST, on: 'terminal' },
      { ...goldTable(only('sometimes', 'never'), runs.length), on: 'page' },
    ],
  };
}

const ABSENT = '·';

function measureTable({ measures }: Repeats): Table {
  const rows = measures.map(({ name, runs, cases, parts, limit, range }) => [
    name,
    figureOrNone(runs.mean),
    figureOrNone(runs.sd),
    [...new Set([runs.min, runs.max].map(figureOrNone))].join('–'),
    figureOrNone(cases?.meanSd),
    parts?.runShare == null ? NONE : percent(parts.runShare, 1),
    isWider(limit.value, range) ? NONE : figureOrNone(limit.value),
  ]);
  return {
    columns: [
      ...textColumns('measure'),
      ...numberColumns('mean', 'sd'),
      { title: 'range', align: 'right', drop: 1 },
      ...numberColumns('cases', 'rerun', 'limit'),
    ],
    rows,
    remarks: [
      `sd, range: between runs; cases: sd between cases, averaged over runs; rerun: the share of the variance of a case’s value that comes from running again; limit: two runs differ by less 95 times in 100 (${NONE} where no two differ)`,
      ...poolingRemarks(measures),
      ...sharedRemarks(measures.flatMap((measure) => remarksOf(measure).map((text) => ({ name: measure.name, text })))),
    ],
  };
}

function remarksOf({ values, runs, cases, parts, casesLeftOut, limit, range }: MeasureSpread): string[] {
  const reasons = [...new Set(values.flatMap(({ undefined: reason }) => reason ?? []))];
  const all = casesLeftOut + (parts?.cases ?? 0);
  return present([
    reasons.length > 0 && `undefined in ${runs.undefined} of ${plural(values.length, 'run')} (${reasons.join('; ')})`,
    cases !== null && cases.undefined !== null && `no sd between cases: ${cases.undefined}`,
    parts !== null && parts.undefined !== null && `no share by rerun: ${parts.undefined}`,
    parts !== null && parts.note !== null && parts.note,
    casesLeftOut !== 0 &&
      parts?.runShare != null &&
      `rerun is over the ${count(all - casesLeftOut)} of ${plural(all, 'case')} with a value in every run`,
    limit.undefined !== null && runs.mean !== null && runs.sd !== 0 && `no limit: ${limit.undefined}`,
    isWider(limit.value, range) && 'no limit: it would be wider than the measure itself, more runs are needed',
  ]);
}

function stabilityTable(kind: KindStability): Table {
  const runs = kind.byRuns.length;
  const some = kind.byRuns.map((n, at) => ({ n, at: at + 1 })).filter(({ n, at }) => n > 0 && at < runs);
  return {
    columns: [...textColumns('label'), ...numberColumns('found', 'in all runs', 'share')],
    rows: [{ ...kind, label: '(all)' }, ...kind.labels].map((own) => [
      own.label,
      count(own.items),
      count(own.inAllRuns),
      shareText(own.share, own.inAllRuns, own.items),
    ]),
    remarks: present([
      kind.share.undefined !== null && `${NONE} undefined: ${kind.share.undefined}`,
      some.length > 0 && some.map(({ n, at }) => `in ${at} of ${runs} runs: ${count(n)}`).join(', '),
      kind.pairwise.value !== null &&
        `two runs have ${percent(kind.pairwise.value, 1)} in common: 2 × items in both / (items of one + items of the other), mean over pairs of runs`,
    ]),
  };
}

/** Columns of a list of items with the runs that found each. */
function foundByRun(runs: number): Table['columns'] {
  return [...textColumns('case', 'label'), { title: runsTitle(runs) }, { title: 'text', wraps: true }];
}

function comeAndGoTable(items: readonly ComingAndGoing[], runs: number): Table {
  return {
    columns: foundByRun(runs),
    rows: items.map((item) => [item.case, item.label, runMarks(item.runs), `${quoted(item.text)}${nearText(item)}`]),
  };
}

function nearText({ near }: ComingAndGoing): string {
  return near === null ? '' : ` (other runs: ${near.label} ${quoted(near.text)}, ${near.why})`;
}

function attributeTable({ attributes, undecided }: ItemStability): Table {
  const unsure = attributes.some((one) => one.undecided > 0);
  return {
    columns: [...textColumns('attribute'), ...numberColumns('compared', 'flips', 'share', 'undecided')],
    rows: attributes.map((one) => [
      one.attribute,
      count(one.compared),
      count(one.flips),
      shareText(one.share, one.flips, one.compared),
      count(one.undecided),
    ]),
    remarks: present([
      'compared: items that two or more runs found; flips: two runs give different values',
      unsure && `undecided: the runs differ only in that some say nothing or ${undecided.join(' or ')}`,
    ]),
  };
}

function flipTable(flips: readonly Flip[]): Table {
  return {
    columns: [...textColumns('case', 'label', 'attribute', 'by run'), { title: 'text', wraps: true }],
    rows: flips.map((flip) => [
      flip.case,
      flip.label,
      flip.attribute,
      flip.values.map((value, run) => (flip.found[run] === true ? (value ?? NONE) : ABSENT)).join(', '),
      quoted(flip.text),
    ]),
  };
}

function goldTable(items: readonly GoldItem[], runs: number): Table {
  return {
    columns: foundByRun(runs),
    rows: items.map((item) => [item.case, item.label, runMarks(item.runs), quoted(item.text)]),
  };
}

/** What the marks of the lists mean, those that occur. */
function marksLegend(hasGold: boolean): string {
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

function quoted(text: string): string {
  return `"${text}"`;
}

function shareText(share: Share, part: number, whole: number): string {
  return share.value === null ? NONE : percent(part, whole);
}
