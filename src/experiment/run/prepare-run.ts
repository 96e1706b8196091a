import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { InputError, UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { type Source, fileSource } from '../../data/source.ts';
import { caseReader } from '../../formats/case-formats.ts';
import { recordCases } from '../../formats/record-cases.ts';
import type { Plan } from '../../recipe/plan.ts';
import { presetNames } from '../../recipe/presets.ts';
import { DatasetHash, datasetVersion } from '../../store/dataset-version.ts';
import type { DatasetItemRecord, DatasetRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { unfinishedNotice } from '../datasets/import-items.ts';
import { ITEM_SCHEMAS } from '../datasets/item-schemas.ts';
import { findVersion, itemsOfVersion } from '../datasets/named-version.ts';
import type { Environment } from '../models/access.ts';
import { promptOf } from '../targets/prompt.ts';
import { openTarget } from '../targets/target-kinds.ts';
import type { ResolvedPrompt, Target } from '../targets/target.ts';
import { refuseBrokenGate } from './experiment-gate.ts';
import { type ExperimentRecord, readRecord, refuseOther, writeRecord } from './experiment-record.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import { DATASET_FILE, type FrozenItem, freezeDataset, readFrozen } from './frozen-dataset.ts';
import type { LoadedExperiment } from './load-experiment.ts';
import { planFor } from './scorer.ts';

export interface PreparedRun {
  readonly folder: string;
  readonly record: ExperimentRecord;
  readonly dataset: DatasetRecord;
  /** Of the items that the run began with, in their order. */
  readonly ids: readonly string[];
  /** Of a named version: when the dataset held it. */
  readonly datasetAt: string | null;
  readonly target: Target;
  /** Null: outputs only. */
  readonly plan: Plan | null;
  /** Why nothing is scored. */
  readonly notScored: string | null;
  readonly notices: readonly string[];
}

export interface PrepareOptions {
  readonly loaded: LoadedExperiment;
  readonly backend: Backend;
  readonly folder: string;
  readonly timeoutMs: number;
  readonly environment: Environment;
  readonly onlyItems: ReadonlySet<string> | null;
  /** False: only a look. */
  readonly begin: boolean;
}

/** Everything that a run needs, checked before anything is paid for. A run that was begun goes on with what it began with. */
export async function prepareRun(options: PrepareOptions): Promise<PreparedRun> {
  const { loaded, backend, folder } = options;
  const { experiment } = loaded;
  const given = givenOf(experiment, backend);
  const earlier = readRecord(folder);
  if (earlier !== null) refuseOther(folder, earlier, given);
  const known = earlier === null ? null : await untamperedIds(folder, earlier);
  const plan = await planOf(loaded);
  await refuseBrokenGate(loaded, plan);
  const { dataset, version } = await findVersion(backend, experiment.dataset, { active: true });
  const notices: string[] = [unfinishedNotice(dataset) ?? []].flat();
  const prompt = earlier === null ? await namedPrompt(backend, experiment) : earlier.prompt;
  if (earlier !== null)
    notices.push(...(await movedLabel(backend, earlier.prompt)), ...(await movedDataset(options, dataset, earlier)));
  const target = await openTarget(experiment.target, {
    folder: loaded.folder,
    environment: options.environment,
    prompt,
    plan,
    timeoutMs: options.timeoutMs,
    lookOnly: !options.begin,
  });
  try {
    const hash = sha256Of(sortedJson(lastingIdentity(target)));
    if (earlier !== null && earlier.target !== hash) throw changed(folder, earlier, target);
    const { record, ids } =
      earlier === null || known === null
        ? await begun(options, { given, dataset, prompt, target, hash, plan })
        : { record: earlier, ids: known };
    const datasetAt = version?.at ?? null;
    return { folder, record, dataset, ids, datasetAt, target, plan, notices, notScored: why(plan) };
  } catch (error) {
    await target.close();
    throw error;
  }
}

function why(plan: Plan | null): string | null {
  return plan === null ? 'the experiment names no recipe' : null;
}

/** What the user asks for, as far as it decides an answer: a model's server may move, another file may be written. */
function givenOf({ name, dataset, target, repeats }: ExperimentFile, backend: Backend): Record<string, unknown> {
  const { baseUrl: _, predictions: _file, ...asked } = { baseUrl: undefined, predictions: undefined, ...target };
  return { name, dataset, target: asked, repeats, store: backend.kind };
}

/** Where a model is served is part of what its answers are kept under, but a run goes on where the server has moved. */
function lastingIdentity({ identity }: Target): Readonly<Record<string, unknown>> {
  const { server: _, ...rest } = identity;
  return rest;
}

/** The recipe that an experiment names, or that of its task, or of the task that its target is made for. */
function recipeOf({ recipe, task, target }: ExperimentFile): string | null {
  const made = Object.values(ITEM_SCHEMAS).find(({ targets }) => targets.includes(target.use));
  return recipe ?? (task === undefined ? made?.recipe : ITEM_SCHEMAS[task].recipe) ?? null;
}

async function planOf({ experiment, folder }: LoadedExperiment): Promise<Plan | null> {
  const recipe = recipeOf(experiment);
  if (recipe === null || recipe === 'none') return null;
  const isPreset = presetNames().includes(recipe);
  const { set, task } = experiment;
  const plan = await planFor(isPreset || !existsSync(resolve(folder, recipe)) ? recipe : resolve(folder, recipe), set);
  if (task !== undefined && plan.task !== task)
    throw new UsageError(
      `the recipe ${plan.name} scores ${plan.task}, and the task of the experiment is ${task}`,
      'name another recipe, or leave the task out',
    );
  return plan;
}

/** Null where the target's prompt stands in the experiment or comes with Assay. */
async function namedPrompt(backend: Backend, { target }: ExperimentFile): Promise<ResolvedPrompt | null> {
  const wanted = promptOf(target);
  if (wanted === null) return null;
  const { name, label, version } = wanted;
  const found = await backend.prompt(name, {
    ...(label === undefined ? {} : { label }),
    ...(version === undefined ? {} : { version }),
  });
  if (found !== null)
    return {
      name,
      label: label ?? (version === undefined ? 'production' : null),
      version: found.version,
      body: found.type === 'text' ? { type: 'text', prompt: found.prompt } : { type: 'chat', prompt: found.prompt },
    };
  const which = version === undefined ? `labelled ${label ?? 'production'}` : `version ${version}`;
  const known = (await backend.prompts()).find((one) => one.name === name);
  throw new UsageError(
    `there is no prompt ${name} ${which} in ${backend.place}`,
    known === undefined
      ? `assay prompt create ${name} FILE --label ${label ?? 'production'} makes one`
      : `it has versions ${known.versions.join(', ')} and labels ${known.labels.join(', ')}`,
  );
}

/** Items that were changed since the run began are said, not followed. */
async function movedDataset(
  options: PrepareOptions,
  { name }: DatasetRecord,
  earlier: ExperimentRecord,
): Promise<string[]> {
  const now = await datasetVersion(meantItems(options));
  return now.hash === earlier.dataset.version
    ? []
    : [
        `the items of ${name} are others by now; this run goes on with the ${earlier.dataset.items} with which it began`,
      ];
}

/** Those of a file, where a file stands for the dataset; those of a named version. */
async function* meantItems({ backend, onlyItems, loaded }: PrepareOptions): AsyncGenerator<DatasetItemRecord> {
  const { dataset, version } = await findVersion(backend, loaded.experiment.dataset);
  for await (const item of itemsOfVersion(backend, dataset, version))
    if (onlyItems === null || onlyItems.has(item.id)) yield item;
}

/** A label that has moved on since the run began is said, not followed: the run would be of two prompts. */
async function movedLabel(backend: Backend, prompt: ResolvedPrompt | null): Promise<string[]> {
  if (prompt === null || prompt.name === null || prompt.label === null) return [];
  const now = await backend.prompt(prompt.name, { label: prompt.label });
  if (now === null || now.version === prompt.version) return [];
  return [
    `prompt ${prompt.name}: the label ${prompt.label} is on version ${now.version} by now; this run goes on with version ${prompt.version ?? 'unknown'}, with which it began`,
  ];
}

function changed(folder: string, earlier: ExperimentRecord, target: Target): UsageError {
  const now = lastingIdentity(target);
  const keys = [...new Set([...Object.keys(earlier.identity), ...Object.keys(now)])];
  const differing = keys.filter((key) => sortedJson(earlier.identity[key] ?? null) !== sortedJson(now[key] ?? null));
  return new UsageError(
    `${folder}: what is asked has changed since this run began (${differing.join(', ')}): its answers would be of two kinds`,
    'give the run another --name, or put it back as it was',
  );
}

/** The items that a run began with are part of its result: their ids, unless they were changed. */
async function untamperedIds(folder: string, { dataset }: ExperimentRecord): Promise<string[]> {
  const hash = new DatasetHash();
  const ids: string[] = [];
  for await (const { id, input, expected_output, metadata } of readFrozen(folder)) {
    hash.add({ id, input, expectedOutput: expected_output ?? null, metadata: metadata ?? null });
    ids.push(id);
  }
  if (hash.result().hash === dataset.version) return ids;
  throw new UsageError(
    `${join(folder, DATASET_FILE)} is not what the run began with: it was changed or damaged`,
    'put it back, or begin the run anew under another --name',
  );
}

interface Beginning {
  readonly given: Record<string, unknown>;
  readonly dataset: DatasetRecord;
  readonly prompt: ResolvedPrompt | null;
  readonly target: Target;
  readonly hash: string;
  readonly plan: Plan | null;
}

async function begun(
  options: PrepareOptions,
  { given, dataset, prompt, target, hash, plan }: Beginning,
): Promise<{ readonly record: ExperimentRecord; readonly ids: readonly string[] }> {
  const { loaded, backend, folder, begin } = options;
  let isScorable = true;
  const { hash: version, ids } = await freezeDataset(folder, meantItems(options), async (item) => {
    if (plan !== null && isScorable) isScorable = await canBeScored(plan, item);
  });
  try {
    if (ids.length === 0)
      throw new UsageError(
        `the dataset ${dataset.name} has no items`,
        `assay dataset import ${dataset.name} FILE.jsonl adds some`,
      );
    if (plan !== null && !isScorable) await refuseUnscorable(folder, plan, dataset.name);
  } catch (error) {
    await rm(join(folder, DATASET_FILE), { force: true });
    throw error;
  }
  const record: ExperimentRecord = {
    name: loaded.experiment.name,
    id: randomUUID(),
    given,
    dataset: { name: dataset.name, backend: backend.kind, version, items: ids.length },
    prompt,
    target: hash,
    identity: lastingIdentity(target),
    startedAt: new Date().toISOString(),
  };
  if (begin) writeRecord(folder, record);
  return { record, ids };
}

const NOT_ASKED = { error: 'not asked' };

/** As if it had failed: what is left to be read is the item itself. */
async function canBeScored(plan: Plan, item: FrozenItem): Promise<boolean> {
  try {
    return (await recordCases(plan, { ...item }, { id: item.id, ...NOT_ASKED })).hasGold;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Items that the recipe could not score are said before the first call, not after the last. */
async function refuseUnscorable(folder: string, plan: Plan, name: string): Promise<void> {
  try {
    const reader = caseReader({ cases: fileSource(join(folder, DATASET_FILE)), predictions: noAnswers(folder) }, plan);
    const cases = reader[Symbol.asyncIterator]();
    while ((await cases.next()).done !== true);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      error.problems.map(({ line, ...problem }) => ({
        ...problem,
        file: `dataset ${name}, item ${line ?? ''}`,
        line: null,
      })),
      error.total,
    );
  }
}

/** As if every item had failed: what is left to be read is the items themselves. */
function noAnswers(folder: string): Source {
  return {
    name: 'outputs',
    path: null,
    async *open() {
      for await (const { id } of readFrozen(folder)) yield Buffer.from(`${JSON.stringify({ id, ...NOT_ASKED })}\n`);
    },
  };
}
