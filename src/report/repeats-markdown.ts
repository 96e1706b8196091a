import type { Repeats } from '../compare/repeats/repeats.ts';
import { count, counted, figure } from '../text/figures.ts';
import { markdownTable, markdownText } from './markdown-text.ts';
import {
  attributeTable,
  comeAndGoTable,
  flipTable,
  goldTable,
  marksLegend,
  measureTable,
  type RepeatsTable,
  stabilityTable,
} from './repeats-tables.ts';

/** Rows of a list on a page; the JSON has all of them. */
const MOST_ROWS = 1000;

/** The comparison of repeated runs on a page. It holds no time, so the same runs give the same bytes. */
export function repeatsMarkdown(repeats: Repeats): string {
  const { recipe, runs, cases, notices } = repeats;
  const parts = [
    `# Repeated runs: ${markdownText(recipe)}`,
    markdownText(`${counted(runs.length, 'run')} of one system on ${counted(cases.compared, 'case')}.`),
    ...(notices.length === 0
      ? []
      : ['**Before you read the numbers**', notices.map((notice) => `- ${markdownText(notice)}`).join('\n')]),
    ...measureParts(repeats),
    ...itemParts(repeats),
    ...goldParts(repeats),
    ...leftOutParts(repeats),
  ];
  return `${parts.join('\n\n')}\n`;
}

function measureParts(repeats: Repeats): string[] {
  const { runs, measures, noMeasures, meaning } = repeats;
  const numbers = runs.map((_, at) => String(at + 1));
  if (noMeasures !== null) return [runTable(repeats), markdownText(`No measures: ${noMeasures}.`)];
  const values = measures.map(({ name, values: own }) => [
    name,
    ...own.map(({ value }) => (value === null ? '–' : figure(value))),
  ]);
  return [
    '## Measures',
    ...(meaning === null ? [] : [markdownText(meaning)]),
    ...page(measureTable(repeats)),
    '### By run',
    runTable(repeats),
    markdownTable(['measure', ...numbers], ['left', ...numbers.map(() => 'right' as const)], values),
  ];
}

function runTable({ runs }: Repeats): string {
  return markdownTable(
    ['', 'run', 'cases', 'failed', 'unanswered'],
    ['right', 'left', 'right', 'right', 'right'],
    runs.map((run, at) => [String(at + 1), run.name, count(run.cases), count(run.failed), count(run.unanswered)]),
  );
}

function itemParts({ items, noItems, runs, gold }: Repeats): string[] {
  if (items === null) return [markdownText(`Items were not followed: ${noItems ?? ''}.`)];
  const { kinds, comeAndGo, flips, attributes } = items;
  const outright = flips.filter(({ change }) => change === 'flip');
  const unsure = flips.filter(({ change }) => change === 'undecided');
  return [
    '## Stability of items',
    ...kinds.flatMap((kind) => page(stabilityTable(kind))),
    ...(comeAndGo.length === 0
      ? []
      : ['### Come and go', marksLegend(gold !== null), ...page(comeAndGoTable(comeAndGo, runs.length))]),
    ...(attributes.length === 0 ? [] : ['## Flips', ...page(attributeTable(items))]),
    ...(outright.length === 0 ? [] : ['### Values that flip', ...page(flipTable(outright))]),
    ...(unsure.length === 0 ? [] : ['### Undecided in some runs', ...page(flipTable(unsure))]),
  ];
}

function goldParts({ gold, runs }: Repeats): string[] {
  if (gold === null) return [];
  const { always, sometimes, never, excused } = gold.counts;
  const listed = gold.items.filter(({ found }) => found === 'sometimes' || found === 'never');
  return [
    '## Gold items',
    markdownText(
      `${count(always)} found in every run, ${count(sometimes)} in some, ${count(never)} in none${excused > 0 ? `, ${count(excused)} excused` : ''}.`,
    ),
    ...(gold.notInEveryRun > 0 ? [`${count(gold.notInEveryRun)} are not in the gold of every run and left out.`] : []),
    ...(listed.length === 0 ? [] : page(goldTable(listed, runs.length))),
  ];
}

function leftOutParts({ cases: { leftOut } }: Repeats): string[] {
  if (leftOut.length === 0) return [];
  return [
    '## Cases left out',
    ...page({
      columns: [{ title: 'case' }, { title: 'because' }],
      rows: leftOut.map(({ case: id, because }) => [id, because]),
      remarks: [],
    }),
  ];
}

function page({ columns, rows, remarks }: RepeatsTable): string[] {
  const left = rows.length - MOST_ROWS;
  return [
    markdownTable(
      columns.map(({ title }) => title),
      columns.map(({ align }) => align ?? 'left'),
      rows.slice(0, MOST_ROWS),
    ),
    ...(left > 0 ? [`… and ${count(left)} more in the JSON.`] : []),
    ...(remarks.length === 0 ? [] : [remarks.map((remark) => `- ${markdownText(remark)}`).join('\n')]),
  ];
}
