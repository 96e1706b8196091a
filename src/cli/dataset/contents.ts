import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { count, plural, type Document, safeJson, shellWord, textColumns, UsageError } from '../../plugin.ts';
import * as experiment from '../../experiment.ts';
import { command, type CommandResult } from '../command.ts';
import * as storage from '../backend-of.ts';
import { schemasText } from './datasets.ts';
import { schemaFlags, schemasOfFlags } from './schema-flags.ts';
import * as flag from '../flags.ts';

const ITEMS_SHOWN = 5;
/** A cell shows the beginning: the whole is one --item away. */
const LONGEST_CELL = 80;

const showCommand = command({
  name: 'show',
  arguments: { name: flag.argument('name of the dataset') },
  flags: {
    items: flag.integer('<number>', `number of items to show (default: ${ITEMS_SHOWN}; with --json all)`, { from: 0 }),
    item: flag.string('<id>', 'item to show in full'),
    archived: flag.toggle('also show archived items'),
    version: flag.string('<name>', 'named version to show (also as NAME@VERSION)'),
    json: flag.toggle('print items as JSON lines, as assay dataset import reads them'),
    ...storage.PLACE_FLAGS,
  },
  help: `
Examples:
  $ assay dataset show graph-eval
  $ assay dataset show graph-eval --item G01
  $ assay dataset show graph-eval --json > graph-eval.jsonl`,
  run({ name: asked, items: most, item: id, archived, json, ...flags }) {
    if (most !== undefined && id !== undefined)
      throw new UsageError('--items and --item exclude each other', 'give one of them');
    return storage.withExisting(
      flags,
      `dataset ${asked}`,
      storage.FIRST_DATASET,
      async (place): Promise<CommandResult> => {
        const { dataset, version: named } = await experiment.findVersion(place, asked);
        const version = flags.version === undefined ? named : experiment.versionOf(dataset, flags.version);
        const { name } = dataset;
        if (version !== null && archived)
          throw new UsageError('a version has no archived items', 'leave --archived out');
        const backend =
          version === null
            ? place
            : { ...place, items: () => experiment.itemsOfVersion(place, dataset, version), item: async () => null };
        if (id !== undefined) {
          const [item] = await experiment.findItems(backend, name, [id]);
          process.stdout.write(safeJson(experiment.itemLine(item!), json ? 0 : 2));
          return {};
        }
        if (json) {
          await printLines(backend, name, most ?? Infinity, archived);
          return {};
        }
        const document = await overview(backend, name, most ?? ITEMS_SHOWN, archived);
        return { document: () => document };
      },
    );
  },
});

async function printLines(backend: experiment.Backend, name: string, most: number, archived: boolean): Promise<void> {
  let left = most;
  if (left === 0) return;
  for await (const item of backend.items(name, { archived })) {
    if (!process.stdout.write(safeJson(experiment.itemLine(item), 0))) await once(process.stdout, 'drain');
    left -= 1;
    if (left === 0) return;
  }
}

async function overview(backend: experiment.Backend, name: string, most: number, archived: boolean): Promise<Document> {
  const dataset = await experiment.findDataset(backend, name);
  const shown: experiment.DatasetItemRecord[] = [];
  const hash = new experiment.DatasetHash();
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
    ...fact('unfinished', experiment.unfinishedNotice(dataset)),
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

/** As text: more than these have one cause, not a hundred. */
const MOST_LINES = 100;
const MOST_HELD = 10_000;

const validateCommand = command({
  name: 'validate',
  arguments: { nameOrFile: flag.argument('dataset, or a file as assay dataset import reads it') },
  flags: {
    ...schemaFlags('task whose item schema to check against, instead of that of the dataset'),
    gold: flag.inputFile('for a file: separate file of expected outputs'),
    annotator: flag.string('<who>', 'for a file: annotator to use if there are several'),
    json: flag.toggle('print everything as JSON on standard output'),
    ...storage.PLACE_FLAGS,
  },
  help: `
Each problem is one line: the item, the field, what was expected, what is there.
assay schema dataset-graph (-journal, -pii) prints the schemas of the tasks.

Exit codes: 0 nothing is wrong, 2 something is.

Examples:
  $ assay dataset validate graph-eval
  $ assay dataset validate items.jsonl --task graph
  $ assay dataset validate journals.jsonl --gold gold.jsonl --task journal`,
  async run({ nameOrFile: target, gold, annotator = null, json, ...flags }, { say }) {
    const named = await schemasOfFlags(flags);
    const isFile = await meansFile(target, flags);
    if (!isFile && gold !== undefined) throw new UsageError(`--gold goes with a file, and ${target} is a dataset`);
    const held: experiment.Fault[] = [];
    const faulty = new Set<string>();
    let total = 0;
    const add = (fault: experiment.Fault): void => {
      total += 1;
      if (json || held.length < MOST_HELD) held.push(fault);
      if (fault.item !== null) faulty.add(fault.item);
    };
    let schemas = named ?? {};
    const items = isFile
      ? await experiment.faultsInFile(
          {
            sources: [await experiment.rereadable(target)],
            gold: gold === undefined ? null : await experiment.rereadable(gold),
            map: experiment.NO_FIELD_MAP,
            task: flags.task ?? null,
            annotator,
          },
          schemas,
          add,
        )
      : await storage.withExisting(flags, `dataset ${target}`, storage.FIRST_DATASET, async (backend) => {
          const dataset = await experiment.findDataset(backend, target);
          schemas = named ?? experiment.schemasOf(dataset);
          return experiment.faultsInDataset(backend.items(target), schemas, add);
        });
    const faults = inOrder(held);
    if (json) process.stdout.write(safeJson({ valid: total === 0, items, problems: faults }));
    if (total > 0) {
      const lines = faults.slice(0, MOST_LINES).map(faultLine);
      if (total > lines.length) lines.push(`… and ${plural(total - lines.length, 'more problem')}; --json shows all`);
      if (!json) say(...lines);
      const where = isFile ? '' : `${plural(faulty.size, 'item')} of ${count(items)} in `;
      throw new UsageError(`${plural(total, 'problem')} in ${where}${target}`);
    }
    const how = experiment.hasSchemas(schemas)
      ? ''
      : ' No schema was given: only their form was checked (--task, --input-schema).';
    say(`${plural(items, 'item')} of ${target}: nothing is wrong.${how}`);
  },
});

/** A name that both a file and a dataset have is ambiguous. */
async function meansFile(target: string, flags: storage.PlaceFlags): Promise<boolean> {
  if (target === '-') return true;
  if (!existsSync(target)) return false;
  if (target.includes('/') || target.includes('\\')) return true;
  const isDataset =
    (storage.isLangfuse(flags) || storage.hasLocalStore(flags)) &&
    (await storage.withBackend(flags, async (backend) => (await backend.dataset(target)) !== null));
  if (isDataset)
    throw new UsageError(`${target} is a dataset and a file`, `write ./${target} for the file, or rename it`);
  return true;
}

/** File by file, line by line; files are read in turns. */
function inOrder(faults: readonly experiment.Fault[]): experiment.Fault[] {
  const files = [...new Set(faults.map(({ file }) => file))];
  return faults.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0));
}

function faultLine({ file, line, item, field, message, next }: experiment.Fault): string {
  const place = [file === null ? null : `${file}${line === null ? '' : `:${line}`}`, item].filter(
    (one) => one !== null,
  );
  return `${place.join(' ')}: ${field === null ? '' : `${field}: `}${message}${next === null ? '' : ` (${next})`}`;
}

export default { show: showCommand, validate: validateCommand };
