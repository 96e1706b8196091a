import { type Case, type Item, type Logged, makeCase, makeItem } from '../../index.ts';
import { compareText, type Fields } from '../../plugin.ts';
import { agentTurns, seqClock } from '../seq-clock.ts';
import { canonicalText, type Join, messageText } from '../canonical-text.ts';
import type { ConceptExtractor } from '../concepts/extractor.ts';
import { ctu } from '../ctu.ts';
import { cutWords } from '../cut-words.ts';
import { isFailedDecision } from '../failed-call.ts';
import { withoutPadding } from '../padded-deltas.ts';
import { parsingStatistics } from '../parsing-statistics.ts';
import type { RunLog, SummaryEvent, TokengateFlush } from '../run-log-records.ts';
import { type TimedRecord, timeSources } from '../time-sources.ts';
import type { Trace } from '../trace-records.ts';

/**
 * A trace under one variant as a case: gold are the concepts of the trace, predicted those of the summaries together.
 * Everything else that is counted (each summary, each of its concepts, decisions, flushes, the trace) is logged with it
 * and becomes lines of the ledger as it is.
 */
export async function streamCase(trace: Trace, log: RunLog, extractor: ConceptExtractor, join: Join): Promise<Case> {
  const { text } = canonicalText(trace, { join });
  const named = (id: string): Fields => {
    const name = extractor.nameOf?.(id) ?? null;
    return name === null ? {} : { name };
  };
  const concepts = await caseConcepts(trace, text, log, extractor, join);
  const timed = timesOf(trace, log);
  return makeCase({
    id: trace.meta.case_id,
    fields: { stub: trace.meta.stub_mode === true },
    gold: [...concepts.trace].sort(compareText).map((id, index) => conceptItem(id, index, named(id))),
    predicted: coveredAt(concepts).map(([id, at], index) => conceptItem(id, index, { ctu: at, ...named(id) })),
    logged: [
      traceLine(trace, text, join),
      ...summaryLines(concepts, timed),
      ...groundingLines(concepts, named),
      ...decisionLines(log, timed),
      ...flushLines(log, timed),
    ],
  });
}

/** The concepts that one summary and its support have. */
interface SummaryConcepts {
  readonly event: SummaryEvent;
  /** Of the summary; none if it did not fit its schema. */
  readonly own: ReadonlySet<string>;
  /** Messages between its start_seq and end_seq; none if a late flush ends before the first one starts. */
  readonly windowDeltas: number;
  /** Of the text between its start_seq and end_seq. */
  readonly window: ReadonlySet<string>;
  /** Of that text and the summary before it together: what the summariser was given. */
  readonly contract: ReadonlySet<string>;
}

interface ConceptSets {
  readonly trace: ReadonlySet<string>;
  readonly summaries: readonly SummaryConcepts[];
}

/** What the extractor finds in a trace, in each summary and in what each summary could rest on. */
async function caseConcepts(
  trace: Trace,
  traceText: string,
  log: RunLog,
  extractor: ConceptExtractor,
  join: Join,
): Promise<ConceptSets> {
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

/** The share of concepts that the support does not have; null if there is no concept. */
function unsupportedShare(own: ReadonlySet<string>, support: ReadonlySet<string>): number | null {
  return own.size === 0 ? null : own.difference(support).size / own.size;
}

/** Jaccard similarity; two empty sets have 0 in common, since neither repeats anything. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const union = a.union(b).size;
  return union === 0 ? 0 : a.intersection(b).size / union;
}

function conceptItem(id: string, index: number, fields: Fields): Item {
  return makeItem({ kind: 'concept', index, label: 'concept', text: id, fields });
}

/** The concepts of all summaries, each with the units that had been written when it was there for the first time. */
function coveredAt({ summaries }: ConceptSets): [string, number][] {
  const first = new Map<string, number>();
  let written = 0;
  for (const { event, own } of summaries) {
    written += event.summary_ctu;
    for (const id of own) if (!first.has(id)) first.set(id, written);
  }
  return [...first].sort(([a], [b]) => compareText(a, b));
}

/** The times of a record: its window on the trace's own clock, and where its timestamp comes from if not from there. */
type Times = (record: TimedRecord & { readonly start_seq: number }) => Fields;

function timesOf(trace: Trace, { flushes, decisions, summaries }: RunLog): Times {
  const clock = seqClock(trace);
  const records: readonly TimedRecord[] = [...flushes, ...decisions, ...summaries];
  const sources = new Map(timeSources(trace, records).map((source, at) => [records[at]!, source]));
  return (record) => {
    const [start, end] = [clock(record.start_seq), clock(record.end_seq)];
    const source = sources.get(record) ?? 'trace';
    return {
      ...(start === null ? {} : { start_ms: start }),
      ...(end === null ? {} : { end_ms: end }),
      ...(source === 'trace' ? {} : { time_source: source }),
    };
  };
}

function traceLine(trace: Trace, text: string, join: Join): Logged {
  const times = trace.deltas.map(({ t_rel_ms: time }) => time);
  const clock = trace.meta.decoding?.assay?.clock;
  const deltas = withoutPadding(trace);
  // A space that was added to every delta cuts what a join by spaces would have cut.
  const cut = deltas === null ? cutWords(trace, join) : cutWords({ deltas }, 'space');
  const fields = {
    trace_ctu: ctu(text),
    duration_ms: (times.at(-1) ?? 0) - (times[0] ?? 0),
    ...(clock === undefined ? {} : { clock }),
    join,
    cut_words: cut.words,
    ...(cut.words === 0 ? {} : { cuts: cut.cuts, cut_examples: cut.examples }),
    ...(deltas === null ? {} : { padded: true }),
    parsing_statistics: parsingStatistics(trace.deltas),
    agents: agentTurns(trace),
  };
  return {
    item: makeItem({ kind: 'trace', index: 0, label: 'trace', text: trace.meta.case_id, fields }),
    verdict: 'excused',
    rule: 'logged',
  };
}

function summaryLines({ trace, summaries }: ConceptSets, timed: Times): Logged[] {
  return summaries.map(({ event, own, windowDeltas, window, contract }, at): Logged => {
    const before = summaries[at - 1];
    const inTrace = unsupportedShare(own, trace);
    const fields = {
      summary_ctu: event.summary_ctu,
      ...(event.latency_ms === undefined ? {} : { latency_ms: event.latency_ms }),
      prompt_ctu: event.llm_usage.prompt_ctu ?? null,
      completion_ctu: event.llm_usage.completion_ctu ?? null,
      start_seq: event.start_seq,
      end_seq: event.end_seq,
      ...timed(event),
      ...(before === undefined ? {} : { redundancy: overlap(before.own, own) }),
      ...(event.schema_ok
        ? {
            concepts: own.size,
            window_deltas: windowDeltas,
            ...(inTrace === null ? {} : { unsupported_in_trace: inTrace }),
            // A summary without a concept claims nothing that could lack support.
            unsupported_in_window: unsupportedShare(own, window) ?? 0,
            unsupported_in_contract: unsupportedShare(own, contract) ?? 0,
          }
        : {}),
    };
    const { event_index: index, trigger_type: label, summary_semantics_text: text } = event;
    return {
      item: makeItem({ kind: 'summary', index, label, text: text.trim(), fields }),
      verdict: event.schema_ok ? 'hit' : 'spurious',
      rule: event.schema_ok ? 'schema' : (event.failure_mode ?? 'schema'),
      ...(event.schema_error === null ? {} : { because: event.schema_error }),
    };
  });
}

function groundingLines({ trace, summaries }: ConceptSets, named: (id: string) => Fields): Logged[] {
  return summaries.flatMap(({ event, own, window, contract }) =>
    [...own].sort(compareText).map((id): Logged => {
      const supported = contract.has(id);
      const support = { in_trace: trace.has(id), in_window: window.has(id), in_contract: supported };
      return {
        item: makeItem({
          kind: 'grounding',
          index: event.event_index,
          label: 'concept',
          text: id,
          fields: { ...support, ...named(id) },
        }),
        verdict: supported ? 'hit' : 'spurious',
        rule: window.has(id) ? 'in-window' : supported ? 'in-latest-summary' : 'unsupported',
        because: `summary ${event.event_index}, seq ${event.start_seq} to ${event.end_seq}${supported ? '' : whereElse(support.in_trace)}`,
      };
    }),
  );
}

function whereElse(inTrace: boolean): string {
  return `: neither there nor in the summary before; ${inTrace ? 'elsewhere in the trace' : 'nowhere in the trace'}`;
}

function decisionLines({ decisions }: RunLog, timed: Times): Logged[] {
  return decisions.map((decision): Logged => {
    const { decision_index: index, decision: label, llm_usage: usage } = decision;
    const failed = isFailedDecision(decision);
    const fields = {
      input_ctu: decision.input_ctu,
      ...(decision.latency_ms === undefined ? {} : { latency_ms: decision.latency_ms }),
      prompt_ctu: usage.prompt_ctu ?? null,
      completion_ctu: usage.completion_ctu ?? null,
      start_seq: decision.start_seq,
      end_seq: decision.end_seq,
      ...timed(decision),
    };
    return {
      item: makeItem({ kind: 'decision', index, label, fields }),
      verdict: 'excused',
      rule: failed ? 'failed-call' : 'logged',
      ...(decision.error === undefined || decision.error === null ? {} : { because: decision.error }),
    };
  });
}

/**
 * The time from flush to flush in milliseconds, by flush; null for the first, and where time would run backwards (agents
 * flush out of turn at the end of a trace): the earlier flush then stays the one that is measured from.
 */
export function flushIntervals(flushes: readonly Pick<TokengateFlush, 'timestamp'>[]): (number | null)[] {
  let from: number | null = null;
  return flushes.map(({ timestamp }) => {
    const time = Date.parse(timestamp);
    if (from === null) {
      from = time;
      return null;
    }
    if (time < from) return null;
    const interval = time - from;
    from = time;
    return interval;
  });
}

function flushLines({ flushes }: RunLog, timed: Times): Logged[] {
  const intervals = flushIntervals(flushes);
  return flushes.map((flush, at): Logged => {
    const interval = intervals[at] ?? null;
    const fields = {
      ctu: flush.accumulated_ctu,
      ...(interval === null ? {} : { interval_ms: interval }),
      reason: flush.trigger_reason,
      start_seq: flush.start_seq,
      end_seq: flush.end_seq,
      ...timed(flush),
    };
    return {
      item: makeItem({ kind: 'flush', index: flush.flush_index, label: flush.trigger_reason, fields }),
      verdict: 'excused',
      rule: 'logged',
    };
  });
}
