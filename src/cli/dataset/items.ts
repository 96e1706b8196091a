import { plural, describe, InputError, Problems, shellWord, UsageError } from '../../plugin.ts';
import * as experiment from '../../experiment.ts';
import { command } from '../command.ts';
import { watchBytes } from '../progress.ts';
import * as storage from '../backend-of.ts';
import { taskFlag } from './schema-flags.ts';
import * as flag from '../flags.ts';

const IMPORT_HELP = `
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

const importCommand = command({
  name: 'import',
  arguments: {
    name: flag.argument('name of the dataset; created if it does not exist'),
    files: flag.someArguments('files, compressed or not; - is standard input'),
  },
  flags: {
    task: taskFlag('task whose item schema the items must match; its own files are read too'),
    gold: flag.inputFile('separate file of expected outputs, joined by id'),
    id: flag.string('<column>', 'column of the id (default: id)'),
    input: flag.string('<columns>', 'columns of the input: COL, COL,COL or field=COL'),
    expected: flag.string('<columns>', 'columns of the expected output, likewise'),
    metadata: flag.string('<columns>', 'columns of metadata (default: all others)'),
    json: flag.string('<columns>', 'columns whose text is JSON'),
    annotator: flag.string('<who>', 'annotator to use if there are several: first, or a name'),
    prefix: flag.string('<text>', 'text to put in front of every id of a file'),
    dryRun: flag.toggle('check everything and report what would happen'),
    quiet: flag.QUIET,
    ...storage.PLACE_FLAGS,
  },
  help: IMPORT_HELP,
  async run({ name, files: paths, dryRun, prefix, task = null, annotator = null, ...flags }, { progress, say }) {
    if ([...paths, flags.gold].filter((path) => path === '-').length > 1)
      throw new UsageError('standard input (-) can be read once only', 'give the other file by name');
    const { id, input, expected, metadata, json } = flags;
    const map = experiment.fieldMap({ id, input, expected, metadata, json });
    const sources = await Promise.all(paths.map(experiment.rereadable));
    const gold = flags.gold === undefined ? null : await experiment.rereadable(flags.gold);
    const watch = watchBytes([...sources, ...(gold === null ? [] : [gold])], progress);
    const files = { sources: sources.map(watch), gold: gold === null ? null : watch(gold), map, task, annotator };
    const options = { dataset: name, files, ...flag.defined({ prefix }) };
    // Files that cannot be imported begin no store.
    const isNew = !storage.isLangfuse(flags) && !storage.hasLocalStore(flags);
    const looked = isNew
      ? await storage.withLook(flags, (backend) => experiment.importItems({ ...options, backend, dryRun: true }))
      : null;
    progress.end();
    if (looked !== null && dryRun) return say(...importLines(name, looked, storage.localFolder(flags), dryRun));
    await storage.withBackend(flags, async (backend) => {
      const saved = (share: number): void => void progress.at(share, 'saving');
      const imported = await experiment
        .importItems({ ...options, backend, dryRun, saved })
        .finally(() => progress.end());
      const lines = importLines(name, imported, backend.place, dryRun);
      say(...lines, ...(dryRun ? [] : [`Version ${(await storage.currentVersion(backend, flags, name)).hash}`]));
    });
  },
});

function importLines(name: string, imported: experiment.Imported, place: string, dryRun: boolean): string[] {
  const { created, unanswered } = imported;
  return [
    ...(created ? [`The dataset ${name} ${dryRun ? 'would be' : 'was'} created in ${place}.`] : []),
    ...experiment.importTexts(name, imported, dryRun),
    ...(unanswered > 0 ? [`${plural(unanswered, 'item has', 'items have')} no expected output.`] : []),
    ...(dryRun ? ['Nothing was saved: --dry-run.'] : []),
  ];
}

const SEED_HELP = `
Look at the output before you seed it: every later run is measured against
it. If it is wrong, pass the right one with --validated, or correct
it in Langfuse: a "Corrected output" is taken instead of the original. An output
that the dataset's schema refuses is refused, with what is wrong with it. In the
output of a graph pipeline, references become names.

The item links back: source_trace_id, and metadata.expected_from shows whether
the expected output is the trace's own, a corrected or a validated one.

