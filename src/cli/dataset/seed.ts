import { describe, InputError, Problems, shellWord, UsageError } from '../../plugin.ts';
import {
  type Backend,
  checkName,
  type Fate,
  type FetchedTrace,
  ITEM_SCHEMAS,
  jsonFile,
  schemasOf,
  type Seed,
  seedFates,
  seedItem,
  type SeedOptions,
} from '../../experiment.ts';
import { currentVersion, FIRST_TRACE, PLACE_FLAGS, withExisting } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { taskFlag } from './schema-flags.ts';

const HELP = `
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

export const seedCommand = command({
  name: 'seed',
  arguments: { name: flag.argument('name of the dataset; created if it does not exist') },
  flags: {
    fromTrace: flag.text('<id>', 'trace to make an item from'),
    trace: flag.texts('<id>', 'another trace'),
    observation: flag.text('<id>', 'observation whose input and output to use instead of those of the trace'),
    output: flag.oneOf(
      ['original', 'corrected'],
      '<which>',
      'output of the trace that is expected (default: the corrected one if there is one)',
    ),
    validated: flag.inputFile('correct output as JSON; - is standard input (default: the output of the trace)'),
    id: flag.text('<id>', 'id of the item (default: made from dataset and trace, so that seeding again adds none)'),
    metadata: flag.object('custom metadata of the item, a JSON object'),
    force: flag.toggle('replace an existing item that was validated or made from another trace'),
    task: taskFlag('task whose item schema the items of a new dataset must match'),
    ...PLACE_FLAGS,
  },
  help: HELP,
  async run({ name, fromTrace, trace, observation, output, id, metadata, force, ...flags }, { say }) {
    checkName('dataset', name);
    const ids = [...new Set([...(fromTrace === undefined ? [] : [fromTrace]), ...trace])];
    if (ids.length === 0 && observation === undefined)
      throw new UsageError(
        'no trace is named',
        'give --from-trace ID, or --observation ID; assay dataset traces lists them',
      );
    for (const [key, value] of Object.entries({ validated: flags.validated, id, observation }))
      if (value !== undefined && ids.length > 1)
        throw new UsageError(`--${key} belongs to one trace, and ${ids.length} are named`, 'seed them one by one');
    const file = flags.validated === undefined ? undefined : await jsonFile(flags.validated);
    const validated = file === undefined ? undefined : { output: file.value, file: file.name };
    await withExisting(flags, 'trace', FIRST_TRACE, async (backend) => {
      const dataset = await backend.dataset(name);
      if (dataset?.archived === true)
        throw new UsageError(
          `the dataset ${name} is archived`,
          `assay dataset restore ${shellWord(name)} brings it back`,
        );
      const task = flags.task === undefined ? null : ITEM_SCHEMAS[flags.task];
      const schemas = dataset === null ? (task ?? {}) : schemasOf(dataset);
      const traces =
        observation === undefined
          ? await Promise.all(ids.map((traceId) => fetched(backend, traceId)))
          : [await fetchedObservation(backend, observation, ids[0])];
      const seeds = seedsOf(traces, { dataset: name, schemas, validated, output, id, metadata });
      const fates = dataset === null ? [] : await seedFates(backend, name, seeds, force);
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
        `Version ${(await currentVersion(backend, flags, name)).hash}`,
      );
    });
  },
});

async function fetched(backend: Backend, id: string): Promise<FetchedTrace> {
  const trace = id.trim() === '' ? null : await backend.trace(id);
  if (trace !== null) return trace;
  throw new UsageError(
    `there is no trace ${describe(id)} in ${backend.place}`,
    backend.kind === 'langfuse'
      ? 'a new trace takes a few seconds to be seen there'
      : 'assay dataset traces NAME lists those of a dataset’s runs',
  );
}

async function fetchedObservation(backend: Backend, id: string, traceId: string | undefined): Promise<FetchedTrace> {
  const observation = id.trim() === '' ? null : await backend.observation(id, traceId);
  if (observation !== null) return observation;
  const where = traceId === undefined ? backend.place : `the trace ${describe(traceId)} in ${backend.place}`;
  throw new UsageError(`there is no observation ${describe(id)} in ${where}`);
}

/** Problems of all of them are reported at once. */
function seedsOf(traces: readonly FetchedTrace[], options: SeedOptions): Seed[] {
  const problems = new Problems();
  const seeds: Seed[] = [];
  for (const trace of traces)
    try {
      seeds.push(seedItem(trace, options));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  problems.throwIfAny();
  return seeds;
}

function seedText(
  { item, expectedFrom, resolved }: Seed,
  fate: Fate,
  trace: FetchedTrace,
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

const FATES: Readonly<Record<Fate, string>> = { made: '', changed: ' was changed', same: ' exists already, unchanged' };
