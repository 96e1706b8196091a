import { Command } from 'commander';

import { count } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import type { ReviewRecord } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import { hasLocalStore, localFolder } from '../backend-of.ts';
import { dataWords } from './data-words.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface ListFlags extends StoreFlags {
  readonly json?: boolean;
}

interface Listed {
  readonly name: string;
  readonly task: string;
  readonly createdAt: string;
  readonly items: number;
  readonly people: number;
  /** Items in queues, and how many of them were committed. */
  readonly assigned: number;
  readonly done: number;
}

export function listCommand(): Command {
  return storeOption(
    new Command('list')
      .description('which reviews there are')
      .option('--json', 'print them as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay review list
  $ assay review list --json | jq -r '.[].name'`,
    )
    .action(list);
}

async function list(flags: ListFlags): Promise<void> {
  const all = hasLocalStore(flags)
    ? await withStore(flags, 'look', (store) => store.reviews.list().map((review) => listed(store, review)))
    : [];
  if (flags.json === true) process.stdout.write(safeJson(all));
  else if (all.length === 0)
    process.stdout.write(
      safeText(`There is no review in ${localFolder(flags)} yet.`) +
        `\nBegin with: assay review create NAME --recipe RECIPE …${dataWords(flags)}\n`,
    );
  else process.stdout.write(`${tableOf(all).join('\n')}\n`);
}

function listed(store: Store, { id, name, task, createdAt }: ReviewRecord): Listed {
  return {
    name,
    task,
    createdAt,
    items: store.reviews.items(id).length,
    people: store.reviews.people(id).length,
    assigned: store.reviews.assignments(id).length,
    done: store.reviews.states(id).filter(({ committed }) => committed).length,
  };
}

function tableOf(all: readonly Listed[]): string[] {
  return tableLines(
    [
      { title: 'Review', shrinks: true },
      { title: 'task', drop: 2 },
      { title: 'items', align: 'right' },
      { title: 'people', align: 'right' },
      { title: 'done', align: 'right' },
      { title: 'made', drop: 1 },
    ],
    all.map(({ name, task, items, people, done, assigned, createdAt }) => [
      { text: name, tone: 'strong' },
      task,
      count(items),
      count(people),
      `${count(done)} of ${count(assigned)}`,
      createdAt.slice(0, 10),
    ]),
    terminalStyle(process.stdout),
  );
}
