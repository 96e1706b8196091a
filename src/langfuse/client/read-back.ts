import { z } from 'zod';

import type { DifferingScore, ExpectedTrace, RunInfo } from '../../experiment/backend.ts';
import { fields, anyText } from '../shapes/values.ts';
import type { Calls } from './calls.ts';
import type { Connection } from './connection.ts';
import { olderRunLinks, olderScores, olderTraceScores, type TimeSpan } from './older-api.ts';
import { allByCursor, PAGE_SIZE } from './pages.ts';
import { scoresOfTraces } from './scores.ts';
import { scorePlace } from './answers.ts';

/** How many scores are on each trace that is there, by the trace's id. */
type Arrivals = ReadonlyMap<string, number>;

/** Langfuse 3 lists only the ids with a trace. */
interface ShownScore {
  readonly id: string;
  readonly name?: string | undefined;
  readonly value?: unknown;
}

/** Scores by trace. A server that has not merged its rows yet lists them twice. Null: not listed. */
type ShownScores = ReadonlyMap<string, readonly ShownScore[] | null>;

/** Langfuse lists no more with an item. */
const SCORES_PER_ITEM = 50;
const LONGEST_LIST_OF_IDS = 2000;

const score = z.object({ id: anyText, name: anyText.optional(), value: z.unknown(), source: anyText.nullish() });
const placedScore = score.extend({ subject: scorePlace });
const experimentItem = z.object({ ...fields(anyText, 'traceId', 'experimentId'), scores: z.array(score).nullish() });

