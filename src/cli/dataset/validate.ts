import { existsSync } from 'node:fs';

import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import type { Backend } from '../../experiment/backend.ts';
import { findDataset } from '../../experiment/datasets/find-dataset.ts';
import { NO_FIELD_MAP } from '../../experiment/datasets/field-map.ts';
import { type Fault, faultsInDataset, faultsInFile } from '../../experiment/datasets/plan-import.ts';
import { hasSchemas, type ItemSchemas, schemasOf } from '../../experiment/datasets/validate-item.ts';
import { count, counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { hasLocalStore, isLangfuse, type PlaceFlags, placeOptions, withBackend, withExisting } from '../backend-of.ts';
import { BEGIN } from './begin.ts';
import { rereadable } from './json-input.ts';
import { type SchemaFlags, schemaFlags, taskOption } from './schema-flags.ts';

interface ValidateFlags extends PlaceFlags, SchemaFlags {
  readonly gold?: string;
  readonly annotator?: string;
  readonly json?: boolean;
}

/** In text: whoever has more has one cause, not a hundred. */
const MOST_LINES = 100;
const MOST_HELD = 10_000;

export function validateCommand(): Command {
  return placeOptions(
    new Command('validate')
      .description('check every item of a dataset or of a file against its schemas')
      .argument('<name-or-file>', 'a dataset, or a file as assay dataset import reads it')
      .addOption(taskOption('check against the item schema of this task'))
      .option('--input-schema <file>', 'JSON Schema of inputs, instead of the dataset’s')
      .option('--expected-schema <file>', 'JSON Schema of expected outputs, likewise')
      .option('--gold <file>', 'for a file: expected outputs in a file of their own')
      .option('--annotator <who>', 'for a file: whose annotations count where there are several')
      .option('--json', 'print everything as JSON on standard output'),
  )
    .addHelpText('after', HELP)
    .action(validate);
}

const HELP = `
Each problem is one line: the item, the field, what was expected, what is there.
assay schema dataset-graph (-journal, -pii) prints the schemas of the tasks.

Exit codes: 0 nothing is wrong, 2 something is.

Examples:
  $ assay dataset validate graph-eval
  $ assay dataset validate items.jsonl --task graph
  $ assay dataset validate journals.jsonl --gold gold.jsonl --task journal`;

async function validate(target: string, flags: ValidateFlags): Promise<void> {
  const given = await schemaFlags(flags);
  const isFile = await meansFile(target, flags);
  if (!isFile && flags.gold !== undefined) throw new UsageError(`--gold goes with a file, and ${target} is a dataset`);
  const out = new Output(flags.json === true, isFile);
  const checked = isFile
    ? { schemas: given ?? {}, items: await checkFile(target, given ?? {}, flags, out) }
    : await withExisting(flags, `dataset ${target}`, BEGIN, (backend) => checkDataset(backend, target, given, out));
  out.end(target, checked.items, hasSchemas(checked.schemas));
}

async function checkFile(path: string, schemas: ItemSchemas, flags: ValidateFlags, out: Output): Promise<number> {
  const files = {
    sources: [await rereadable(path)],
    gold: flags.gold === undefined ? null : await rereadable(flags.gold),
    map: NO_FIELD_MAP,
    task: flags.task ?? null,
    annotator: flags.annotator ?? null,
  };
  return faultsInFile(files, schemas, (fault) => out.add(fault));
}

async function checkDataset(
  backend: Backend,
  name: string,
  given: ItemSchemas | null,
  out: Output,
): Promise<{ readonly schemas: ItemSchemas; readonly items: number }> {
  const own = schemasOf(await findDataset(backend, name));
  const schemas = given ?? own;
  const items = await faultsInDataset(backend.items(name), schemas, (fault) => out.add(fault));
  return { schemas, items };
}

/** A name that both a file and a dataset have must be said more clearly. */
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

/** What was found, told at the end in the order of the items. */
class Output {
  readonly #json: boolean;
  readonly #isFile: boolean;
  readonly #faults: Fault[] = [];
  readonly #items = new Set<string>();
  #count = 0;

  constructor(json: boolean, isFile: boolean) {
    this.#json = json;
    this.#isFile = isFile;
  }

  add(fault: Fault): void {
    this.#count += 1;
    if (this.#json || this.#faults.length < MOST_HELD) this.#faults.push(fault);
    if (fault.item !== null) this.#items.add(fault.item);
  }

  end(target: string, items: number, hasSchema: boolean): void {
    const faults = inOrder(this.#faults);
    if (this.#json) process.stdout.write(safeJson({ valid: this.#count === 0, items, problems: faults }));
    else process.stdout.write(linesOf(faults, this.#count));
    if (this.#count > 0) {
      const where = this.#isFile ? '' : `${counted(this.#items.size, 'item')} of ${count(items)} in `;
      throw new UsageError(`${counted(this.#count, 'problem')} in ${where}${target}`);
    }
    const how = hasSchema ? '' : ' No schema was given: only their form was checked (--task, --input-schema).';
    const stream = this.#json ? process.stderr : process.stdout;
    stream.write(`${safeText(`${counted(items, 'item')} of ${target}: nothing is wrong.${how}`)}\n`);
  }
}

/** File by file, line by line; files are read in turns. */
function inOrder(faults: readonly Fault[]): Fault[] {
  const files = [...new Set(faults.map(({ file }) => file))];
  return faults.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0));
}

function linesOf(faults: readonly Fault[], total: number): string {
  const lines = faults.slice(0, MOST_LINES).map((fault) => `${safeText(faultLine(fault))}\n`);
  if (total > lines.length) lines.push(`… and ${counted(total - lines.length, 'more problem')}; --json shows all\n`);
  return lines.join('');
}

function faultLine({ file, line, item, field, message, next }: Fault): string {
  const place = [file === null ? null : `${file}${line === null ? '' : `:${line}`}`, item].filter(
    (one) => one !== null,
  );
  return `${place.join(' ')}: ${field === null ? '' : `${field}: `}${message}${next === null ? '' : ` (${next})`}`;
}
