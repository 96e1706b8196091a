import type { ExpectedTrace, RunInfo } from '../../experiment/backend.ts';
import { experimentItemAnswer, scoreV3Answer } from './answers.ts';
import type { Connection } from './connection.ts';
import { listRunItems, listScores, listTraces, type TimeSpan } from './older-api.ts';
import { allByCursor, cursorPage, PAGE_SIZE } from './pages.ts';
import type { RunLinks } from './run-links.ts';
import { sideBySide } from '../../experiment/limits/side-by-side.ts';

/** How many scores are on each trace that is there, by the trace's id. */
export type Arrivals = ReadonlyMap<string, number>;

/** The ids of scores by trace: a server that has not merged its rows yet lists them twice. Null: not told. */
type ScoreIds = Map<string, Set<string> | null>;

const TRACES_PER_CALL = 50;
const CALLS_AT_A_TIME = 4;
/** Langfuse lists no more with an item. */
const SCORES_PER_ITEM = 50;
const LONGEST_LIST_OF_IDS = 2000;

const experimentItems = cursorPage(experimentItemAnswer);
const scoresV3 = cursorPage(scoreV3Answer);

/** What a server has of one run, in as few calls as it allows: pages of a hundred traces that list their scores. */
export class ReadBack {
  readonly #connection: Connection;
  readonly #run: RunInfo;
  readonly #links: RunLinks;
  readonly #environment: string;
  /** Of Langfuse 3, once they are known: they do not go away. */
  readonly #linked = new Set<string>();
  /** Which API had the traces: a server on its way from one generation to the other may have them in the older first. */
  #generation: 3 | 4 | null;

  constructor(connection: Connection, run: RunInfo, links: RunLinks, environment: string) {
    this.#connection = connection;
    this.#run = run;
    this.#links = links;
    this.#environment = environment;
    this.#generation = connection.generation;
  }

