import { UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { isOverall } from '../../measure/results.ts';
import { idInFiles } from '../../score/ledger.ts';
import { readCaseResults } from '../../score/run-file.ts';
import type { Run } from '../../score/run.ts';
import { recipeHash } from '../../score/signature.ts';
import { VERSION } from '../../score/version.ts';
import { defined } from '../defined.ts';
import type { DatasetRecord } from '../../store/records.ts';
import type { Backend, RunSink, ScoreInit, TraceFields } from '../backend.ts';
import type { Published, SummaryCounter } from '../summary.ts';
import type { AnswerLog } from './answer-log.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import type { Generation } from './generate.ts';
import { type ItemResult, scoreIdOf, traceIdsOf } from './item-trace.ts';
import type { PreparedRun } from './prepare-run.ts';
import { openPublisher, type Publisher } from './publisher.ts';
import type { RunExperimentOptions } from './run-settings.ts';
import { loggedOutcomes } from './scorer.ts';

/** In a run's metadata: which folder it is of. */
const RUN_ID = 'assay_run';

/** Makes the run known to the backend, a run for each repeat, and opens what sends outcomes there. */
export async function openRuns(
  { loaded: { experiment }, backend, onNotice }: RunExperimentOptions,
  prepared: PreparedRun,
  log: AnswerLog,
): Promise<Publisher> {
  const { dataset, datasetAt, record, plan } = prepared;
  const { name, description = null, repeats } = experiment;
  const traces = traceFieldsOf(experiment);
  const metadata = { ...experiment.metadata, ...runMetadata(prepared) };
  const sinks: RunSink[] = [];
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const wanted = repeat === 1 ? name : `${name} (repeat ${repeat})`;
    const free = await freeName(backend, dataset, wanted, record.id);
    const elsewhere = `a run called ${wanted} is in ${backend.place} already, of another folder`;
    if (free !== wanted) onNotice?.(`${elsewhere}: this one is called ${free} there`);
    const own = repeats === 1 ? metadata : { ...metadata, repeat, repeats };
    const run = { dataset, name: free, description, traces, metadata: own };
    sinks.push(await backend.openRun(datasetAt === null ? run : { ...run, datasetAt }));
  }
  // Traces that are to carry something else are all sent again: no model is asked for that.
  const carried = Object.keys(traces).length === 0 ? '' : ` ${sha256Of(sortedJson(traces))}`;
  const recipe = `${plan === null ? 'none' : recipeHash(plan)}${carried}`;
  const place = `${backend.kind} ${backend.place}`;
  return openPublisher(prepared, log, { sinks, place, recipe, ordersByTime: backend.kind === 'langfuse' });
}

/** What the experiment sets for its traces; empty if nothing. */
export function traceFieldsOf(experiment: ExperimentFile): TraceFields {
  const { sessionId, userId, tags, release, environment, metadata } = experiment;
  return defined({ sessionId, userId, tags, release, environment, metadata });
}

/** Two runs under one name would be averaged as one: the name, or the name with the first number that is free. */
async function freeName(backend: Backend, dataset: DatasetRecord, name: string, runId: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} (${number})`;
    const there = await backend.runMetadata(dataset, candidate);
    if (there === null || there[RUN_ID] === runId) return candidate;
  }
}

/** What the run was made with, as people look for it; its signature names everything that affects answers and scores. */
function runMetadata({ record, target, plan }: PreparedRun): Record<string, unknown> {
  const { prompt, dataset } = record;
  const signature = [
    `assay:${VERSION}`,
    madeBy({ record, target }),
    ...(prompt?.name == null ? [] : [`prompt:${prompt.name}@${prompt.version ?? ''}`]),
    `dataset:${dataset.name}#${shortHash(dataset.version)}(${dataset.items})`,
    `recipe:${plan === null ? 'none' : `${plan.name}#${recipeHash(plan).slice(0, 12)}`}`,
  ];
  // Langfuse turns null into an empty text.
  return defined({
    model: target.model ?? undefined,
    prompt: prompt?.name ?? undefined,
    prompt_label: prompt?.label ?? undefined,
    prompt_version: prompt?.version ?? undefined,
    temperature: target.modelParameters['temperature'],
    target: target.kind,
    dataset_version: dataset.version,
    recipe: plan?.name,
    signature: signature.map((part) => part.replaceAll('|', '/')).join('|'),
    [RUN_ID]: record.id,
  });
}