Examples:
  $ assay dataset traces graph-eval          lists the traces
  $ assay dataset seed graph-eval --from-trace 4bf92f3577b34da6a3ce929d0e0e4736
  $ assay dataset seed graph-eval --observation 00f067aa0ba902b7
  $ assay dataset seed graph-eval --from-trace 4bf9… --validated right.json
  $ jq .right review.json | assay dataset seed graph-eval --from-trace 4bf9… \\
      --validated - --metadata '{"difficulty":"hard"}'`;

const seedCommand = command({
  name: 'seed',
  arguments: { name: flag.argument('name of the dataset; created if it does not exist') },
  flags: {
    fromTrace: flag.string('<id>', 'trace to make an item from'),
    trace: flag.strings('<id>', 'another trace'),
    observation: flag.string('<id>', 'observation whose input and output to use instead of those of the trace'),
    output: flag.choice(
      ['original', 'corrected'],
      '<which>',
      'output of the trace that is expected (default: the corrected one if there is one)',
    ),
    validated: flag.inputFile('correct output as JSON; - is standard input (default: the output of the trace)'),
    id: flag.string('<id>', 'id of the item (default: made from dataset and trace, so that seeding again adds none)'),
    metadata: flag.object('custom metadata of the item, a JSON object'),
    force: flag.toggle('replace an existing item that was validated or made from another trace'),
    task: taskFlag('task whose item schema the items of a new dataset must match'),
    ...storage.PLACE_FLAGS,
  },
  help: SEED_HELP,
  async run({ name, fromTrace, trace, observation, output, id, metadata, force, ...flags }, { say }) {
    experiment.checkName('dataset', name);
    const ids = [...new Set([...(fromTrace === undefined ? [] : [fromTrace]), ...trace])];
    if (ids.length === 0 && observation === undefined)
      throw new UsageError(
        'no trace is named',
        'give --from-trace ID, or --observation ID; assay dataset traces lists them',
      );
    for (const [key, value] of Object.entries({ validated: flags.validated, id, observation }))
      if (value !== undefined && ids.length > 1)
        throw new UsageError(`--${key} belongs to one trace, and ${ids.length} are named`, 'seed them one by one');
    const file = flags.validated === undefined ? undefined : await experiment.jsonFile(flags.validated);
    const validated = file === undefined ? undefined : { output: file.value, file: file.name };
    await storage.withExisting(flags, 'trace', storage.FIRST_TRACE, async (backend) => {
      const dataset = await backend.dataset(name);
      if (dataset?.archived === true)
        throw new UsageError(
          `the dataset ${name} is archived`,
          `assay dataset restore ${shellWord(name)} brings it back`,
        );
      const task = flags.task === undefined ? null : experiment.ITEM_SCHEMAS[flags.task];
      const schemas = dataset === null ? (task ?? {}) : experiment.schemasOf(dataset);
      const traces =
        observation === undefined
          ? await Promise.all(ids.map((traceId) => fetched(backend, traceId)))
          : [await fetchedObservation(backend, observation, ids[0])];
      const seeds = seedsOf(traces, { dataset: name, schemas, validated, output, id, metadata });
      await experiment.refuseSeeds(backend, name, dataset === null, seeds);
      const fates = dataset === null ? [] : await experiment.seedFates(backend, name, seeds, force);
      if (dataset === null)
        await backend.saveDataset({
          name,
          ...(task === null ? {} : { inputSchema: task.input, expectedOutputSchema: task.expectedOutput }),
        });
      await backend.saveItems(
        name,
        seeds.map(({ item }) => item),
      );
      say(
        ...(dataset === null ? [`The dataset ${name} was created in ${backend.place}.`] : []),
        ...seeds.map((seed, at) => seedText(seed, fates[at] ?? 'made', traces[at]!, file?.name)),
        `Look at it: assay dataset show ${shellWord(name)} --item ${shellWord(seeds[0]!.item.id)}`,
        `Version ${(await storage.currentVersion(backend, flags, name)).hash}`,
      );
    });
  },
});

async function fetched(backend: experiment.Backend, id: string): Promise<experiment.FetchedTrace> {
  const trace = id.trim() === '' ? null : await backend.trace(id);
  if (trace !== null) return trace;
  throw new UsageError(
    `there is no trace ${describe(id)} in ${backend.place}`,
    backend.kind === 'langfuse'
      ? 'a new trace takes a few seconds to be seen there'
      : 'assay dataset traces NAME lists those of a dataset’s runs',
  );
}

async function fetchedObservation(
  backend: experiment.Backend,
  id: string,
  traceId: string | undefined,
): Promise<experiment.FetchedTrace> {
  const observation = id.trim() === '' ? null : await backend.observation(id, traceId);
  if (observation !== null) return observation;
  const where = traceId === undefined ? backend.place : `the trace ${describe(traceId)} in ${backend.place}`;
  throw new UsageError(`there is no observation ${describe(id)} in ${where}`);
}

/** Problems of all of them are reported at once. */
function seedsOf(traces: readonly experiment.FetchedTrace[], options: experiment.SeedOptions): experiment.Seed[] {
  const problems = new Problems();
  const seeds: experiment.Seed[] = [];
  for (const trace of traces)
    try {
      seeds.push(experiment.seedItem(trace, options));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  problems.throwIfAny();
  return seeds;
}

function seedText(
  { item, expectedFrom, resolved }: experiment.Seed,
  fate: experiment.Fate,
  trace: experiment.FetchedTrace,
  file: string | undefined,
): string {
  const froms = {
    trace: 'its own output, taken as validated',
    corrected: 'its corrected output (--output original takes the other)',
    validated: `the output in ${file ?? 'the file'}`,
  };
  const how = resolved ? '; references became names' : '';
  const what = trace.observationId === null ? `trace ${trace.id}` : `observation ${trace.observationId}`;
  return `${item.id}${FATES[fate]}: input of ${what}; expected: ${froms[expectedFrom]}${how}`;
}

const FATES: Readonly<Record<experiment.Fate, string>> = {
  made: '',
  changed: ' was changed',
  same: ' exists already, unchanged',
};

export default { import: importCommand, seed: seedCommand };
