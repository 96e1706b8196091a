import { z } from 'zod';

import {
  damagedCell,
  flag,
  json,
  maybeNumber,
  maybeText,
  maybeTimeText,
  number,
  numbers,
  enumCell,
  type StoreRow,
  text,
  texts,
  timeText,
} from './cells.ts';
import { type Kept, table, under } from './table.ts';

/** What the store keeps: the nouns of Langfuse, since the same data goes there and comes from there. */

export const DATASETS = table({
  id: text,
  name: text,
  description: maybeText,
  metadata: json,
  /** JSON Schema that every item's input has to fit; null where any will do. */
  inputSchema: json,
  expectedOutputSchema: json,
  /** An archived dataset is kept and left out of lists. */
  archived: flag,
  createdAt: timeText,
  updatedAt: timeText,
});
export type DatasetRecord = Kept<typeof DATASETS>;

export interface DatasetInit {
  readonly name: string;
  readonly description?: string | null;
  readonly metadata?: unknown;
  readonly inputSchema?: unknown;
  readonly expectedOutputSchema?: unknown;
}

/** Items of datasets, each in one of its states. */
export const DATASET_ITEMS = table({
  id: text,
  datasetId: text,
  datasetName: text,
  input: json,
  expectedOutput: json,
  metadata: json,
  /** The trace that it was made from. */
  sourceTraceId: maybeText,
  sourceObservationId: maybeText,
  status: enumCell('ACTIVE', 'ARCHIVED'),
  createdAt: timeText,
  updatedAt: under('valid_from', timeText),
});
export type DatasetItemRecord = Kept<typeof DATASET_ITEMS>;
export type ItemStatus = DatasetItemRecord['status'];

export interface DatasetItemInit {
  /** One is made up where it is left out. */
  readonly id?: string;
  readonly input?: unknown;
  readonly expectedOutput?: unknown;
  readonly metadata?: unknown;
  readonly sourceTraceId?: string | null;
  readonly sourceObservationId?: string | null;
  readonly status?: ItemStatus;
}

/** States of a dataset that were there at some time, named by the sha256 of the active items. */
export const DATASET_VERSIONS = table({ hash: text, items: number, at: timeText });
export type DatasetVersionRecord = Kept<typeof DATASET_VERSIONS>;

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

export interface PromptPlaceholder {
  readonly type: 'placeholder';
  readonly name: string;
}

export type PromptBody =
  | { readonly type: 'text'; readonly prompt: string }
  | { readonly type: 'chat'; readonly prompt: readonly (ChatMessage | PromptPlaceholder)[] };

export type PromptRecord = PromptBody & {
  readonly name: string;
  /** From 1. */
  readonly version: number;
  readonly config: unknown;
  /** `latest` is always on the newest version; `production` is what is taken where no label is named. */
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  readonly commitMessage: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A version of a prompt as it is kept. */
export type StoredPrompt = PromptRecord & { readonly id: string };

export type PromptInit = PromptBody & {
  readonly name: string;
  readonly config?: unknown;
  readonly labels?: readonly string[];
  readonly tags?: readonly string[];
  readonly commitMessage?: string | null;
};

export const TRACES = table({
  id: text,
  timestamp: timeText,
  name: maybeText,
  input: json,
  output: json,
  metadata: json,
  userId: maybeText,
  sessionId: maybeText,
  release: maybeText,
  version: maybeText,
  environment: text,
  tags: texts,
  public: flag,
  createdAt: timeText,
  updatedAt: timeText,
});
export type TraceRecord = Kept<typeof TRACES>;

const LINKED_TEXT = z.string().nullable().default(null);
const LINKED_VALUE = z.unknown().default(null);
const EXPERIMENT_LINK = z.object({
  experimentId: z.string(),
  experimentName: z.string(),
  experimentDescription: LINKED_TEXT,
  experimentMetadata: LINKED_VALUE,
  datasetId: LINKED_TEXT,
  itemId: z.string(),
  itemExpectedOutput: LINKED_VALUE,
  itemMetadata: LINKED_VALUE,
  rootObservationId: LINKED_TEXT,
});
/** Of which experiment item an observation is a part. */
export type ExperimentLink = Readonly<z.infer<typeof EXPERIMENT_LINK>>;

export function experimentLink(row: StoreRow): ExperimentLink | null {
  const { data } = EXPERIMENT_LINK.nullable().safeParse(json(row, 'experiment'));
  return data === undefined ? damagedCell('experiment') : data;
}

export const OBSERVATIONS = table({
  id: text,
  traceId: text,
  parentObservationId: maybeText,
  /** SPAN, GENERATION, EVENT, and Langfuse's newer kinds (AGENT, TOOL, RETRIEVER …). */
  type: text,
  name: maybeText,
  startTime: timeText,
  endTime: maybeTimeText,
  completionStartTime: maybeTimeText,
  model: maybeText,
  modelParameters: json,
  input: json,
  output: json,
  metadata: json,
  level: text,
  statusMessage: maybeText,
  version: maybeText,
  environment: text,
  usageDetails: numbers,
  costDetails: numbers,
  promptName: maybeText,
  promptVersion: maybeNumber,
  experiment: experimentLink,
  createdAt: timeText,
  updatedAt: timeText,
});
export type ObservationRecord = Kept<typeof OBSERVATIONS>;

export const SCORES = table({
  id: text,
  name: text,
  dataType: enumCell('NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT', 'CORRECTION'),
  /** Null for a text or a category without a number. */
  value: maybeNumber,
  stringValue: maybeText,
  traceId: maybeText,
  observationId: maybeText,
  sessionId: maybeText,
  datasetRunId: maybeText,
  source: text,
  comment: maybeText,
  metadata: json,
  configId: maybeText,
  authorUserId: maybeText,
  environment: text,
  timestamp: timeText,
  createdAt: timeText,
  updatedAt: timeText,
});
export type ScoreRecord = Kept<typeof SCORES>;
export type ScoreType = ScoreRecord['dataType'];

export const DATASET_RUNS = table({
  id: text,
  datasetId: text,
  datasetName: text,
  name: text,
  description: maybeText,
  metadata: json,
  createdAt: timeText,
  updatedAt: timeText,
});
export type DatasetRunRecord = Kept<typeof DATASET_RUNS>;

export const RUN_ITEMS = table({
  id: text,
  datasetRunId: under('run_id', text),
  datasetRunName: under('run_name', text),
  datasetItemId: under('item_id', text),
  traceId: text,
  observationId: maybeText,
  createdAt: timeText,
  updatedAt: timeText,
});
export type DatasetRunItemRecord = Kept<typeof RUN_ITEMS>;
