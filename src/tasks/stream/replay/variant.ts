import type { SummaryLimits } from '../run-log-records.ts';
import type { GatePolicy } from './token-gate.ts';

/** What calls the middleware to look at what has come. */
export type Trigger =
  | { readonly kind: 'gate'; readonly gate: GatePolicy }
  | { readonly kind: 'turn-end'; readonly timestamp: 'last-delta' | 'boundary' }
  | { readonly kind: 'fixed-ctu'; readonly chunkCtu: number };

/** One variant of the middleware: what triggers it, whether it asks before it summarises, and how much it remembers. */
export interface Variant {
  readonly id: string;
  readonly name: string;
  readonly policy: string;
  readonly trigger: Trigger;
  /** Null: what is triggered is summarised at once. */
  readonly bufferAgent: { readonly novelty: boolean } | null;
  /** False: nothing is summarised, only the gate's flushes are logged. */
  readonly summarizer: boolean;
  /** Whether what the gate holds at the end of the trace is summarised; else it stays as an unsummarised tail. */
  readonly summarizeTail: boolean;
  readonly historyK: number;
  /** The longest that each field of a summary may be. */
  readonly limits: SummaryLimits;
}
