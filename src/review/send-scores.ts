import { randomUUID } from 'node:crypto';

import { UsageError } from '../data/problems.ts';
import { describe, isRecord } from '../data/record-fields.ts';
import { visible } from '../data/visible.ts';
import type { Environment } from '../experiment/models/access.ts';
import { sendingTime } from '../experiment/sending-time.ts';
import { langfuseAccess } from '../langfuse/client/access.ts';
import { PATIENCE } from '../langfuse/client/calls.ts';
import { connect, type Connection } from '../langfuse/client/connection.ts';
import { ensureConfigs, planConfigs, type WantedConfig } from '../langfuse/client/score-configs.ts';
import { deliverScores, readScores } from '../langfuse/client/scores.ts';
import type { ServerScore } from '../langfuse/client/answers.ts';
import { ENVIRONMENT, loadTracing, otlpSpan, sendSpans } from '../langfuse/client/spans.ts';
import { traceEnvironment } from '../langfuse/client/traces.ts';
import { settle } from '../langfuse/client/read-back.ts';
import { TRUTH_CATEGORIES } from '../langfuse/shapes/score-configs.ts';
import type { Store } from '../store/store.ts';
import { plural } from '../text/figures.ts';
import { type ReviewScore, reviewScores, type ReviewTrace, scoredQuestions, traceOfItem } from './review-scores.ts';
import type { ReviewSnapshot } from './snapshot.ts';

export interface SentScores {
  readonly scores: number;
  /** Traces for items without one: those that were not there yet, or all that were sent where that cannot be told. */
  readonly traces: number;
  readonly tracesAre: 'made' | 'sent';
  /** Scores of answers that have been taken back since; -1 where they cannot be found. */
  readonly removed: number;
  readonly configs: number;
  /** How many were read back as they were sent; null if the server has no list of scores. */
  readonly readBack: number | null;
  readonly place: string;
}

/** Environment of traces that are made for a review. */
const MADE_ENVIRONMENT = 'default';
/** Traces of a run that are looked for until one is there. */
const MOST_LOOKED_FOR = 5;
const MOST_CONFIGS = 10_000;
/** How long scores are waited for without a change. */
const SETTLE_MS = 30_000;
const NAMES_SHOWN = 5;

/** Into the store's own table of scores. Again changes nothing but what people have changed. */
export function keepReviewScores(store: Store, snapshot: ReviewSnapshot): SentScores {
  const { review } = snapshot;
  const { scores, traces } = reviewScores(snapshot);
  return store.transaction(() => {
    const made = traces.filter(({ traceId }) => store.traces.get(traceId) === null).length;
    for (const { traceId, name, input, output, metadata } of traces)
      store.traces.save({ id: traceId, timestamp: review.createdAt, name, input, output, metadata });
    const kept = new Set(scores.map(({ id }) => id));
    let removed = 0;
    for (const traceId of new Set([...scores, ...traces].map((one) => one.traceId)))
      for (const old of store.scores.ofTrace(traceId))
        if (isOf(review.name, old) && !kept.has(old.id) && store.scores.delete(old.id)) removed += 1;
    const configs = keepConfigs(store, snapshot, new Set(scores.map(({ name }) => name)));
    for (const { reviewer, value, dataType, ...score } of scores)
      store.scores.put({
        ...score,
        dataType,
        environment: store.traces.get(score.traceId)?.environment,
        configId: configs.ids.get(score.name),
        value: dataType === 'BOOLEAN' ? value === 1 : value,
        authorUserId: reviewer,
        timestamp: review.createdAt,
      });
    const sum = { scores: scores.length, traces: made, removed, configs: configs.made, readBack: scores.length };
    return { ...sum, tracesAre: 'made', place: store.file };
  });
}

function isOf(review: string, { name, metadata }: { readonly name: string; readonly metadata: unknown }): boolean {
  return name.startsWith('review_') && isRecord(metadata) && metadata['review'] === review;
}

