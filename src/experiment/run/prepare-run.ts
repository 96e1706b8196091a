import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { InputError, UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { fileSource } from '../../data/source.ts';
import { FileWriter } from '../../data/write-file.ts';
import { caseReader } from '../../formats/case-formats.ts';
import { recordCases } from '../../formats/record-cases.ts';
import type { Plan } from '../../recipe/plan.ts';
import { presetNamed } from '../../recipe/presets.ts';
import { taskTitle } from '../../recipe/task-title.ts';
import { batchTransport } from '../batch/batch-transport.ts';
import { defined } from '../defined.ts';
import { DatasetHash, datasetVersion } from '../../store/dataset-version.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { itemLine } from '../datasets/find-dataset.ts';
import { unfinishedNotice } from '../datasets/import-items.ts';
import { ITEM_SCHEMAS } from '../datasets/item-schemas.ts';
import { findVersion, itemsOfVersion } from '../datasets/named-version.ts';
import { promptOf, type ResolvedPrompt } from '../targets/prompt.ts';
import { openTarget } from '../targets/target-kinds.ts';
import { refuseBrokenGate } from './experiment-gate.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import type { LoadedExperiment } from './load-experiment.ts';
import {
  DATASET_FILE,
  differences,
  type ExperimentRecord,
  type FrozenItem,
  linesSource,
  NO_ROOM,
  readFrozen,
  readRecord,
  writeRecord,
} from './run-folder.ts';
import { type RunExperimentOptions, settingsOf } from './run-settings.ts';
import { planFor } from './scorer.ts';

export type PreparedRun = Awaited<ReturnType<typeof prepareRun>>;

/** Everything that a run needs, checked before anything is paid for; `lookOnly`: nothing is begun. */
export async function prepareRun(
  {
    loaded,
    backend,
    environment = process.env,
    onlyItems = null,
    batches: handling,
    stop,
    onNotice,
  }: RunExperimentOptions,
  folder: string,
  lookOnly = false,
) {
  const { experiment } = loaded;
  const own = settingsOf(experiment);
  const given = givenOf(experiment, backend);
  const earlier = readRecord(folder);
  if (earlier !== null) refuseOther(folder, earlier, given);
  const known = earlier === null ? null : await untamperedIds(folder, earlier);
  const plan = await experimentPlan(loaded);
  await refuseBrokenGate(loaded, plan);
  const { dataset, version } = await findVersion(backend, experiment.dataset, { active: true });
  // Those of a file, where a file stands for the dataset.
  const items = async function* (): AsyncGenerator<DatasetItemRecord> {
    for await (const item of itemsOfVersion(backend, dataset, version))
      if (onlyItems === null || onlyItems.has(item.id)) yield item;
  };
  const prompt = earlier === null ? await namedPrompt(backend, experiment) : earlier.prompt;
  const notices = [
    unfinishedNotice(dataset),
    earlier === null ? null : await movedLabel(backend, earlier.prompt),
    earlier === null || (await datasetVersion(items())).hash === earlier.dataset.version
      ? null
      : `the items of ${dataset.name} have changed; this run keeps the ${earlier.dataset.items} with which it began`,
  ].filter((notice) => notice !== null);
  const { timeoutMs } = own.policy;
  const batches = own.batch === null ? null : batchTransport({ ...own.batch, ...handling, folder, stop, onNotice });
  const context = {
    folder: loaded.folder,
    environment,
    prompt,
    plan,
    timeoutMs,
    lookOnly,
    batches: batches ?? undefined,
  };
  const target = await openTarget(experiment.target, context);
  try {
    // The address of a model is part of the key of its answers, but a run continues if the server has moved.
    const { server: _, ...identity } = target.identity;
    const hash = sha256Of(sortedJson(identity));
    const settings = { ...own, most: Math.min(own.most, target.mostAtOnce ?? own.most) };
    /** If `plan` is null, nothing is scored; `datasetAt` is when the dataset held the named version. */
    const prepared = { folder, dataset, datasetAt: version?.at ?? null, target, settings, batches, plan, notices };
    if (earlier !== null && known !== null) {
      if (earlier.target === hash) return { ...prepared, record: earlier, ids: known };
      throw new UsageError(
        `${folder}: what is asked has changed since this run began (${differences(earlier.identity, identity).join(', ')}): its answers would be of two kinds`,
        'give the run another --name, or put it back as it was',
      );
    }
    const frozen = await freezeDataset(folder, items(), plan, dataset.name);
    const record: ExperimentRecord = {
      name: experiment.name,
      id: randomUUID(),
      given,
      dataset: { name: dataset.name, backend: backend.kind, version: frozen.version, items: frozen.ids.length },
      prompt,
      target: hash,
      identity,
      startedAt: new Date().toISOString(),
      settings: settingsForLater(loaded),
    };
    if (!lookOnly) writeRecord(folder, record);
    return { ...prepared, record, ids: frozen.ids };
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** What the user asks for, as far as it decides an answer: a model's server may move, another file may be written. */
function givenOf({ name, dataset, target, repeats }: ExperimentFile, backend: Backend): Record<string, unknown> {
  const { baseUrl: _, predictions: _file, ...asked } = { baseUrl: undefined, predictions: undefined, ...target };
  return { name, dataset, target: asked, repeats, store: backend.kind };
}

function settingsForLater({ experiment, folder }: LoadedExperiment) {
  const { task, target, recipe, set, limits, budget, prices, batch } = experiment;
  const { baseUrl }: { baseUrl?: string | undefined } = { baseUrl: undefined, ...target };
  return {
    folder: relative('.', folder) || '.',
    ...defined({ baseUrl, task, recipe, set, limits, budget, prices, batch }),
  };
}

/** A run goes on only as what it was: another model or dataset under the same name would mix two runs. */
function refuseOther(folder: string, record: ExperimentRecord, given: Readonly<Record<string, unknown>>): void {
  const differing = differences(record.given, given);
  if (differing.length === 0) return;
  const shown = (value: unknown): string => {
    const text = value === undefined ? 'not given' : JSON.stringify(value);
    return text.length > 160 ? `${text.slice(0, 160)}…` : text;
  };
  const changes = differing.map((key) => `${key} was ${shown(record.given[key])}, now ${shown(given[key])}`);
  throw new UsageError(
    `${folder} holds another run: ${changes.join('; ')}`,
    'give the run another --name, or ask for the same as before to resume it',
  );
}

/** The items that a run began with are part of its result: their ids, unless they were changed. */
async function untamperedIds(folder: string, { dataset }: ExperimentRecord): Promise<readonly string[]> {
  const hash = new DatasetHash();
  const ids: string[] = [];
  for await (const { id, input, expected_output: expectedOutput, metadata } of readFrozen(folder)) {
    hash.add({ id, input, expectedOutput, metadata });
    ids.push(id);
  }
  if (hash.result().hash === dataset.version) return ids;
  throw new UsageError(
    `${join(folder, DATASET_FILE)} is not what the run began with: it was changed or damaged`,
    'put it back, or restart the run under another --name',
  );
}

/** What of an experiment decides how it is scored. */
interface PlannedExperiment {
  readonly experiment: Pick<ExperimentFile, 'set' | 'task' | 'target' | 'recipe'>;
  readonly folder: string;
}

/** The recipe that an experiment names, or that of its task, or of the task that its target is made for; null if none. */
export function recipeOf({ experiment, folder }: PlannedExperiment): string | null {
  const { task, target } = experiment;
  const made = Object.values(ITEM_SCHEMAS).find(({ targets }) => targets.includes(target.use));
  const recipe = experiment.recipe ?? (task === undefined ? made?.recipe : ITEM_SCHEMAS[task].recipe) ?? 'none';
  if (recipe === 'none') return null;
  const file = resolve(folder, recipe);
  return presetNamed(recipe) === null && existsSync(file) ? file : recipe;
}

/** The plan of an experiment's recipe. */
export async function experimentPlan({ experiment, folder }: PlannedExperiment): Promise<Plan | null> {
  const recipe = recipeOf({ experiment, folder });
  if (recipe === null) return null;
  const { set, task } = experiment;
  const plan = await planFor(recipe, set);
  if (task !== undefined && plan.task !== task)
    throw new UsageError(
      `the recipe ${plan.name} scores ${taskTitle(plan.task)}, and the task of the experiment is ${task}`,
      'name another recipe, or leave the task out',
    );
  return plan;
}

/** Null if the target's prompt is in the experiment or built in. */
async function namedPrompt(backend: Backend, { target }: ExperimentFile): Promise<ResolvedPrompt | null> {
  const wanted = promptOf(target);
  if (wanted === null) return null;
  const { name, version } = wanted;
  const label = wanted.label ?? (version === undefined ? 'production' : null);
  const found = await backend.prompt(name, defined({ label: label ?? undefined, version }));
  if (found !== null) {
    const { type, prompt } = found;
    return { name, label, version: found.version, body: type === 'text' ? { type, prompt } : { type, prompt } };
  }
  const known = (await backend.prompts()).find((one) => one.name === name);
  const asked = version === undefined ? `labelled ${label ?? ''}` : `version ${version}`;
  const next =
    known === undefined
      ? `assay prompt create ${name} FILE --label ${label ?? 'production'} makes one`
      : `it has versions ${known.versions.join(', ')} and labels ${known.labels.join(', ')}`;
  throw new UsageError(`there is no prompt ${name} ${asked} in ${backend.place}`, next);
}

/** A label that has moved on since the run began is reported, not followed: the run would be of two prompts. */
async function movedLabel(backend: Backend, prompt: ResolvedPrompt | null): Promise<string | null> {
  if (prompt === null || prompt.name === null || prompt.label === null) return null;
  const now = await backend.prompt(prompt.name, { label: prompt.label });
  return now === null || now.version === prompt.version
    ? null
    : `prompt ${prompt.name}: the label ${prompt.label} is on version ${now.version} by now; this run stays on version ${prompt.version ?? 'unknown'}, with which it began`;
}

/** As if it had failed: what is left to be read is the item itself. */
const notAsked = ({ id }: FrozenItem) => ({ id, error: 'not asked' });

/** Copies the dataset as it is now into the run. Items that the recipe cannot score are refused before any call. */
async function freezeDataset(folder: string, items: AsyncIterable<DatasetItemRecord>, plan: Plan | null, name: string) {
  const hash = new DatasetHash();
  const ids: string[] = [];
  const path = join(folder, DATASET_FILE);
  const file = new FileWriter(path, { next: NO_ROOM });
  let isScorable = true;
  try {
    for await (const item of items) {
      const { source_observation_id: _, status: _status, ...frozen } = itemLine(item);
      hash.add(item);
      ids.push(item.id);
      file.write(`${JSON.stringify(frozen)}\n`);
      isScorable &&= plan === null || (await canScore(plan, frozen));
    }
    file.finish();
    if (ids.length === 0)
      throw new UsageError(`the dataset ${name} has no items`, `assay dataset import ${name} FILE.jsonl adds some`);
    if (plan !== null && !isScorable) await refuseUnscorable(folder, plan, name);
    return { version: hash.result().hash, ids };
  } catch (error) {
    file.abandon();
    rmSync(path, { force: true });
    throw error;
  }
}

async function canScore(plan: Plan, item: FrozenItem): Promise<boolean> {
  try {
    return (await recordCases(plan, { ...item }, notAsked(item))).hasGold;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return false;
  }
}

/** Reads all items as files of them are read, for all that is wrong with them. */
async function refuseUnscorable(folder: string, plan: Plan, name: string): Promise<void> {
  const cases = fileSource(join(folder, DATASET_FILE));
  const predictions = linesSource('outputs', () => readFrozen(folder), notAsked);
  try {
    await Array.fromAsync(caseReader({ cases, predictions }, plan), () => null);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const place = (line: number | null) => ({ file: `dataset ${name}, item ${line ?? ''}`, line: null });
    const problems = error.problems.map((problem) => ({ ...problem, ...place(problem.line) }));
    throw new InputError(problems, error.total);
  }
}
