import { Command, Option } from 'commander';

import { InputError, Problems, UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import type { Backend, FetchedTrace } from '../../experiment/backend.ts';
import { ITEM_SCHEMAS, type ItemTask } from '../../experiment/datasets/item-schemas.ts';
import { checkName } from '../../experiment/datasets/names.ts';
import type { Fate } from '../../experiment/datasets/plan-import.ts';
import { type Seed, seedFates, seedItem, type SeedOptions } from '../../experiment/datasets/seed-item.ts';
import { schemasOf } from '../../experiment/datasets/validate-item.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { currentVersion } from './current-version.ts';
import { jsonFile, objectFlag } from './json-input.ts';
import { repeated } from './repeated.ts';
import { taskOption } from './schema-flags.ts';

interface SeedFlags extends PlaceFlags {
  readonly fromTrace?: string;
  readonly trace?: readonly string[];
  readonly observation?: string;
  readonly output?: 'original' | 'corrected';
  readonly validated?: string;
  readonly id?: string;
  readonly metadata?: string;
  readonly task?: ItemTask;
  readonly force?: boolean;
}

export function seedCommand(): Command {
  return placeOptions(
    new Command('seed')
      .description('make an item of a trace: its input, and its validated output as what is expected')
      .argument('<name>', 'of the dataset; it is made where it is not there')
      .option('--from-trace <id>', 'the trace')
      .addOption(repeated('--trace <id>', 'another trace; may be given again'))
      .option('--observation <id>', 'one observation instead of the whole trace: its input and output')
      .addOption(
        new Option(
          '--output <which>',
          'output of the trace that is expected (default: the corrected one if there is one)',
        ).choices(['original', 'corrected']),
      )
      .option('--validated <file>', 'the right output as JSON; - is standard input (default: the output of the trace)')
      .option('--id <id>', 'of the item (default: made from dataset and trace, so that seeding again makes no second)')
      .option('--metadata <json>', 'an object of your own for the item')
      .option('--force', 'replace an item that is there and was not made of this trace, or was validated')
      .addOption(taskOption('for a dataset that is to be made: items have to fit the schema of this task')),
  )
    .addHelpText('after', HELP)
    .action(seed);
}

const HELP = `
Look at the output before you seed it: it becomes what every later run is
measured by. If it is wrong, pass the right one with --validated, or correct
it in Langfuse: a "Corrected output" is taken instead of the original. An output
that the dataset's schema refuses is refused, with what is wrong with it. In the
output of a graph pipeline, references become names.

The item links back: source_trace_id, and metadata.expected_from shows whether
the expected output is the trace's own, a corrected or a validated one.

Examples:
  $ assay dataset traces graph-eval          which traces there are
  $ assay dataset seed graph-eval --from-trace 4bf92f3577b34da6a3ce929d0e0e4736
  $ assay dataset seed graph-eval --observation 00f067aa0ba902b7
  $ assay dataset seed graph-eval --from-trace 4bf9… --validated right.json
  $ jq .right review.json | assay dataset seed graph-eval --from-trace 4bf9… \\
      --validated - --metadata '{"difficulty":"hard"}'`;

async function seed(name: string, flags: SeedFlags): Promise<void> {
  checkName('dataset', name);
  const ids = [...new Set([...(flags.fromTrace === undefined ? [] : [flags.fromTrace]), ...(flags.trace ?? [])])];
  if (ids.length === 0 && flags.observation === undefined)
    throw new UsageError(
      'no trace is named',
      'give --from-trace ID, or --observation ID; assay dataset traces lists them',
    );
  for (const [flag, value] of [
    ['--validated', flags.validated],
    ['--id', flags.id],
    ['--observation', flags.observation],
  ])
    if (value !== undefined && ids.length > 1)
      throw new UsageError(`${flag!} belongs to one trace, and ${ids.length} are named`, 'seed them one by one');
  const metadata = flags.metadata === undefined ? undefined : objectFlag('--metadata', flags.metadata);
  const given = flags.validated === undefined ? undefined : await jsonFile(flags.validated);
  const validated = given === undefined ? undefined : { output: given.value, file: given.name };
  await withExisting(flags, 'trace', 'run an experiment, or send traces to assay serve, first', async (backend) => {
    const dataset = await backend.dataset(name);
    if (dataset?.archived === true)
      throw new UsageError(
        `the dataset ${name} is archived`,
        `assay dataset restore ${shellWord(name)} brings it back`,
      );
    const task = flags.task === undefined ? null : ITEM_SCHEMAS[flags.task];
    const schemas = dataset === null ? (task ?? {}) : schemasOf(dataset);
    const { observation, output } = flags;
    const traces =
      observation === undefined
        ? await Promise.all(ids.map((id) => fetched(backend, id)))
        : [await fetchedObservation(backend, observation, ids[0])];
    const seeds = seedsOf(traces, { dataset: name, schemas, validated, output, id: flags.id, metadata });
    const fates = dataset === null ? [] : await seedFates(backend, name, seeds, flags.force === true);
    if (dataset === null)
      await backend.saveDataset({
        name,
        ...(task === null ? {} : { inputSchema: task.input, expectedOutputSchema: task.expectedOutput }),
      });
    await backend.saveItems(
      name,
      seeds.map(({ item }) => item),
    );
    const lines = [
      ...(dataset === null ? [`The dataset ${name} was made in ${backend.place}.`] : []),
      ...seeds.map((one, at) => seedText(one, fates[at] ?? 'made', traces[at]!, given?.name)),
      `Look at it: assay dataset show ${shellWord(name)} --item ${shellWord(seeds[0]!.item.id)}`,
      `Version ${(await currentVersion(backend, flags, name)).hash}`,
    ];
    process.stdout.write(`${lines.map(safeText).join('\n')}\n`);
  });
}

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

/** What is wrong with any of them is told at once. */
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

const FATES: Readonly<Record<Fate, string>> = { made: '', changed: ' was changed', same: ' is there already, just so' };