/** To Langfuse, with its keys from the environment. Again changes nothing but what people have changed. */
export async function sendReviewScores(
  environment: Environment,
  snapshot: ReviewSnapshot,
  settleMs = SETTLE_MS,
): Promise<SentScores> {
  const access = langfuseAccess(environment);
  const connection = await connect(access, null, PATIENCE);
  const { scores, traces } = reviewScores(snapshot);
  const at = snapshot.review.createdAt;
  if (traces.length > 0) await sendTraces(connection, traces, at);
  const names = new Set(scores.map(({ name }) => name));
  const configs = await ensureConfigs(connection, wantedConfigs(snapshot, names));
  const made = new Set(traces.map(({ traceId }) => traceId));
  const known = new Set(scores.map(({ traceId }) => traceId).filter((id) => !made.has(id)));
  const ofRun = await runEnvironment(connection, known);
  // Older versions sent every score as at the time of the review.
  const sentAt = sendingTime(at);
  await deliverScores(
    connection,
    scores.map(({ reviewer: _, ...score }) => {
      const configId = configs.ids.get(score.name);
      const ofTrace = made.has(score.traceId) ? MADE_ENVIRONMENT : ofRun;
      return { ...score, ...(configId === undefined ? {} : { configId }), environment: ofTrace, sentAt };
    }),
  );
  const readBack = await untilThere(connection, scores, settleMs);
  const sum = { scores: scores.length, traces: traces.length, removed: -1, configs: configs.made, readBack };
  return { ...sum, tracesAre: 'sent', place: access.baseUrl };
}

/** The environment of the traces of a run, which is the same for all of them. */
async function runEnvironment(connection: Connection, traceIds: ReadonlySet<string>): Promise<string> {
  for (const id of [...traceIds].slice(0, MOST_LOOKED_FOR)) {
    const environment = await traceEnvironment(connection, id);
    if (environment !== null) return environment;
  }
  return ENVIRONMENT;
}

/** The scores that Langfuse has on the traces of a review, by whomever; null if it has no list of them. */
export async function fetchReviewScores(
  environment: Environment,
  snapshot: ReviewSnapshot,
): Promise<readonly ServerScore[] | null> {
  const connection = await connect(langfuseAccess(environment), null, PATIENCE);
  return readScores(
    connection,
    snapshot.items.map((item) => traceOfItem(snapshot, item)),
  );
}

function wantedConfigs({ form }: ReviewSnapshot, names: ReadonlySet<string>): WantedConfig[] {
  return scoredQuestions(form)
    .map(({ config }) => config)
    .filter(({ name }) => names.has(name));
}

function keepConfigs(
  store: Store,
  snapshot: ReviewSnapshot,
  names: ReadonlySet<string>,
): { readonly ids: ReadonlyMap<string, string>; readonly made: number } {
  const { rows } = store.scoreConfigs.list({ page: 1, limit: MOST_CONFIGS });
  const { ids, missing } = planConfigs(wantedConfigs(snapshot, names), rows, store.file);
  const all = new Map(ids);
  for (const config of missing) {
    const categories = config.dataType === 'BOOLEAN' ? TRUTH_CATEGORIES : config.categories;
    all.set(config.name, store.scoreConfigs.save({ ...config, categories, id: randomUUID() }).id);
  }
  return { ids: all, made: missing.length };
}

/**
 * Waits until every score can be read as it was sent. Langfuse takes scores first and looks at them later: what does not
 * fit its config is dropped without a word, so what does not arrive is an error.
 */
