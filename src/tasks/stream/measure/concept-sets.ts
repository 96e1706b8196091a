import type { ConceptExtractor } from '../concepts/extractor.ts';
import { messageText, type Join } from '../canonical-text.ts';
import type { RunLog, SummaryEvent } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';

/** The concepts that one summary and its support have. */
export interface SummaryConcepts {
  readonly event: SummaryEvent;
  /** Of the summary; none where it did not fit its schema. */
  readonly own: ReadonlySet<string>;
  /** Messages between its start_seq and end_seq; none where a late flush ends before the first one starts. */
  readonly windowDeltas: number;
  /** Of the text between its start_seq and end_seq. */
  readonly window: ReadonlySet<string>;
  /** Of that text and the summary before it together: what the summariser was given. */
  readonly contract: ReadonlySet<string>;
}

export interface CaseConcepts {
  readonly trace: ReadonlySet<string>;
  readonly summaries: readonly SummaryConcepts[];
}

/** What the extractor finds in a trace, in each summary and in what each summary could rest on. */
export async function caseConcepts(
  trace: Trace,
  traceText: string,
  log: RunLog,
  extractor: ConceptExtractor,
  join: Join,
): Promise<CaseConcepts> {
  const found = async (text: string): Promise<ReadonlySet<string>> => new Set(await extractor.extract(text));
  const byId = new Map(log.summaries.map((event) => [event.event_id, event]));
  const summaries: SummaryConcepts[] = [];
  for (const event of log.summaries) {
    if (!event.schema_ok) {
      summaries.push({ event, own: NONE, windowDeltas: 0, window: NONE, contract: NONE });
      continue;
    }
    const range = { start: event.start_seq, end: event.end_seq };
    const { text: window, counters } = messageText(trace, { join, window: range });
    const latest = event.latest_summary_event_id === null ? undefined : byId.get(event.latest_summary_event_id);
    summaries.push({
      event,
      own: await found(event.summary_semantics_text),
      windowDeltas: counters.included,
      window: await found(window),
      contract: await found(latest === undefined ? window : `${window} ${latest.summary_semantics_text}`),
    });
  }
  return { trace: await found(traceText), summaries };
}

const NONE: ReadonlySet<string> = new Set();

/** The share of concepts that the support does not have; null where there is no concept. */
export function unsupportedShare(own: ReadonlySet<string>, support: ReadonlySet<string>): number | null {
  return own.size === 0 ? null : own.difference(support).size / own.size;
}

/** Jaccard similarity; two empty sets have 0 in common, since neither repeats anything. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const union = a.union(b).size;
  return union === 0 ? 0 : a.intersection(b).size / union;
}