/** What a server has of one run, in as few calls as it allows: pages of a hundred traces that list their scores. */
export function readBack(
  connection: Connection,
  run: RunInfo,
  runId: () => Promise<string | null>,
  environment: string,
) {
  /** Of Langfuse 3, once they are known: they do not go away. */
  const links = new Set<string>();
  /** Which API had the traces: a server on its way from one generation to the other may have them in the older first. */
  let { generation } = connection;
  /** Scores of traces that lacked some when they were last read. */
  const shownLast = new Map<string, readonly ShownScore[]>();

  async function arrivals(asked: readonly ExpectedTrace[]): Promise<Arrivals> {
    if (asked.length === 0) return new Map();
    const newer = generation === 3 ? null : await experimentItems(asked);
    if (generation === 4 || (newer !== null && newer.size === asked.length)) {
      generation = 4;
      return scoreCounts(newer ?? new Map(), asked);
    }
    const older = (await linkedTraces(asked)) ?? new Map();
    const isOlder = newer === null || older.size > newer.size;
    if (isOlder && older.size > 0) generation = 3;
    return scoreCounts(isOlder ? older : newer, asked);
  }

  /** The same by the list of scores alone, for what seems to lack some: slower, but by no list that may leave any out. */
  async function scoresOf(asked: readonly ExpectedTrace[]): Promise<Arrivals> {
    const ids = asked.map(({ traceId }) => traceId);
    const scores: readonly (ShownScore & { readonly traceId: string | null })[] =
      (await scoresOfTraces(connection, ids, 'subject', placedScore))
        ?.filter(isSent)
        .map(({ subject, ...shown }) => ({ ...shown, traceId: subject?.traceId ?? subject?.id ?? null })) ??
      (await olderScores(connection, environment, timesOf(asked).from)) ??
      [];
    const byTrace = Map.groupBy(scores, ({ traceId }) => traceId);
    return new Map(asked.map((trace) => [trace.traceId, arrived(trace, byTrace.get(trace.traceId) ?? [])]));
  }

  async function experimentItems(asked: readonly ExpectedTrace[]): Promise<ShownScores | null> {
    const experimentId = await runId();
    if (experimentId === null) return null;
    const few = listOf(asked.map(({ itemId }) => itemId));
    const request = {
      experimentId,
      ...(few === null ? {} : { experimentItemId: few }),
      fields: 'core,scores',
      scoreLimit: SCORES_PER_ITEM,
      fromStartTime: timesOf(asked).from,
    };
    const rows = await allByCursor(connection, 'read the items of the run', experimentItem, (page, options) =>
      connection.api.experiments.listItems({ ...request, ...page }, options),
    );
    const ours = rows?.filter((row) => row.experimentId === experimentId);
    return among(
      asked,
      ours?.map(({ traceId: id, scores }) => ({ id, scores: scores?.filter(isSent) })),
    );
  }

  /** Langfuse 3: traces that are linked and are there. */
  async function linkedTraces(asked: readonly ExpectedTrace[]): Promise<ShownScores | null> {
    if (asked.some(({ traceId }) => !links.has(traceId))) {
      const items = await olderRunLinks(connection, run);
      if (items === null) return null;
      for (const { traceId } of items) links.add(traceId);
    }
    const linked = asked.filter(({ traceId }) => links.has(traceId));
    if (linked.length === 0) return new Map();
    const rows = await olderTraceScores(connection, environment, timesOf(linked));
    return among(
      linked,
      rows?.map(({ id: traceId, scores }) => ({ id: traceId, scores: scores?.map((id) => ({ id })) })),
    );
  }

  /** If the traces did not list their scores, or not all of them or without values, the scores themselves are listed. */
  async function scoreCounts(shown: ShownScores, asked: readonly ExpectedTrace[]): Promise<Arrivals> {
    const counts = new Map<string, number>();
    const unlisted: ExpectedTrace[] = [];
    for (const trace of asked) {
      const scores = shown.get(trace.traceId);
      if (scores === undefined) continue;
      const count = arrived(trace, scores ?? []);
      const isPart = count < trace.scores && (scores?.length ?? 0) >= SCORES_PER_ITEM;
      const lacksValues = trace.values !== undefined && scores?.some(({ value }) => value === undefined) === true;
      counts.set(trace.traceId, count);
      if (scores === null || isPart || lacksValues) unlisted.push(trace);
    }
    if (unlisted.length > 0) for (const [id, count] of await scoresOf(unlisted)) counts.set(id, count);
    return counts;
  }

  /** Counts the scores that are there, with the values that were sent where these are known. */
  function arrived({ traceId, scores, values }: ExpectedTrace, shown: readonly ShownScore[]): number {
    const sent = values === undefined ? shown : shown.filter(({ id, value }) => values.get(id) === value);
    const count = new Set(sent.map(({ id }) => id)).size;
    if (count >= scores || values === undefined) shownLast.delete(traceId);
    else shownLast.set(traceId, shown);
    return count;
  }

  /** Scores of a run as a whole that show another value, by the run's id. A server without that list is believed. */
  async function runScores(whole: ExpectedTrace): Promise<Arrivals> {
    const rows = await allByCursor(connection, 'read the scores of the run', score, (page, options) =>
      connection.api.scoresV3.getManyV3({ experimentId: whole.traceId, ...page }, options),
    );
    return new Map([[whole.traceId, rows === null ? whole.scores : arrived(whole, rows)]]);
  }

  function differing({ traceId, itemId, values = new Map<string, number>() }: ExpectedTrace): DifferingScore[] {
    const item = itemId === '' ? null : itemId;
    const byId = Map.groupBy(shownLast.get(traceId) ?? [], ({ id }) => id);
    return [...values].flatMap(([id, sent]) => {
      const rows = byId.get(id) ?? [];
      const [first] = rows;
      if (first === undefined || rows.some(({ value }) => value === sent)) return [];
      return [{ item, name: first.name ?? id, sent, shown: first.value }];
    });
  }

  return { arrivals, scoresOf, runScores, differing };
}

/** A server's own evaluators may add scores to a trace, which are not those that were sent. */
function isSent({ source }: { readonly source?: string | null | undefined }): boolean {
  return source === undefined || source === null || source === 'API';
}

function among(
  asked: readonly ExpectedTrace[],
  rows:
    | readonly { readonly id: string; readonly scores?: readonly ShownScore[] | null | undefined }[]
    | null
    | undefined,
): ShownScores | null {
  if (rows === null || rows === undefined) return null;
  const wanted = new Set(asked.map(({ traceId }) => traceId));
  const shown = new Map<string, readonly ShownScore[] | null>();
  for (const { id, scores } of rows)
    if (wanted.has(id))
      shown.set(id, scores === null || scores === undefined ? null : [...(shown.get(id) ?? []), ...scores]);
  return shown;
}

