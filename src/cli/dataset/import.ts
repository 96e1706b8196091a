import { count, counted, UsageError } from '../../plugin.ts';
import { type Backend, fieldMap, type Imported, importItems, openStore, rereadable } from '../../experiment.ts';
import { currentVersion, localFolder, PLACE_FLAGS, type PlaceFlags, withBackend } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { watchBytes } from '../progress.ts';
import { taskFlag } from './schema-flags.ts';

const HELP = `
Records that are read as they are:
  {"id": "i1", "input": …, "expected_output": …, "metadata": {…}}
  {"journal_id": "J1", "text": "…"}  with --gold gold.jsonl, or with its items
  {"id": "d1", "text": "…", "spans": […]}  and documents with annotations
Other fields of JSON records, and tables, are mapped with --input, --expected
and --metadata: one column is the input itself, field=COL or several columns
make an object. An empty cell of a table is left out.

An item without an id gets one made from its input: importing it again
changes that item instead of adding one. Nothing is saved if anything is wrong.

Examples:
  $ assay dataset import graph-eval items.jsonl --task graph
  $ assay dataset import diary journals.jsonl --gold gold.jsonl --task journal
  $ assay dataset import letters docs.json --task pii --annotator first
  $ assay dataset import faq faq.csv --id nr --input question --expected answer
  $ assay dataset import docs docs.csv --input document_text=body,lang \\
      --expected graph --json graph --dry-run
  $ assay dataset show a --json | assay dataset import b - --prefix b-`;

export const importCommand = command({
  name: 'import',
  arguments: {
    name: flag.argument('name of the dataset; created if it does not exist'),
    files: flag.someArguments('files, compressed or not; - is standard input'),
  },
  flags: {
    task: taskFlag('task whose item schema the items must match; its own files are read too'),
    gold: flag.inputFile('separate file of expected outputs, joined by id'),
    id: flag.text('<column>', 'column of the id (default: id)'),
    input: flag.text('<columns>', 'columns of the input: COL, COL,COL or field=COL'),
    expected: flag.text('<columns>', 'columns of the expected output, likewise'),
    metadata: flag.text('<columns>', 'columns of metadata (default: all others)'),
    json: flag.text('<columns>', 'columns whose text is JSON'),
    annotator: flag.text('<who>', 'annotator to use if there are several: first, or a name'),
    prefix: flag.text('<text>', 'text to put in front of every id of a file'),
    dryRun: flag.toggle('check everything and report what would happen'),
    quiet: flag.QUIET,
    ...PLACE_FLAGS,
  },
  help: HELP,
  async run({ name, files: paths, dryRun, prefix, task = null, annotator = null, ...flags }, { progress, say }) {
    if ([...paths, flags.gold].filter((path) => path === '-').length > 1)
      throw new UsageError('standard input (-) can be read once only', 'give the other file by name');
    const { id, input, expected, metadata, json } = flags;
    const map = fieldMap({ id, input, expected, metadata, json });
    const sources = await Promise.all(paths.map(rereadable));
    const gold = flags.gold === undefined ? null : await rereadable(flags.gold);
    const watch = watchBytes([...sources, ...(gold === null ? [] : [gold])], progress);
    await withBackend(flags, async (backend) => {
      const others = otherDatasetOf(backend, flags, name);
      const imported = await importItems({
        backend,
        dataset: name,
        files: { sources: sources.map(watch), gold: gold === null ? null : watch(gold), map, task, annotator },
        ...flag.defined({ prefix }),
        dryRun,
        otherDatasetOf: others.find,
        saved: (share) => void progress.at(share, 'saving'),
      }).finally(() => {
        others.close();
        progress.end();
      });
      const version = dryRun
        ? 'Nothing was saved: --dry-run.'
        : `Version ${(await currentVersion(backend, flags, name)).hash}`;
      say(...importLines(name, imported, backend.place, dryRun), version);
    });
  },
});

/** Finds the other dataset that has an item's id; only the local store can do so before anything is saved. */
function otherDatasetOf(
  backend: Backend,
  flags: PlaceFlags,
  name: string,
): { readonly find: (id: string) => string | null; readonly close: () => void } {
  if (backend.kind !== 'local') return { find: () => null, close: () => undefined };
  const store = openStore(localFolder(flags));
  return {
    find: (id) => {
      const found = store.datasets.item(id)?.datasetName ?? null;
      return found === name ? null : found;
    },
    close: () => store.close(),
  };
}

function importLines(name: string, imported: Imported, place: string, dryRun: boolean): string[] {
  const { created, items, made, changed, same, unanswered, notes } = imported;
  const would = dryRun ? 'would be ' : '';
  return [
    ...(created ? [`The dataset ${name} ${dryRun ? 'would be' : 'was'} created in ${place}.`] : []),
    same === items
      ? `${counted(items, 'item')}: all are in ${name} already, unchanged.`
      : `${counted(items, 'item')} ${dryRun ? 'for' : 'in'} ${name}: ${would}${count(made)} created, ${count(changed)} changed, ${count(same)} unchanged`,
    ...(unanswered > 0 ? [`${counted(unanswered, 'item has', 'items have')} no expected output.`] : []),
    ...notes.map(({ note, times }) => `${counted(times, 'record')}: ${note}`),
  ];
}
