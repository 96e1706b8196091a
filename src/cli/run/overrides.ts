import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

import { parseDuration, UsageError, visible } from '../../plugin.ts';
import type { ExperimentOverrides } from '../../experiment.ts';
import { PLACE_FLAGS } from '../backend-of.ts';
import { BATCH_FLAGS, batchOf } from '../batch-flags.ts';
import { taskFlag } from '../dataset/schema-flags.ts';
import * as flag from '../flags.ts';
import { NAMING_FLAGS } from '../naming-flags.ts';
import { TEXTS_FLAGS } from '../texts-flags.ts';
import { FILE_NAME } from './dataset-file.ts';
import { QUEUE_FLAGS } from './queue-flags.ts';
import { baselineMisfit, namesSystems, systemsOfFlags, targetFlag } from './systems-of-flags.ts';

export const RUN_FLAGS = {
  dataset: flag.string('<name>', 'dataset in the store or in Langfuse, or a file of items'),
  gold: flag.string('<file>', 'expected outputs of a file of items, joined by id'),
  updateDataset: flag.toggle('overwrite items of an existing dataset with those of a file of the same name'),
  name: flag.string('<run>', 'name of the run'),
  description: { ...flag.string('<text>', 'note on the run: its purpose'), alias: 'note' },
  tag: NAMING_FLAGS.tag,
  task: taskFlag('task that decides how a file of items is read, what is run and which recipe scores it'),
  target: flag.strings('<use>', 'target to run, such as vanilla, rag:FOLDER, http:URL'),
  model: flag.strings('<name>', 'model: PROVIDER/NAME, or a name such as gemini-2.5-flash'),
  prompt: flag.string('<name>', 'name of a stored prompt'),
  promptLabel: flag.string('<label>', 'label of the stored prompt to fetch'),
  promptVersion: flag.integer('<n>', 'version of the stored prompt to fetch', { from: 1 }),
  temperature: flag.temperature('temperature (default: 0); none for models that accept none'),
  baseUrl: flag.string('<url>', 'address of the model’s server, if it is not the provider’s own'),
  answers: flag.strings('<file>', 'recorded answers instead of a model: JSON lines {id, output}'),
  recipe: flag.string(
    '<recipe>',
    'preset or recipe file that scores the outputs; none: outputs only, which need no expected ones',
  ),
  set: flag.strings('<path=value>', 'setting of the recipe to change'),
  repeats: flag.integer('<n>', 'number of times to ask every item', { from: 1 }),
  gate: flag.string('<file>', 'rules that decide the exit code'),
  baseline: flag.string('<run>', 'run folder that the gate’s notWorseThan compares with'),
  out: flag.string('<folder>', 'folder of the run, or of the runs of several systems (default: runs/NAME)'),
  ...TEXTS_FLAGS,
  limit: flag.integer('<n>', 'number of items to run, from the beginning of the dataset', { from: 1 }),
  onlyFailed: flag.toggle('ask again only for items that failed'),
  dryRun: flag.toggle('report what would be done, without a call'),
  cache: flag.switchOff('ask again for answers that another run already has'),
  concurrency: flag.integer('<n>', 'maximum number of calls at once (default: 8)', { from: 1 }),
  retries: flag.integer('<n>', 'retries after a failure that may be temporary (default: 4)', { from: 0 }),
  rpm: flag.amount('<n>', 'maximum number of calls a minute for the model and key', { above: 0 }),
  tpm: flag.amount('<n>', 'maximum number of tokens a minute for the model and key', { above: 0 }),
  timeout: flag.parsed('<time>', 'longest wait for one answer, such as 30s (default: 2m)', durationText),
  maxCost: flag.amount('<amount>', 'cost after which no further item is started', { above: 0 }),
  maxTokens: flag.integer('<n>', 'number of tokens after which no further item is started', { from: 1 }),
  maxTime: flag.parsed('<time>', 'time after which no further item is started, such as 10m', durationText),
  price: flag.prices(
    'prices of a million input and output tokens, such as 0.1,0.4; a third number is the share that batches cost',
  ),
  ...BATCH_FLAGS,
  submitOnly: flag.toggle('submit the batches and end; the same command without it takes their answers'),
  cancel: flag.toggle('cancel the batches of the run that are under way, and submit none'),
  ...QUEUE_FLAGS,
  ...PLACE_FLAGS,
  json: flag.JSON,
  quiet: flag.QUIET,
};