/** Null where all are listed: there are too many to be named in an address, or one of them cannot be. */
function listOf(ids: readonly string[]): string | null {
  const list = ids.join(',');
  return ids.length > PAGE_SIZE || list.length > LONGEST_LIST_OF_IDS || ids.some((id) => /^\s|,|\s$/.test(id))
    ? null
    : list;
}

function timesOf(asked: readonly ExpectedTrace[]): TimeSpan {
  const times = asked.map(({ startedAt }) => Date.parse(startedAt));
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  return { from: new Date(first).toISOString(), to: new Date(last + 1).toISOString() };
}

type Expected = Pick<ExpectedTrace, 'traceId' | 'scores'>;

const FIRST_WAIT_MS = 200;
const LONGEST_BACKOFF_MS = 4000;
const LONGEST_WAIT_MS = 30_000;
/** A read of many pages is followed by a pause that is as long for each of them. */
const WAIT_PER_CALL_MS = 500;
/** The same once the server has refused reads: the smallest plan of Langfuse's Cloud allows 30 a minute. */
const WAIT_PER_CALL_LIMITED_MS = 2000;
/** More is still on its way for longer without showing. */
const QUIET_PER_MISSING_MS = 3;
/** A server that shows fewer than ten a second is not waited for to the end. */
const LONGEST_PER_EXPECTED_MS = 100;
/** One read may be of a server that was busy just then. */
const QUIET_READS = 2;

export interface Settling<T extends Expected> {
  readonly expected: readonly T[];
  readonly calls: Calls;
  /** How long nothing may change before what is missing is given up. */
  readonly settleMs: number;
  readonly read: (short: readonly T[]) => Promise<Arrivals>;
}

/** What is there in the end. A server that takes its time is asked again for as long as it shows more than before. */
export async function settle<T extends Expected>({ expected, calls, settleMs, read }: Settling<T>): Promise<Arrivals> {
  const { clock } = calls;
  const found = new Map<string, number>();
  const things = expected.reduce((sum, { scores }) => sum + 1 + scores, 0);
  const began = clock.now();
  let before: { readonly sum: number; readonly at: number } | null = null;
  let rose = began;
  let quietReads = 0;
  for (let backoff = FIRST_WAIT_MS; ; backoff = Math.min(2 * backoff, LONGEST_BACKOFF_MS)) {
    const { sent, limited } = calls;
    // What was seen once is there, whatever another copy of the server's tables has.
    for (const [id, scores] of await read(expected.filter((trace) => isShort(trace, found))))
      found.set(id, Math.max(scores, found.get(id) ?? 0));
    if (!expected.some((trace) => isShort(trace, found))) return found;
    const now = clock.now();
    const sum = [...found.values()].reduce((total, scores) => total + 1 + scores, 0);
    const perMs: number = before === null ? 0 : (sum - before.sum) / Math.max(1, now - before.at);
    if (before === null || sum > before.sum) [rose, quietReads] = [now, 0];
    else quietReads += 1;
    before = { sum, at: now };
    const quietEnd = rose + settleMs + (things - sum) * QUIET_PER_MISSING_MS;
    const isQuiet = quietReads >= QUIET_READS && now >= quietEnd;
    if (isQuiet || now - began > settleMs + things * LONGEST_PER_EXPECTED_MS) return found;
    const isLimited = calls.limited > limited;
    const perCall = isLimited ? WAIT_PER_CALL_LIMITED_MS : WAIT_PER_CALL_MS;
    const gentle = Math.max(backoff, (calls.sent - sent - 1) * perCall);
    // By the pace so far: a look before most of it can be there is for nothing.
    const byPace = perMs > 0 ? Math.min((things - sum) / perMs, LONGEST_WAIT_MS) : 0;
    const wait = Math.max(gentle, byPace);
    await clock.sleep(isLimited || now >= quietEnd ? wait : Math.min(wait, quietEnd - now));
  }
}

export function isShort({ traceId, scores }: Expected, found: Arrivals): boolean {
  const there = found.get(traceId);
  return there === undefined || there < scores;
}
