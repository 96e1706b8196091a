import { once } from 'node:events';

import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import type { Backend } from '../../experiment/backend.ts';
import { findDataset, findItems, itemLine } from '../../experiment/datasets/find-dataset.ts';
import { unfinishedNotice } from '../../experiment/datasets/import-items.ts';
import { findVersion, itemsOfVersion, versionOf } from '../../experiment/datasets/named-version.ts';
import { definitionList } from '../../report/definition-list.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type Style } from '../../report/style.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import { DatasetHash } from '../../store/dataset-version.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import { count, counted } from '../../text/figures.ts';
import { type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { wholeNumber } from '../whole-number.ts';
import { BEGIN } from './begin.ts';
import { schemasText } from './list.ts';

interface ShowFlags extends PlaceFlags {
  readonly items?: string;
  readonly item?: string;
  readonly archived?: boolean;
  readonly version?: string;
  readonly json?: boolean;
}

const USUAL_ITEMS = 5;
/** A cell shows the beginning: the whole is one --item away. */
const LONGEST_CELL = 200;

export function showCommand(): Command {
  return placeOptions(
    new Command('show')
      .description('what a dataset holds')
      .argument('<name>', 'of the dataset')
      .option('--items <number>', `how many items to show (usual: ${USUAL_ITEMS}; with --json all)`)
      .option('--item <id>', 'one item, all of it')
      .option('--archived', 'also archived items')
      .option('--version <name>', 'items of a named version (also as NAME@VERSION)')
      .option('--json', 'print items as JSON lines, as assay dataset import reads them'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay dataset show graph-eval
  $ assay dataset show graph-eval --item G01
  $ assay dataset show graph-eval --json > graph-eval.jsonl`,
    )
    .action(show);
}

async function show(asked: string, flags: ShowFlags): Promise<void> {
  const most = flags.items === undefined ? null : wholeNumber('--items', flags.items, 0, Number.MAX_SAFE_INTEGER);
  if (most !== null && flags.item !== undefined)
    throw new UsageError('--items and --item are two ways to look', 'give one of them');
  await withExisting(flags, `dataset ${asked}`, BEGIN, async (place) => {
    const { dataset, version: meant } = await findVersion(place, asked);
    const version = flags.version === undefined ? meant : versionOf(dataset, flags.version);
    const { name } = dataset;
    if (version !== null && flags.archived === true)
      throw new UsageError('a version has no archived items', 'leave --archived out');
    const backend =
      version === null
        ? place
        : { ...place, items: () => itemsOfVersion(place, dataset, version), item: async () => null };
    if (flags.item !== undefined) {
      const [item] = await findItems(backend, name, [flags.item]);
      process.stdout.write(safeJson(itemLine(item!), flags.json === true ? 0 : 2));
    } else if (flags.json === true) await printLines(backend, name, most ?? Infinity, flags.archived === true);
    else process.stdout.write(await overview(backend, name, most ?? USUAL_ITEMS, flags.archived === true));
  });
}

async function printLines(backend: Backend, name: string, most: number, archived: boolean): Promise<void> {
  let left = most;
  if (left === 0) return;
  for await (const item of backend.items(name, { archived })) {
    if (!process.stdout.write(safeJson(itemLine(item), 0))) await once(process.stdout, 'drain');
    left -= 1;
    if (left === 0) return;
  }
}

async function overview(backend: Backend, name: string, most: number, archived: boolean): Promise<string> {
  const dataset = await findDataset(backend, name);
  const unfinished = unfinishedNotice(dataset);
  const style = terminalStyle(process.stdout);
  const shown: DatasetItemRecord[] = [];
  const hash = new DatasetHash();
  let put = 0;
  let answered = 0;
  for await (const item of backend.items(name, { archived: true })) {
    if (item.status === 'ARCHIVED') put += 1;
    else {
      hash.add(item);
      if (item.expectedOutput !== null) answered += 1;
    }
    if (shown.length < most && (archived || item.status === 'ACTIVE')) shown.push(item);
  }
  const version = hash.result();
  const facts: (readonly [string, string])[] = [
    ['place', backend.place],
    ...(dataset.description === null ? [] : [['about', dataset.description] as const]),
    [
      'items',
      `${count(version.items)}, ${count(answered)} with an expected output${put > 0 ? `; ${count(put)} archived` : ''}`,
    ],
    ...(unfinished === null ? [] : [['unfinished', unfinished] as const]),
    ['schemas', schemasText(dataset)],
    ...(dataset.metadata === null ? [] : [['metadata', JSON.stringify(dataset.metadata)] as const]),
    ['made', dataset.createdAt],
    ['version', `${version.hash.slice(0, 23)}… (assay dataset version shows all of it)`],
  ];
  const lines = [
    `${style.paint(name, 'strong')}${dataset.archived ? ' (archived)' : ''}`,
    ...definitionList(
      facts.map(([key, value]): [string, string] => [key, safeText(value)]),
      style.width,
    ),
    ...itemTable(shown, style),
    ...(version.items + (archived ? put : 0) > shown.length && shown.length > 0
      ? [
          `… ${counted(shown.length, 'item')} of ${count(version.items + (archived ? put : 0))}; all: assay dataset show ${shellWord(name)} --json`,
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function itemTable(items: readonly DatasetItemRecord[], style: Style): string[] {
  if (items.length === 0) return [];
  const cell = (value: unknown): string =>
    value === null || value === undefined ? '' : (JSON.stringify(value) ?? '').slice(0, LONGEST_CELL);
  const narrow: Style = style.terminal ? style : { ...style, terminal: true };
  return [
    '',
    ...tableLines(
      [
        { title: 'Item', shrinks: true },
        { title: 'input', shrinks: true },
        { title: 'expected', shrinks: true },
      ],
      items.map((item) => [
        item.status === 'ARCHIVED' ? `${item.id} (archived)` : item.id,
        cell(item.input),
        cell(item.expectedOutput),
      ]),
      narrow,
    ),
  ];
}
