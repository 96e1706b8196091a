import type { Repeats } from '../compare/repeats/repeats.ts';
import { truncate } from './display-width.ts';
import { prose } from './prose.ts';
import { count, counted } from '../text/figures.ts';
import { kindName } from './kind-name.ts';
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
import { safeText } from './safe-text.ts';
import type { Style } from './style.ts';
import { type Cell, tableLines } from './table.ts';

const NARROW = 72;
const LABELS_SHOWN = 12;
const LONGEST_QUOTE = 300;
/** Rows of a list on a terminal; the page and the JSON have all of them. */
export const ROWS_SHOWN = 20;

/** What a person sees after comparing runs: how far the numbers move, what comes and goes, what flips. */
export function repeatsText(repeats: Repeats, style: Style, most = ROWS_SHOWN): string {
  const sections = [
    header(repeats, style),
    repeats.notices.flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
    measures(repeats, style),
    ...items(repeats, style, most),
    gold(repeats, style, most),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function header({ recipe, runs, cases }: Repeats, style: Style): string[] {
  const what = `${counted(runs.length, 'run')} of one system on ${counted(cases.compared, 'case')}`;
  const width = String(runs.length).length;
  return [
    `${style.paint(recipe, 'strong')}  ${style.paint(what)}`,
    ...runs.map(({ name }, at) => `  ${String(at + 1).padStart(width)}  ${style.paint(name)}`),
  ];
}

function measures(repeats: Repeats, style: Style): string[] {
  if (repeats.noMeasures !== null) return prose(`No measures: ${repeats.noMeasures}.`, style);
  return [
    ...tableText(measureTable(repeats, style.width < NARROW), style),
    ...(repeats.meaning === null ? [] : ['', ...prose(repeats.meaning, style)]),
  ];
}

function items({ items: found, noItems, runs, gold: known }: Repeats, style: Style, most: number): string[][] {
  if (found === null) return [prose(`Items were not followed: ${noItems ?? ''}.`, style)];
  const total = found.kinds.reduce((sum, kind) => sum + kind.items, 0);
  const names = found.kinds.map(({ kind }) => kindName(kind)).join(' and ');
  const { comeAndGo, flips } = found;
  return [
    ...found.kinds.map((kind) => tableText(stabilityTable(kind), style, LABELS_SHOWN)),
    comeAndGo.length === 0
      ? total === 0
        ? []
        : [style.paint(`No ${names} come and go: all ${count(total)} are in every run`, 'strong')]
      : [
          style.paint(`Come and go: ${count(comeAndGo.length)} of ${count(total)} ${names}`, 'strong'),
          ...listText(comeAndGoTable(comeAndGo, runs.length), style, most),
          `  ${style.paint(marksLegend(known !== null), 'quiet')}`,
        ],
    found.attributes.length === 0 || total === 0 ? [] : tableText(attributeTable(found), style),
    ...(['flip', 'undecided'] as const).map((change) => {
      const own = flips.filter((flip) => flip.change === change);
      if (own.length === 0) return [];
      const title = change === 'flip' ? `Flips: ${count(own.length)}` : `Undecided in some runs: ${count(own.length)}`;
      return [style.paint(title, 'strong'), ...listText(flipTable(own), style, most)];
    }),
  ];
}

function gold({ gold: found, runs }: Repeats, style: Style, most: number): string[] {
  if (found === null) return [];
  const { always, sometimes, never, excused } = found.counts;
  const parts = [
    `${count(always)} found in every run`,
    `${count(sometimes)} in some`,
    `${count(never)} in none`,
    ...(excused > 0 ? [`${count(excused)} excused`] : []),
    ...(found.notInEveryRun > 0 ? [`${count(found.notInEveryRun)} not in the gold of every run, left out`] : []),
  ];
  const some = found.items.filter((item) => item.found === 'sometimes');
  return [
    `${style.paint('Gold items', 'strong')}  ${style.paint(parts.join(', '))}`,
    ...(some.length === 0 ? [] : listText(goldTable(some, runs.length), style, most)),
  ];
}

function tableText({ columns, rows, remarks }: RepeatsTable, style: Style, most = Infinity): string[] {
  const shown = rows.slice(0, rows.length > most + 1 ? most : undefined);
  const cells = shown.map((row): Cell[] => row.map((cell, at) => (at === 0 ? `  ${cell}` : cell)));
  const rest = rows.length - shown.length;
  const below = [...(rest > 0 ? [`… and ${count(rest)} more with fewer items`] : []), ...remarks];
  return [...tableLines(columns, cells, style), ...below.flatMap((text) => prose(text, style, '  ', '  ', 'quiet'))];
}

/** A list whose last columns are running text, which takes the rest of the line and wraps. */
function listText({ columns, rows, prose: last = 1 }: RepeatsTable, style: Style, most: number): string[] {
  const shown = rows.slice(0, rows.length > most + 1 ? most : undefined);
  const cells = shown.map((row): Cell[] => {
    const text = row.slice(-last).join(': ');
    return [...row.slice(0, -last), { span: truncate(safeText(text), LONGEST_QUOTE) }];
  });
  const rest = rows.length - shown.length;
  return [
    ...tableLines(columns.slice(0, columns.length + 1 - last), cells, style, '  '),
    ...(rest > 0 ? [`  ${style.paint(`… and ${count(rest)} more: --limit, --markdown FILE or --json`, 'quiet')}`] : []),
  ];
}