export type RunFlags = flag.FlagValues<typeof RUN_FLAGS>;

/** Experiment files of the current folder that are used without being named; the first that exists counts. */
export const PIPELINE_FILES = ['experiment.yaml', 'assay.yaml'] as const;

/** Flags that change the target, with the setting that each is for. */
const TARGET_FLAGS = {
  target: 'use',
  model: 'model',
  baseUrl: 'baseUrl',
  temperature: 'temperature',
  prompt: 'prompt',
  promptLabel: 'prompt',
  promptVersion: 'prompt',
  answers: 'answers',
} as const satisfies Partial<Record<keyof RunFlags, string>>;

const SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(TARGET_FLAGS).map(([key, setting]) => [key, `target.${setting}`])),
  dataset: 'dataset',
  gold: 'gold',
  task: 'task',
  name: 'name',
  recipe: 'recipe',
  repeats: 'repeats',
  concurrency: 'limits.concurrency',
  retries: 'limits.retries',
  rpm: 'limits.requestsPerMinute',
  tpm: 'limits.tokensPerMinute',
  maxTokens: 'budget.tokens',
  baseline: 'gate.baseline',
};

/** The flag that a setting of the experiment came from; null if none was given for it. */
export function flagOf(flags: RunFlags, path: readonly string[]): string | null {
  const setting = path.join('.');
  const key = writtenFlags(flags).find((name) => SETTINGS[name] === setting);
  return key === undefined ? null : flag.flagName(key);
}

/** Lists are always there; those that are empty were not written. */
function writtenFlags(flags: RunFlags): string[] {
  return Object.entries(flags).flatMap(([key, value]) => (Array.isArray(value) && value.length === 0 ? [] : [key]));
}

/** Rewrites a path of a flag, which starts from the current folder, for an experiment in `folder`. */
function fromFolder(folder: string | null, path: string): string {
  return folder === null || isAbsolute(path) ? path : relative(resolve(folder), resolve(path)) || path;
}

/** The same for what may be a name as well. */
function nameOrPath(folder: string | null, value: string | undefined): string | undefined {
  return value !== undefined && existsSync(value) ? fromFolder(folder, value) : value;
}

/** Settings that flags change in the experiment of a folder, as its file would write them; `folder` is null without one. */
export function overridesOf(folder: string | null, flags: RunFlags): ExperimentOverrides {
  const isSeveral = namesSystems(flags, folder !== null);
  if (folder === null) refuseIncomplete(flags, isSeveral);
  if (!isSeveral) refuseBesideAnswers(flags);
  const misfit = baselineMisfit(flags.baseline);
  if (misfit !== null) throw misfit;
  const { name, description, task, set, repeats, concurrency, retries, timeout, maxCost, maxTokens, maxTime } = flags;
  return {
    dataset: nameOrPath(folder, flags.dataset),
    gold: flags.gold === undefined ? undefined : fromFolder(folder, flags.gold),
    name,
    description,
    task,
    target: unlessEmpty(isSeveral ? {} : targetOf(folder, flags)),
    systems: isSeveral
      ? systemsOfFlags(flags, askedOf(flags), folder !== null, (path) => fromFolder(folder, path))
      : undefined,
    recipe: nameOrPath(folder, flags.recipe),
    set: set.length === 0 ? undefined : set,
    repeats,
    limits: unlessEmpty(
      flag.defined({ concurrency, retries, timeout, requestsPerMinute: flags.rpm, tokensPerMinute: flags.tpm }),
    ),
    budget: unlessEmpty(flag.defined({ cost: maxCost, tokens: maxTokens, time: maxTime })),
    prices: flags.price,
    batch: batchSection(flags),
    gate: gateOf(folder, flags),
    out: flags.out,
    cache: flags.cache ? undefined : false,
  };
}

