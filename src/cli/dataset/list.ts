import { Command } from 'commander';

import type { Backend } from '../../experiment/backend.ts';
import { unfinishedNotice } from '../../experiment/datasets/import-items.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { type Style } from '../../report/style.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import type { DatasetRecord } from '../../store/records.ts';
import { openStore } from '../../store/store.ts';
import { compareText } from '../../text/compare.ts';
import { count } from '../../text/figures.ts';
import { type PlaceFlags, hasLocalStore, isLangfuse, localFolder, placeOptions, withBackend } from '../backend-of.ts';

interface ListFlags extends PlaceFlags {
  readonly archived?: boolean;
  readonly json?: boolean;
}

/** A dataset as it is listed; how many items it has is known where it need not be counted. */
type Listed = DatasetRecord & { readonly items: number | null };

export function listCommand(): Command {
  return placeOptions(
    new Command('list')
      .description('which datasets there are')
      .option('--archived', 'also those that are archived (local store)')
      .option('--json', 'print them as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay dataset list
  $ assay dataset list --json | jq -r '.[].name'`,
    )
    .action(list);
}

async function list(flags: ListFlags): Promise<void> {
  const isLocal = !isLangfuse(flags);
  const all = isLocal ? localDatasets(flags) : await withBackend(flags, serverDatasets);
  if (flags.json === true) {
    process.stdout.write(safeJson(all));
    return;
  }
  if (all.length > 0) process.stdout.write(tableText(all, terminalStyle(process.stdout)));
  else
    process.stdout.write(
      safeText(`There is no dataset in ${isLocal ? localFolder(flags) : 'this project of Langfuse'} yet.`) +
        '\nBegin with: assay dataset import NAME FILE\n',
    );
}

/** Straight from the store, which also knows archived ones and numbers of items. */
function localDatasets(flags: ListFlags): Listed[] {
  if (!hasLocalStore(flags)) return [];
  const store = openStore(localFolder(flags));
  try {
    const all: Listed[] = [];
    for (let page = 1; ; page += 1) {
      const { rows, total } = store.datasets.list({ page, limit: 100 }, { archived: flags.archived === true });
      for (const row of rows)
        all.push({ ...row, items: store.datasets.listItems({ datasetId: row.id }, { page: 1, limit: 1 }).total });
      if (page * 100 >= total) return all.sort((a, b) => compareText(a.name, b.name));
    }
  } finally {
    store.close();
  }
}

async function serverDatasets(backend: Backend): Promise<Listed[]> {
  return (await backend.datasets()).map((dataset) => ({ ...dataset, items: null }));
}

function tableText(all: readonly Listed[], style: Style): string {
  const knowsItems = all.some(({ items }) => items !== null);
  const lines = tableLines(
    [
      { title: 'Dataset', shrinks: true },
      ...(knowsItems ? [{ title: 'items', align: 'right' } as const] : []),
      { title: 'schemas', drop: 2 },
      { title: 'changed', drop: 1 },
      { title: 'about', shrinks: true, drop: 3 },
    ],
    all.map((dataset) => [
      { text: dataset.name, tone: 'strong' },
      ...(knowsItems ? [dataset.items === null ? '' : count(dataset.items)] : []),
      schemasText(dataset),
      dataset.updatedAt.slice(0, 10),
      `${dataset.archived ? 'archived. ' : ''}${dataset.description ?? ''}`,
    ]),
    style,
  );
  const notices = all.flatMap((dataset) => unfinishedNotice(dataset) ?? []);
  return `${[...lines, ...notices.map(safeText)].join('\n')}\n`;
}

export function schemasText({ inputSchema, expectedOutputSchema }: DatasetRecord): string {
  const has = [inputSchema === null ? [] : ['input'], expectedOutputSchema === null ? [] : ['expected']].flat();
  return has.length === 0 ? 'none' : has.join(', ');
}
