import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import type { Backend } from '../../experiment/backend.ts';
import { type FieldFlags, fieldMap } from '../../experiment/datasets/field-map.ts';
import { type Imported, importItems } from '../../experiment/datasets/import-items.ts';
import type { ItemTask } from '../../experiment/datasets/item-schemas.ts';
import type { ItemFiles } from '../../experiment/datasets/read-items.ts';
import { count, counted } from '../../text/figures.ts';
import { safeText } from '../../report/safe-text.ts';
import { type PlaceFlags, placeOptions, withBackend } from '../backend-of.ts';
import { currentVersion } from './current-version.ts';
import { Progress, watchBytes } from '../progress.ts';
import { rereadable } from './json-input.ts';
import { otherDatasetOf } from './other-dataset.ts';
import { taskOption } from './schema-flags.ts';

interface ImportFlags extends PlaceFlags, FieldFlags {
  readonly task?: ItemTask;
  readonly gold?: string;
  readonly annotator?: string;
  readonly prefix?: string;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

export function importCommand(): Command {
  return placeOptions(
    new Command('import')
      .description('bring items of JSON lines, JSON arrays or tables into a dataset')
      .argument('<name>', 'of the dataset; it is made where it is not there')
      .argument('<files...>', 'packed or not; - is standard input')
      .addOption(taskOption('items have to fit the schema of this task, and its own files are understood'))
      .option('--gold <file>', 'expected outputs in a file of their own, joined by the id')
      .option('--id <column>', 'which column holds the id (usual: id)')
      .option('--input <columns>', 'which columns are the input: COL, COL,COL or field=COL')
      .option('--expected <columns>', 'which columns are the expected output, likewise')
      .option('--metadata <columns>', 'which columns are metadata (usual: all others)')
      .option('--json <columns>', 'columns whose text is JSON')
      .option('--annotator <who>', 'whose annotations count where there are several: first, or a name')
      .option('--prefix <text>', 'put before every id that a file gives')
      .option('--dry-run', 'check everything and say what would happen')
      .option('--quiet', 'print nothing but errors'),
  )
    .addHelpText('after', HELP)
    .action(bringIn);
}

const HELP = `
Records that are understood as they are:
  {"id": "i1", "input": …, "expected_output": …, "metadata": {…}}
  {"journal_id": "J1", "text": "…"}  with --gold gold.jsonl, or with its items
  {"id": "d1", "text": "…", "spans": […]}  and documents with annotations
Other fields of JSON records, and tables, are mapped with --input, --expected
and --metadata: one column is the input itself, field=COL or several columns
make an object. An empty cell of a table is left out.

An item without an id gets one that is made from its input: importing again
changes it and makes no second one. Nothing is saved if anything is wrong.

Examples:
  $ assay dataset import graph-eval items.jsonl --task graph
  $ assay dataset import diary journals.jsonl --gold gold.jsonl --task journal
  $ assay dataset import letters docs.json --task pii --annotator first
  $ assay dataset import faq faq.csv --id nr --input question --expected answer
  $ assay dataset import docs docs.csv --input document_text=body,lang \\
      --expected graph --json graph --dry-run
  $ assay dataset show a --json | assay dataset import b - --prefix b-`;

async function bringIn(name: string, paths: readonly string[], flags: ImportFlags): Promise<void> {
  if ([...paths, flags.gold].filter((path) => path === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other file by name');
  const { id, input, expected, metadata, json } = flags;
  const map = fieldMap({ id, input, expected, metadata, json });
  const sources = await Promise.all(paths.map(rereadable));
  const gold = flags.gold === undefined ? null : await rereadable(flags.gold);
  const progress = new Progress(process.stderr, flags.quiet === true);
  const watch = watchBytes([...sources, ...(gold === null ? [] : [gold])], progress);
  await withBackend(flags, async (backend) => {
    const files: ItemFiles = {
      sources: sources.map(watch),
      gold: gold === null ? null : watch(gold),
      map,
      task: flags.task ?? null,
      annotator: flags.annotator ?? null,
    };
    const others = otherDatasetOf(backend, flags, name);
    const done = await importItems({
      backend,
      dataset: name,
      files,
      ...(flags.prefix === undefined ? {} : { prefix: flags.prefix }),
      dryRun: flags.dryRun === true,
      otherDatasetOf: others.find,
      saved: (share) => void progress.at(share, 'saving'),
    }).finally(() => {
      others.close();
      progress.end();
    });
    if (flags.quiet !== true) process.stdout.write(await told(name, done, backend, flags));
  });
}

async function told(name: string, done: Imported, backend: Backend, flags: ImportFlags): Promise<string> {
  const dryRun = flags.dryRun === true;
  const { created, items, made, changed, same, unanswered, notes } = done;
  const lines: string[] = [];
  const would = dryRun ? 'would be ' : '';
  if (created) lines.push(`The dataset ${name} ${dryRun ? 'would be' : 'was'} made in ${backend.place}.`);
  lines.push(
    same === items
      ? `${counted(items, 'item')}: all are in ${name} already, just as they are.`
      : `${counted(items, 'item')} ${dryRun ? 'for' : 'in'} ${name}: ${would}${count(made)} made, ${count(changed)} changed, ${count(same)} same`,
  );
  if (unanswered > 0) lines.push(`${counted(unanswered, 'item has', 'items have')} no expected output.`);
  for (const { note, times } of notes) lines.push(`${counted(times, 'record')}: ${note}`);
  if (dryRun) lines.push('Nothing was saved: --dry-run.');
  else lines.push(`Version ${(await currentVersion(backend, flags, name)).hash}`);
  return `${lines.map(safeText).join('\n')}\n`;
}