async function untilThere(
  connection: Connection,
  scores: readonly ReviewScore[],
  settleMs: number,
): Promise<number | null> {
  const byTrace = Map.groupBy(scores, ({ traceId }) => traceId);
  const there = new Map<string, ServerScore>();
  let isListed = true;
  await settle({
    expected: Array.from(byTrace, ([traceId, own]) => ({ traceId, scores: own.length })),
    calls: connection.calls,
    settleMs,
    async read(short) {
      const found = await readScores(
        connection,
        short.map(({ traceId }) => traceId),
      );
      isListed &&= found !== null;
      for (const score of found ?? []) there.set(score.id, score);
      return new Map(
        short.map(({ traceId, scores: all }) => [
          traceId,
          found === null ? all : byTrace.get(traceId)!.filter((score) => isSame(score, there.get(score.id))).length,
        ]),
      );
    },
  });
  if (!isListed) return null;
  const open = scores.filter((score) => !isSame(score, there.get(score.id)));
  if (open.length > 0) throw shortfall(connection, scores.length, open, there);
  return scores.length;
}

function isSame({ name, value, comment, source }: ReviewScore, found: ServerScore | undefined): boolean {
  if (found === undefined) return false;
  return (
    found.name === name && valueOf(found) === value && (found.comment ?? null) === comment && found.source === source
  );
}

function valueOf({ value }: ServerScore): string | number {
  return typeof value === 'boolean' ? Number(value) : value;
}

const CAUSES = {
  missing: 'it drops scores that do not fit their config without a word: compare the score configs, then export again',
  differing:
    'it may still show earlier answers: export again in a minute; --from-langfuse exports answers that were edited there',
};

function shortfall(
  { calls }: Connection,
  sent: number,
  open: readonly ReviewScore[],
  there: ReadonlyMap<string, ServerScore>,
): UsageError {
  const missing = open.filter(({ id }) => !there.has(id));
  const differing = open.flatMap((score) => {
    const found = there.get(score.id);
    return found === undefined ? [] : [differenceText(score, found)];
  });
  const names = [...new Set(missing.map(({ name }) => name))].slice(0, NAMES_SHOWN).join(', ');
  const more = differing.length > NAMES_SHOWN ? `, and ${differing.length - NAMES_SHOWN} more` : '';
  const faults = [
    ...(missing.length > 0 ? [`${missing.length} are not there (${names})`] : []),
    ...(differing.length > 0
      ? [`${differing.length} differ there: ${differing.slice(0, NAMES_SHOWN).join('; ')}${more}`]
      : []),
  ];
  const causes = [...(missing.length > 0 ? [CAUSES.missing] : []), ...(differing.length > 0 ? [CAUSES.differing] : [])];
  return new UsageError(
    calls.withoutKeys(`Langfuse at ${calls.place} took ${plural(sent, 'score')}, but ${faults.join(', and ')}`),
    causes.join('; '),
  );
}

/** `review_kind of case 1 (Asha): "a" there, "b" here`, or the fields besides the value that differ. */
function differenceText(score: ReviewScore, shown: ServerScore): string {
  const { name, reviewer, metadata } = score;
  const fields = { value: [valueOf(shown), score.value], comment: [shown.comment, score.comment] };
  const others = { source: [shown.source, score.source], name: [shown.name, name] };
  const differences = Object.entries({ ...fields, ...others })
    .filter(([, [atServer, here]]) => (atServer ?? null) !== here)
    .map(([field, [atServer, here]]) => {
      const what = field === 'value' ? '' : `${field} `;
      return `${what}${describe(atServer)} there, ${describe(here)} here`;
    });
  return `${name} of case ${visible(metadata['case'] ?? '')} (${visible(reviewer)}): ${differences.join(', ')}`;
}

async function sendTraces(connection: Connection, traces: readonly ReviewTrace[], at: string): Promise<void> {
  const tracing = await loadTracing();
  const { names, observation } = tracing;
  const spans = traces.map(({ traceId, spanId, name, input, output, metadata }) => {
    const fields = { input, ...(output === null ? {} : { output }), metadata };
    const attributes = { ...observation('span', fields), [names.TRACE_NAME]: name };
    return [otlpSpan({ traceId, spanId, name, startedAt: at, endedAt: at, attributes })];
  });
  await sendSpans(connection, tracing, spans);
}