/** The part of a signature that names who gave the answers: model and prompt are in the hash. */
export function madeBy({ record, target }: Pick<PreparedRun, 'record' | 'target'>): string {
  const model = target.model === null ? '' : `(${target.model})`;
  return `target:${target.kind}${model}#${shortHash(record.target)}`.replaceAll('|', '/');
}

function shortHash(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, 16);
}

export interface Session extends Generation {
  readonly options: RunExperimentOptions;
  readonly prepared: PreparedRun;
  readonly publisher: Publisher;
  readonly counter: SummaryCounter;
}

/** Sends what has not arrived, then once more what the backend lacks. A failure here does not affect the results. */
export async function publishRun(session: Session, runs: readonly Run[]): Promise<Published> {
  const { publisher } = session;
  const { kind, place } = session.options.backend;
  // What went wrong on the way is tried again now.
  await publisher.flush().catch(() => undefined);
  let sent = await sendAndCount(session, runs);
  const { traces, scores } = publisher.expected();
  const isShort = sent.found !== null && (sent.found.traces < traces || sent.found.scores < scores);
  if (isShort || sent.differing !== undefined) sent = await sendAndCount(session, runs);
  const url = (await publisher.sinks[0]?.url().catch(() => null)) ?? null;
  const expected = publisher.expected();
  // If nothing was sent, what was made shows how many there should be.
  const most = sent.problem === null ? 0 : await scoresMade(runs);
  return { backend: kind, place, url, expected: { ...expected, scores: Math.max(expected.scores, most) }, ...sent };
}

/** One for each value of each item, and `error` for an item that failed. */
async function scoresMade(runs: readonly Run[]): Promise<number> {
  let count = 0;
  for (const { folder } of runs)
    for await (const { failed, failedAsEmpty, measures } of readCaseResults(folder)) {
      const values = Object.values(measures).filter((value) => value !== null);
      count += (failed ?? failedAsEmpty) === undefined ? values.length : 1;
    }
  return count;
}

type Sent = Pick<Published, 'found' | 'differing' | 'problem'>;

async function sendAndCount(session: Session, runs: readonly Run[]): Promise<Sent> {
  const { options, publisher } = session;
  try {
    options.onStage?.('publishing');
    await sendMissing(session, runs);
    options.onStage?.('reading back');
    return { ...(await publisher.counts()), problem: null };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { found: null, problem: error.next === null ? error.message : `${error.message} (${error.next})` };
  }
}

async function sendMissing({ options, prepared, log, publisher }: Session, runs: readonly Run[]): Promise<void> {
  const { repeats } = options.loaded.experiment;
  const { record, ids } = prepared;
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const isMissing = (id: string): boolean => log.has(id, repeat) && !publisher.hasArrived(id, repeat);
    if (!ids.some(isMissing)) continue;
    const results = new Map<string, ItemResult>();
    const run = runs[repeat - 1];
    if (run !== undefined)
      for await (const { measures, ...result } of readCaseResults(run.folder))
        if (isMissing(idInFiles(result))) results.set(idInFiles(result), { measures });
    for await (const outcome of loggedOutcomes(prepared, log, repeat, isMissing))
      await publisher.add(outcome, results.get(outcome.item.id) ?? null);
  }
  await publisher.flush();
  for (const [at, run] of runs.entries()) {
    const { traceId } = traceIdsOf(record.id, 'all items', at + 1);
    await publisher.scoreRun(at + 1, pooledScores(run, traceId));
  }
}

/** What all items give together, which no average over traces shows: for the run as a whole. */
function pooledScores({ measures }: Run, run: string): ScoreInit[] {
  return measures.measures.flatMap(({ name, slice, value, n, interval }) => {
    if (!isOverall(slice) || value === null || !Number.isFinite(value)) return [];
    const bounds = interval == null ? '' : `, ${interval.level * 100} % interval ${interval.low} to ${interval.high}`;
    const comment = `over all items together, n ${n}${bounds}`;
    return [{ id: scoreIdOf(run, name), name: `pooled_${name}`, value, comment }];
  });
}
