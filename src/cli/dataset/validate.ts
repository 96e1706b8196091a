import { existsSync } from 'node:fs';

import { count, counted, safeJson, UsageError } from '../../plugin.ts';
import {
  type Fault,
  faultsInDataset,
  faultsInFile,
  findDataset,
  hasSchemas,
  NO_FIELD_MAP,
  rereadable,
  schemasOf,
} from '../../experiment.ts';
import {
  FIRST_DATASET,
  hasLocalStore,
  isLangfuse,
  PLACE_FLAGS,
  type PlaceFlags,
  withBackend,
  withExisting,
} from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { schemaFlags, schemasOfFlags } from './schema-flags.ts';

/** As text: more than these have one cause, not a hundred. */
const MOST_LINES = 100;
const MOST_HELD = 10_000;

export const validateCommand = command({
  name: 'validate',
  arguments: { nameOrFile: flag.argument('dataset, or a file as assay dataset import reads it') },
  flags: {
    ...schemaFlags('task whose item schema to check against, instead of that of the dataset'),
    gold: flag.inputFile('for a file: separate file of expected outputs'),
    annotator: flag.text('<who>', 'for a file: annotator to use if there are several'),
    json: flag.toggle('print everything as JSON on standard output'),
    ...PLACE_FLAGS,
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
    const held: Fault[] = [];
    const faulty = new Set<string>();
    let total = 0;
    const add = (fault: Fault): void => {
      total += 1;
      if (json || held.length < MOST_HELD) held.push(fault);
      if (fault.item !== null) faulty.add(fault.item);
    };
    let schemas = named ?? {};
    const items = isFile
      ? await faultsInFile(
          {
            sources: [await rereadable(target)],
            gold: gold === undefined ? null : await rereadable(gold),
            map: NO_FIELD_MAP,
            task: flags.task ?? null,
            annotator,
          },
          schemas,
          add,
        )
      : await withExisting(flags, `dataset ${target}`, FIRST_DATASET, async (backend) => {
          const dataset = await findDataset(backend, target);
          schemas = named ?? schemasOf(dataset);
          return faultsInDataset(backend.items(target), schemas, add);
        });
    const faults = inOrder(held);
    if (json) process.stdout.write(safeJson({ valid: total === 0, items, problems: faults }));
    if (total > 0) {
      const lines = faults.slice(0, MOST_LINES).map(faultLine);
      if (total > lines.length) lines.push(`… and ${counted(total - lines.length, 'more problem')}; --json shows all`);
      if (!json) say(...lines);
      const where = isFile ? '' : `${counted(faulty.size, 'item')} of ${count(items)} in `;
      throw new UsageError(`${counted(total, 'problem')} in ${where}${target}`);
    }
    const how = hasSchemas(schemas)
      ? ''
      : ' No schema was given: only their form was checked (--task, --input-schema).';
    say(`${counted(items, 'item')} of ${target}: nothing is wrong.${how}`);
  },
});

/** A name that both a file and a dataset have is ambiguous. */
async function meansFile(target: string, flags: PlaceFlags): Promise<boolean> {
  if (target === '-') return true;
  if (!existsSync(target)) return false;
  if (target.includes('/') || target.includes('\\')) return true;
  const isDataset =
    (isLangfuse(flags) || hasLocalStore(flags)) &&
    (await withBackend(flags, async (backend) => (await backend.dataset(target)) !== null));
  if (isDataset)
    throw new UsageError(`${target} is a dataset and a file`, `write ./${target} for the file, or rename it`);
  return true;
}

/** File by file, line by line; files are read in turns. */
function inOrder(faults: readonly Fault[]): Fault[] {
  const files = [...new Set(faults.map(({ file }) => file))];
  return faults.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0));
}

function faultLine({ file, line, item, field, message, next }: Fault): string {
  const place = [file === null ? null : `${file}${line === null ? '' : `:${line}`}`, item].filter(
    (one) => one !== null,
  );
  return `${place.join(' ')}: ${field === null ? '' : `${field}: `}${message}${next === null ? '' : ` (${next})`}`;
}
