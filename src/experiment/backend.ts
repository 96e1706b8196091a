import type { Problem } from '../data/problems.ts';
import type { ItemContent } from '../store/dataset-version.ts';
import type {
  DatasetInit,
  DatasetItemInit,
  DatasetItemRecord,
  DatasetRecord,
  PromptInit,
  PromptRecord,
} from '../store/records.ts';
import type { FailedTry, Passage } from './targets/target.ts';
import type { Usage } from './limits/budget.ts';

/**
 * Home of datasets, prompts, traces and scores: the local store or a Langfuse server, held to the same by one test. To
 * save is to make, or to change what has the same name or id; of a prompt, a new version.
 */
export interface Backend {
  readonly kind: 'local' | 'langfuse';
  /** What messages call it: a folder, an address. */
  readonly place: string;
  /** Those that are not archived, by name. */
  datasets(): Promise<readonly DatasetRecord[]>;
  dataset(name: string): Promise<DatasetRecord | null>;
  saveDataset(dataset: DatasetInit): Promise<DatasetRecord>;
  archiveDataset(name: string): Promise<void>;
  /** In order of creation. On Langfuse, the archived ones are only those that were archived from here, listed last. */
  items(
    dataset: string,
    options?: { readonly archived?: boolean; /** As they were at that time. */ readonly at?: string },
  ): AsyncIterable<DatasetItemRecord>;
  /** Archived or not, of whatever dataset. */
  item(id: string): Promise<DatasetItemRecord | null>;
  /** Why this place would not keep a new or changed item of a dataset; null if it takes the item. */
  itemRefusal(dataset: string, item: DatasetItemInit): ItemRefusal | null;
  /** Answers with them, as they are kept. */
  saveItems(dataset: string, items: readonly DatasetItemInit[]): Promise<readonly DatasetItemRecord[]>;
  prompts(): Promise<readonly PromptSummary[]>;
  /** By label unless a version is given; without either, the one labelled `production`. Null if absent. */
  prompt(name: string, which?: { readonly label?: string; readonly version?: number }): Promise<PromptRecord | null>;
  savePrompt(prompt: PromptInit): Promise<PromptRecord>;
  /** Puts labels on a version, taking them from the others. */
  labelPrompt(name: string, version: number, labels: readonly string[]): Promise<PromptRecord>;
  trace(id: string): Promise<FetchedTrace | null>;
  /** One observation, as a separate trace; with a trace, only if it is in that one. */
  observation(id: string, traceId?: string): Promise<FetchedTrace | null>;
  /** The newest first. */
  traces(search: TraceSearch): Promise<readonly TraceSummary[]>;
  /** Those that the runs over a dataset left, or one of these runs. The newest run, or the newest trace, first. */
  runTraces(dataset: DatasetRecord, run?: string): AsyncIterable<RunTrace>;
  /** The metadata of the run of this name; null if absent. */
  runMetadata(dataset: DatasetRecord, name: string): Promise<Readonly<Record<string, unknown>> | null>;
  openRun(run: RunInfo): Promise<RunSink>;
  close(): Promise<void>;
}

export type ItemRefusal = Pick<Problem, 'field' | 'message' | 'next'>;

export interface PromptSummary {
  readonly name: string;
  readonly versions: readonly number[];
  readonly labels: readonly string[];
  readonly tags: readonly string[];
}

export interface FetchedTrace {
  readonly id: string;
  /** Of the observation that it is one of; null for the trace as a whole. */
  readonly observationId: string | null;
  readonly name: string | null;
  readonly input: unknown;
  readonly output: unknown;
  /** What a person wrote down as the right output; null if nobody did. */
  readonly corrected: { readonly output: unknown } | null;
  readonly metadata: unknown;
  /** Where one looks at it; null where there is no such place. */
  readonly url: string | null;
}

/** What traces have to have; all of it, and all tags. The time `from` is included, `to` is not. */
export interface TraceSearch extends Given<'name' | 'userId' | 'sessionId' | 'environment' | 'from' | 'to'> {
  readonly tags?: readonly string[] | undefined;
  readonly limit: number;
}

export interface TraceSummary extends Readonly<
  Record<'name' | 'userId' | 'sessionId' | 'environment' | 'error', string | null>
> {
  readonly id: string;
  readonly time: string;
  readonly tags: readonly string[];
}

/** A trace that a run left for an item; without a time if it is not there any more. */
export type RunTrace = Readonly<Record<'run' | 'item' | 'traceId', string> & Record<'time' | 'error', string | null>>;

export interface RunInfo {
  readonly dataset: DatasetRecord;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly traces?: TraceFields;
  /** When the dataset held the items of a named version, some of which may be archived by now. */
  readonly datasetAt?: string;
}

/** What every trace of a run carries, by Langfuse's names. */
export interface TraceFields extends Given<'sessionId' | 'userId' | 'release' | 'environment'> {
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

type Given<Name extends string> = { readonly [K in Name]?: string | undefined };

export interface RunSink {
  /**
   * Resolves when all of them are there; what cannot be delivered throws. The same ids again change what is there, if
   * `sentAt` is later than every earlier sending, as the default is.
   */
  publish(traces: readonly ItemTrace[], sentAt?: string): Promise<void>;
  /** Sends scores of the run as a whole. */
  scoreRun(scores: readonly ScoreInit[], sentAt?: string): Promise<void>;
  /** What the backend holds of these traces, read back. A slow server is asked for as long as its counts grow. */
  counts(traces: Iterable<ExpectedTrace>): Promise<TraceCounts>;
  url(): Promise<string | null>;
}

/** Traces that are there and linked to an item of the run, and scores on them. */
export type RunCounts = Readonly<Record<'traces' | 'scores', number>>;

export interface ExpectedTrace {
  readonly traceId: string;
  readonly itemId: string;
  readonly startedAt: string;
  readonly scores: number;
  /** Values by the id of the score, if the trace was sent before: a server may still show the earlier values. */
  readonly values?: ReadonlyMap<string, number>;
}

/** A score that is there with another value than the one sent. */
export interface DifferingScore {
  /** Null for a score of the run as a whole. */
  readonly item: string | null;
  readonly name: string;
  readonly sent: number;
  readonly shown: unknown;
}

export interface TraceCounts extends RunCounts {
  /** The ids of those that are not there, or lack scores. */
  readonly short: readonly string[];
  /** Not among the counted scores; left out if there are none. */
  readonly differing?: readonly DifferingScore[];
}

/** One item's trace: a root span, and inside it what the target did. Ids are made from run and item, never at random. */
export interface ItemTrace {
  /** 32 hex digits; the root span and that of the target's call within it have 16. */
  readonly traceId: string;
  readonly rootId: string;
  readonly callId: string;
  readonly item: ItemContent;
  readonly name: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly output: unknown;
  readonly error: { readonly kind: string; readonly message: string } | null;
  readonly model: string | null;
  readonly modelParameters: Readonly<Record<string, string | number>>;
  /** Whether it was published as a failure, or asked and failed, before. */
  readonly isRetried: boolean;
  readonly tries: readonly FailedTry[];
  readonly request: unknown;
  readonly isCached: boolean;
  /** The cost is by the experiment's prices if the target knows none. */
  readonly usage: Usage | null;
  readonly prompt: { readonly name: string; readonly version: number } | null;
  readonly passages: readonly Passage[] | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly scores: readonly ScoreInit[];
}

export interface ScoreInit {
  readonly id: string;
  readonly name: string;
  /** A number that is one: never NaN, never infinite. */
  readonly value: number;
  readonly comment: string | null;
}