function unlessEmpty<T extends object>(settings: T): T | undefined {
  return Object.keys(settings).length === 0 ? undefined : settings;
}

/** Settings of batches in the file stay, unless a flag changes them. */
function batchSection(flags: RunFlags): object | undefined {
  // The file may ask for batches too, so --ask-again is checked later.
  const batch = batchOf({ ...flags, askAgain: false });
  if (batch === null) return undefined;
  const { only, pollMs } = batch;
  return { ...(only ? { only } : {}), ...(pollMs === null ? {} : { poll: `${pollMs}ms` }) };
}

/** Everything that is missing, at once. */
function refuseIncomplete({ dataset, name, out, target, model, answers }: RunFlags, isSeveral: boolean): void {
  const asks = model.length === 0 && answers.length === 0 && (target.length === 0 || !isSeveral);
  const missing = [
    ...(dataset === undefined ? ['--dataset NAME'] : []),
    ...(name !== undefined || (isSeveral && out !== undefined)
      ? []
      : [isSeveral ? '--out FOLDER (or --name RUN)' : '--name RUN']),
    ...(asks ? ['--model MODEL (or --answers FILE)'] : []),
  ];
  if (missing.length === 0) return;
  const noFile = dataset !== undefined && FILE_NAME.test(dataset) && !existsSync(dataset) ? ' (no such file)' : '';
  const noRun =
    asks && dataset !== undefined && !isSeveral ? `, and no run over ${visible(dataset)}${noFile} to repeat` : '';
  throw new UsageError(
    `this folder has no ${PIPELINE_FILES.join(' or ')}${noRun}: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} needed`,
    `assay init experiment FOLDER writes an ${PIPELINE_FILES[0]} to start from; assay run --help shows one`,
  );
}

/** Recorded answers replace a target: other flags for one would be ignored. */
function refuseBesideAnswers(flags: RunFlags): void {
  if (flags.answers.length === 0) return;
  const others = writtenFlags(flags)
    .filter((key) => key !== 'answers' && Object.hasOwn(TARGET_FLAGS, key))
    .map(flag.flagName);
  if (others.length === 0) return;
  throw new UsageError(
    `--answers are recorded: there is no model and no other target to ask, and ${others.join(', ')} would change nothing`,
    `leave ${others.join(', ')} out, or --answers`,
  );
}

function targetOf(folder: string | null, flags: RunFlags): Record<string, unknown> {
  const path = (written: string): string => fromFolder(folder, written);
  const [answers] = flags.answers;
  if (answers !== undefined) return { use: 'recorded', answers: path(answers) };
  const [target] = flags.target;
  const [model] = flags.model;
  return {
    ...(target === undefined ? (folder === null ? { use: 'graph-extractor' } : {}) : targetFlag(target, path).settings),
    ...flag.defined({ model }),
    ...askedOf(flags),
  };
}

/** Settings of whatever asks a model. */
function askedOf({ baseUrl, temperature: degree, ...flags }: RunFlags): Record<string, unknown> {
  return flag.defined({ baseUrl, temperature: degree, prompt: promptOf(flags) });
}

/** Without a name, the loader takes the default of the target. */
function promptOf(flags: Pick<RunFlags, 'prompt' | 'promptLabel' | 'promptVersion'>): object | undefined {
  const { prompt: name, promptLabel: label, promptVersion: version } = flags;
  return unlessEmpty(flag.defined({ name, label, version }));
}

function gateOf(folder: string | null, { gate, baseline }: RunFlags): unknown {
  const rules = gate === undefined ? undefined : fromFolder(folder, gate);
  if (baseline === undefined) return rules;
  return { ...flag.defined({ rules }), baseline: fromFolder(folder, baseline) };
}

/** Checked here, where the flag can be named; kept as it was written. */
function durationText(written: string, name: string): string {
  parseDuration(written, name);
  return written;
}
