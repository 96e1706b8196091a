import { once } from 'node:events';

import { count, type Document, safeJson, shellWord, textColumns, UsageError } from '../../plugin.ts';
import {
  type Backend,
  DatasetHash,
  type DatasetItemRecord,
  findDataset,
  findItems,
  findVersion,
  itemLine,
  itemsOfVersion,
  unfinishedNotice,
  versionOf,
} from '../../experiment.ts';
import { FIRST_DATASET, PLACE_FLAGS, withExisting } from '../backend-of.ts';
import { command, type Outcome } from '../command.ts';
import * as flag from '../flags.ts';
import { schemasText } from './list.ts';

const ITEMS_SHOWN = 5;
/** A cell shows the beginning: the whole is one --item away. */
const LONGEST_CELL = 80;

export const showCommand = command({
  name: 'show',
  arguments: { name: flag.argument('name of the dataset') },
  flags: {
    items: flag.integer('<number>', `number of items to show (default: ${ITEMS_SHOWN}; with --json all)`, { from: 0 }),
    item: flag.text('<id>', 'item to show in full'),
    archived: flag.toggle('also show archived items'),
    version: flag.text('<name>', 'named version to show (also as NAME@VERSION)'),
    json: flag.toggle('print items as JSON lines, as assay dataset import reads them'),
    ...PLACE_FLAGS,
  },
  help: `
Examples:
  $ assay dataset show graph-eval
  $ assay dataset show graph-eval --item G01
  $ assay dataset show graph-eval --json > graph-eval.jsonl`,
  run({ name: asked, items: most, item: id, archived, json, ...flags }) {
    if (most !== undefined && id !== undefined)
      throw new UsageError('--items and --item exclude each other', 'give one of them');
    return withExisting(flags, `dataset ${asked}`, FIRST_DATASET, async (place): Promise<Outcome> => {
      const { dataset, version: named } = await findVersion(place, asked);
      const version = flags.version === undefined ? named : versionOf(dataset, flags.version);
      const { name } = dataset;
      if (version !== null && archived) throw new UsageError('a version has no archived items', 'leave --archived out');
      const backend =
        version === null
          ? place
          : { ...place, items: () => itemsOfVersion(place, dataset, version), item: async () => null };
      if (id !== undefined) {
        const [item] = await findItems(backend, name, [id]);
        process.stdout.write(safeJson(itemLine(item!), json ? 0 : 2));
        return {};
      }
      if (json) {
        await printLines(backend, name, most ?? Infinity, archived);
        return {};
      }
      const document = await overview(backend, name, most ?? ITEMS_SHOWN, archived);
      return { document: () => document };
    });
  },
});

async function printLines(backend: Backend, name: string, most: number, archived: boolean): Promise<void> {
  let left = most;
  if (left === 0) return;
  for await (const item of backend.items(name, { archived })) {
    if (!process.stdout.write(safeJson(itemLine(item), 0))) await once(process.stdout, 'drain');
    left -= 1;
    if (left === 0) return;
  }
}

async function overview(backend: Backend, name: string, most: number, archived: boolean): Promise<Document> {
  const dataset = await findDataset(backend, name);
  const shown: DatasetItemRecord[] = [];
  const hash = new DatasetHash();
  let archivedItems = 0;
  let answered = 0;
  for await (const item of backend.items(name, { archived: true })) {
    if (item.status === 'ARCHIVED') archivedItems += 1;
    else {
      hash.add(item);
      if (item.expectedOutput !== null) answered += 1;
    }
    if (shown.length < most && (archived || item.status === 'ACTIVE')) shown.push(item);
  }
  const version = hash.result();
  const fact = (term: string, value: string | null): [string, string][] => (value === null ? [] : [[term, value]]);
  const aside = archivedItems > 0 ? `; ${count(archivedItems)} archived` : '';
  const items = `${count(version.items)}, ${count(answered)} with an expected output${aside}`;
  const facts = [
    ...fact('place', backend.place),
    ...fact('description', dataset.description),
    ...fact('items', items),
    ...fact('unfinished', unfinishedNotice(dataset)),
    ...fact('schemas', schemasText(dataset)),
    ...fact('metadata', dataset.metadata === null ? null : JSON.stringify(dataset.metadata)),
    ...fact('created', dataset.createdAt),
    ...fact('version', `${version.hash.slice(0, 23)}… (assay dataset version shows all of it)`),
  ];
  const cell = (value: unknown): string =>
    value === null || value === undefined ? '' : (JSON.stringify(value) ?? '').slice(0, LONGEST_CELL);
  return {
    title: name,
    ...(dataset.archived ? { about: '(archived)' } : {}),
    sections: [
      { blocks: [{ columns: [{ title: '' }, { title: '', wraps: true }], rows: facts }] },
      {
        blocks: [
          {
            columns: textColumns('Item', 'input', 'expected'),
            rows: shown.map(({ status, id, input, expectedOutput }) => [
              status === 'ARCHIVED' ? `${id} (archived)` : id,
              cell(input),
              cell(expectedOutput),
            ]),
            total: version.items + (archived ? archivedItems : 0),
            rest: `: assay dataset show ${shellWord(name)} --json shows all`,
          },
        ],
      },
    ],
  };
}