  async arrivals(asked: readonly ExpectedTrace[]): Promise<Arrivals> {
    if (asked.length === 0) return new Map();
    const newer = this.#generation === 3 ? null : await this.#experimentItems(asked);
    if (this.#generation === 4 || (newer !== null && newer.size === asked.length)) {
      this.#generation = 4;
      return this.#counted(newer ?? new Map(), asked);
    }
    const older = (await this.#linkedTraces(asked)) ?? new Map();
    const isOlder = newer === null || older.size > newer.size;
    if (isOlder && older.size > 0) this.#generation = 3;
    return this.#counted(isOlder ? older : newer, asked);
  }

  /** The same by the list of scores alone, for what seems to lack some: slower, but by no list that may leave any out. */
  async scoresOf(asked: readonly ExpectedTrace[]): Promise<Arrivals> {
    const ids = asked.map(({ traceId }) => traceId);
    const listed =
      (await this.#listedScores(ids)) ?? (await this.#olderScores(ids, timesOf(asked))) ?? new Map<string, never>();
    return new Map(ids.map((id) => [id, listed.get(id)?.size ?? 0]));
  }

  async #experimentItems(asked: readonly ExpectedTrace[]): Promise<ScoreIds | null> {
    const { api, calls } = this.#connection;
    const experimentId = await this.#links.id();
    if (experimentId === null) return null;
    const { from } = timesOf(asked);
    const few = listOf(asked.map(({ itemId }) => itemId));
    const rows = await allByCursor((cursor) =>
      calls.find('read the items of the run', experimentItems, (options) =>
        api.experiments.listItems(
          {
            experimentId,
            ...(few === null ? {} : { experimentItemId: few }),
            fields: 'core,scores',
            scoreLimit: SCORES_PER_ITEM,
            fromStartTime: from,
            limit: PAGE_SIZE,
            ...cursor,
          },
          options,
        ),
      ),
    );
    if (rows === null) return null;
    return among(
      asked,
      rows
        .filter((row) => row.experimentId === experimentId)
        .map(({ traceId, scores }) => ({ id: traceId, scores: scores?.filter(isSent).map(({ id }) => id) ?? null })),
    );
  }

  /** Langfuse 3: traces that are linked and are there. */
  async #linkedTraces(asked: readonly ExpectedTrace[]): Promise<ScoreIds | null> {
    if (asked.some(({ traceId }) => !this.#linked.has(traceId))) {
      const links = await listRunItems(this.#connection, this.#run);
      if (links === null) return null;
      for (const { traceId } of links) this.#linked.add(traceId);
    }
    const linked = asked.filter(({ traceId }) => this.#linked.has(traceId));
    if (linked.length === 0) return new Map();
    const traces = await listTraces(this.#connection, this.#environment, timesOf(linked));
    if (traces === null) return null;
    return among(linked, traces);
  }

  /** If the traces did not list their scores, or not all of them, the scores themselves are listed. */
  async #counted(found: ScoreIds, asked: readonly ExpectedTrace[]): Promise<Arrivals> {
    const isCut = (traceId: string, expected: number): boolean => {
      const ids = found.get(traceId);
      return ids === null || (ids !== undefined && ids.size < expected && ids.size >= SCORES_PER_ITEM);
    };
    const uncounted = asked.filter(({ traceId, scores }) => isCut(traceId, scores));
    const counted = uncounted.length === 0 ? null : await this.scoresOf(uncounted);
    return new Map([...found].map(([id, ids]) => [id, counted?.get(id) ?? ids?.size ?? 0]));
  }

  async #listedScores(ids: readonly string[]): Promise<Map<string, Set<string>> | null> {
    const { api, calls } = this.#connection;
    const chunks = Array.from({ length: Math.ceil(ids.length / TRACES_PER_CALL) }, (_, index) =>
      ids.slice(index * TRACES_PER_CALL, (index + 1) * TRACES_PER_CALL).join(','),
    );
    const pages = await sideBySide(chunks, CALLS_AT_A_TIME, (traceId) =>
      allByCursor((cursor) =>
        calls.find('read scores', scoresV3, (options) =>
          api.scoresV3.getManyV3({ traceId, fields: 'subject', limit: PAGE_SIZE, ...cursor }, options),
        ),
      ),
    );
    if (pages.some((page) => page === null)) return null;
    const scores = pages.flatMap((page) => page ?? []).filter(isSent);
    return byTrace(scores.map(({ id, subject }) => ({ id, traceId: subject?.traceId ?? subject?.id ?? '' })));
  }

  async #olderScores(ids: readonly string[], time: TimeSpan): Promise<Map<string, Set<string>> | null> {
    const scores = await listScores(this.#connection, this.#environment, time);
    if (scores === null) return null;
    const wanted = new Set(ids);
    return byTrace(
      scores.flatMap(({ id, traceId }) => (traceId === null || !wanted.has(traceId) ? [] : [{ id, traceId }])),
    );
  }
}

/** A server's own evaluators may add scores to a trace, which are not those that were sent. */
function isSent({ source }: { readonly source?: string | null | undefined }): boolean {
  return source === undefined || source === null || source === 'API';
}

function byTrace(scores: readonly { readonly id: string; readonly traceId: string }[]): Map<string, Set<string>> {
  const grouped = Map.groupBy(scores, ({ traceId }) => traceId);
  return new Map([...grouped].map(([traceId, own]) => [traceId, new Set(own.map(({ id }) => id))]));
}

function among(
  asked: readonly ExpectedTrace[],
  rows: readonly { readonly id: string; readonly scores?: readonly string[] | null | undefined }[],
): ScoreIds {
  const wanted = new Set(asked.map(({ traceId }) => traceId));
  const found: ScoreIds = new Map();
  for (const { id, scores } of rows)
    if (wanted.has(id))
      found.set(id, scores === null || scores === undefined ? null : new Set([...(found.get(id) ?? []), ...scores]));
  return found;
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
