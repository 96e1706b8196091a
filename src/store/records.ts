/** What the store keeps: the nouns of Langfuse, since the same data goes there and comes from there. */

export interface DatasetRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: unknown;
  /** JSON Schema that every item's input has to fit; null where any will do. */
  readonly inputSchema: unknown;
  readonly expectedOutputSchema: unknown;
  /** An archived dataset is kept and left out of lists. */
  readonly archived: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DatasetInit {
  readonly name: string;
  readonly description?: string | null;
  readonly metadata?: unknown;
  readonly inputSchema?: unknown;
  readonly expectedOutputSchema?: unknown;
}

export type ItemStatus = 'ACTIVE' | 'ARCHIVED';

export interface DatasetItemRecord {
  readonly id: string;
  readonly datasetId: string;
  readonly datasetName: string;
  readonly input: unknown;
  readonly expectedOutput: unknown;
  readonly metadata: unknown;
  /** The trace that it was made from. */
  readonly sourceTraceId: string | null;
  readonly sourceObservationId: string | null;
  readonly status: ItemStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
}

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

/** A state of a dataset that was there at some time, named by what was in it. */
export interface DatasetVersionRecord {
  /** sha256 of its active items. */
  readonly hash: string;
  readonly items: number;
  readonly at: string;
}

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

export interface TraceRecord {
  readonly id: string;
  readonly timestamp: string;
  readonly name: string | null;
  readonly input: unknown;
  readonly output: unknown;
  readonly metadata: unknown;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly release: string | null;
  readonly version: string | null;
  readonly environment: string;
  readonly tags: readonly string[];
  readonly public: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Of which experiment item an observation is a part. */
export interface ExperimentLink {
  readonly experimentId: string;
  readonly experimentName: string;
  readonly experimentDescription: string | null;
  readonly experimentMetadata: unknown;
  readonly datasetId: string | null;
  readonly itemId: string;
  readonly itemExpectedOutput: unknown;
  readonly itemMetadata: unknown;
  readonly rootObservationId: string | null;
}

export interface ObservationRecord {
  readonly id: string;
  readonly traceId: string;
  readonly parentObservationId: string | null;
  /** SPAN, GENERATION, EVENT, and Langfuse's newer kinds (AGENT, TOOL, RETRIEVER …). */
  readonly type: string;
  readonly name: string | null;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly completionStartTime: string | null;
  readonly model: string | null;
  readonly modelParameters: unknown;
  readonly input: unknown;
  readonly output: unknown;
  readonly metadata: unknown;
  readonly level: string;
  readonly statusMessage: string | null;
  readonly version: string | null;
  readonly environment: string;
  readonly usageDetails: Readonly<Record<string, number>>;
  readonly costDetails: Readonly<Record<string, number>>;
  readonly promptName: string | null;
  readonly promptVersion: number | null;
  readonly experiment: ExperimentLink | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type ScoreType = 'NUMERIC' | 'CATEGORICAL' | 'BOOLEAN' | 'TEXT' | 'CORRECTION';

export interface ScoreRecord {
  readonly id: string;
  readonly name: string;
  readonly dataType: ScoreType;
  /** Null for a text or a category without a number. */
  readonly value: number | null;
  readonly stringValue: string | null;
  readonly traceId: string | null;
  readonly observationId: string | null;
  readonly sessionId: string | null;
  readonly datasetRunId: string | null;
  readonly source: string;
  readonly comment: string | null;
  readonly metadata: unknown;
  readonly configId: string | null;
  readonly authorUserId: string | null;
  readonly environment: string;
  readonly timestamp: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DatasetRunRecord {
  readonly id: string;
  readonly datasetId: string;
  readonly datasetName: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: unknown;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DatasetRunItemRecord {
  readonly id: string;
  readonly datasetRunId: string;
  readonly datasetRunName: string;
  readonly datasetItemId: string;
  readonly traceId: string;
  readonly observationId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What is to be changed: what is left out or undefined stays as it was. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };
