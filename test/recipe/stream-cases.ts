import { type Case, type Logged, makeCase } from '../../src/data/case.ts';
import { type Fields, type Item, makeItem } from '../../src/data/item.ts';
import { logged } from '../measure/logged-items.ts';

export interface MadeStream {
  readonly fields?: Fields;
  readonly failed?: string;
  /** Concepts of the trace, and those of the summaries with the CTU at which each was there first. */
  readonly trace?: readonly string[];
  readonly covered?: Readonly<Record<string, number>>;
  readonly traceCtu?: number;
  readonly durationMs?: number;
  /** `ok: false` is a schema failure. */
  readonly summaries?: readonly (Fields & { readonly ok?: boolean })[];
  readonly decisions?: readonly Fields[];
  readonly flushes?: readonly Fields[];
}

function concepts(ids: readonly string[], fields: (id: string) => Fields = () => ({})): Item[] {
  return ids.map((text, index) => makeItem({ kind: 'concept', index, label: 'concept', text, fields: fields(text) }));
}

/** A trace under one variant, as the stream task makes a case of it. */
export function streamCase(id: string, made: MadeStream): Case {
  const { covered = {}, summaries = [], decisions = [], flushes = [] } = made;
  const numbered = (one: Logged, index: number): Logged => ({ ...one, item: { ...one.item, index } });
  return makeCase({
    id,
    fields: made.fields ?? {},
    failed: made.failed ?? null,
    gold: concepts(made.trace ?? []),
    predicted: concepts(Object.keys(covered), (text) => ({ ctu: covered[text] })),
    logged: [
      logged('trace', { trace_ctu: made.traceCtu ?? 1000, duration_ms: made.durationMs ?? 20_000 }),
      ...summaries.map(({ ok = true, ...fields }, at) =>
        numbered(logged('summary', fields, ok ? 'hit' : 'spurious', { rule: 'schema' }), at),
      ),
      ...decisions.map((fields, at) => numbered(logged('decision', fields), at)),
      ...flushes.map((fields, at) => numbered(logged('flush', fields), at)),
    ],
  });
}

/** Three traces, small enough to work every measure out by hand. */
export const THREE: readonly Case[] = [
  streamCase('a', {
    fields: { agents: 2 },
    trace: ['C1', 'C2', 'C3', 'C4'],
    covered: { C1: 100, C2: 300, C9: 300 },
    traceCtu: 1000,
    durationMs: 20_000,
    summaries: [
      {
        summary_ctu: 100,
        latency_ms: 1000,
        prompt_ctu: 400,
        completion_ctu: 110,
        unsupported_in_trace: 0,
        unsupported_in_window: 0,
        unsupported_in_contract: 0,
      },
      {
        summary_ctu: 200,
        latency_ms: 2000,
        prompt_ctu: 500,
        completion_ctu: 210,
        redundancy: 0.85,
        unsupported_in_trace: 0.5,
        unsupported_in_window: 1,
        unsupported_in_contract: 0.5,
      },
    ],
    decisions: [
      { latency_ms: 500, prompt_ctu: 50, completion_ctu: 10, input_ctu: 40 },
      { latency_ms: 1500, prompt_ctu: 60, completion_ctu: 10, input_ctu: 50 },
      { prompt_ctu: 70, completion_ctu: 0, input_ctu: 60 },
    ],
    flushes: [
      { ctu: 100, reason: 'boundary_cue' },
      { ctu: 140, interval_ms: 3000, reason: 'boundary_cue' },
      { ctu: 30, interval_ms: 5000, reason: 'end_of_trace' },
    ],
  }),
  streamCase('b', {
    fields: { agents: 3 },
    trace: ['C1', 'C5'],
    covered: { C1: 500 },
    traceCtu: 500,
    durationMs: 10_000,
    summaries: [
      { ok: false, summary_ctu: 300, latency_ms: 600, prompt_ctu: 300, completion_ctu: 300 },
      {
        summary_ctu: 200,
        latency_ms: 400,
        prompt_ctu: 300,
        completion_ctu: 200,
        redundancy: 0,
        unsupported_in_trace: 0,
        unsupported_in_window: 0.25,
        unsupported_in_contract: 0,
      },
    ],
  }),
  streamCase('c', { fields: { agents: 3 }, trace: ['C7'], traceCtu: 200, durationMs: 5000 }),
];
