import { describe, expect, test } from 'vitest';

import type { ConceptExtractor } from '../../../src/stream/concepts/extractor.ts';
import { streamCase } from '../../../src/stream/measure/stream-case.ts';
import type { RunLog, SummaryEvent } from '../../../src/stream/run-log-records.ts';
import { madeTrace, turn } from '../made-trace.ts';

/** Every word in capitals is a concept. */
const capitals: ConceptExtractor = {
  identity: { name: 'capitals', version: '1', settings: {}, knowledgeBase: null, stoplist: null },
  extract: (text) => Promise.resolve([...new Set(text.match(/\b[A-Z]{2,}\b/g))].sort()),
};

const HASH = `sha256:${'0'.repeat(64)}`;

function summary(index: number, window: readonly [number, number], text: string, more: object = {}): SummaryEvent {
  return {
    record_type: 'summary_event',
    case_id: 'c',
    variant_id: 'V0',
    event_index: index,
    event_id: `c-V0-se-00${index}`,
    timestamp: '2020-01-01T00:00:00.000Z',
    start_seq: window[0],
    end_seq: window[1],
    trigger_type: 'buffer_agent',
    summary_history_event_ids: [],
    latest_summary_event_id: index === 0 ? null : `c-V0-se-00${index - 1}`,
    new_buffer_text_hash: HASH,
    summary_content: {
      status_action: text,
      key_findings: '',
      differential_rationale: '',
      uncertainty_confidence: '',
      recommendation_next_step: '',
      agent_contributions: '',
    },
    summary_semantics_text: text,
    summary_ctu: 10,
    schema_ok: true,
    schema_error: null,
    limits_ok: true,
    failure_mode: null,
    llm_usage: { prompt_ctu: 100, completion_ctu: 10 },
    latency_ms: 1000,
    ...more,
  };
}

// Seqs: start 0, deltas 1 to 4, end 5.
const trace = madeTrace('c', [turn('a', 'FEVER @0', 'and COUGH @100', 'then RASH @200', 'or PAIN@400')]);

const log: RunLog = {
  meta: {
    record_type: 'run_meta',
    case_id: 'c',
    variant_id: 'V0',
    schema_name: 's',
    schema_version: '1',
    created_at: '',
    history_k: 3,
  },
  flushes: [],
  decisions: [],
  summaries: [
    summary(0, [1, 2], 'FEVER COUGH ASTHMA'),
    summary(1, [3, 3], 'FEVER RASH'),
    summary(2, [3, 3], 'PAIN everywhere', { schema_ok: false, failure_mode: 'length_limit_violation' }),
    summary(3, [4, 4], 'nothing to say'),
    summary(4, [4, 4], 'RASH PAIN'),
  ],
};

describe('a trace under a variant, as a case', () => {
  test('gold are the concepts of the trace, predicted those of the summaries that fit their schema', async () => {
    const made = await streamCase(trace, log, capitals, 'concat');
    expect(made.gold.map(({ text }) => text)).toEqual(['COUGH', 'FEVER', 'PAIN', 'RASH']);
    // PAIN is covered by the fifth summary only: 50 units had been written by then.
    expect(made.predicted.map(({ text, fields }) => [text, fields['ctu']])).toEqual([
      ['ASTHMA', 10],
      ['COUGH', 10],
      ['FEVER', 10],
      ['PAIN', 50],
      ['RASH', 20],
    ]);
  });

  test('each summary carries what it could not rest on, and how much it repeats', async () => {
    const made = await streamCase(trace, log, capitals, 'concat');
    const lines = (made.logged ?? []).filter(({ item }) => item.kind === 'summary');
    const fields = lines.map(({ item }) => item.fields);
    expect(fields.map((own) => own['redundancy'])).toEqual([undefined, 1 / 4, 0, 0, 0]);
    // Unsupported in the trace: ASTHMA of three. A summary without a concept has no share there, but 0 in its window.
    expect(fields.map((own) => own['unsupported_in_trace'])).toEqual([1 / 3, 0, undefined, undefined, 0]);
    expect(fields.map((own) => own['unsupported_in_window'])).toEqual([1 / 3, 1 / 2, undefined, 0, 1 / 2]);
    // FEVER of the second is in the first summary; RASH of the fifth is in nothing that it was given.
    expect(fields.map((own) => own['unsupported_in_contract'])).toEqual([1 / 3, 0, undefined, 0, 1 / 2]);
    expect(lines.map(({ verdict, rule }) => [verdict, rule])).toEqual([
      ['hit', 'schema'],
      ['hit', 'schema'],
      ['spurious', 'length_limit_violation'],
      ['hit', 'schema'],
      ['hit', 'schema'],
    ]);
  });

  test('each concept of a summary says what it rests on', async () => {
    const made = await streamCase(trace, log, capitals, 'concat');
    const lines = (made.logged ?? []).filter(({ item }) => item.kind === 'grounding');
    expect(lines.map(({ item, verdict, rule }) => `${item.index} ${item.text} ${verdict} ${rule}`)).toEqual([
      '0 ASTHMA spurious unsupported',
      '0 COUGH hit in-window',
      '0 FEVER hit in-window',
      '1 FEVER hit in-latest-summary',
      '1 RASH hit in-window',
      '4 PAIN hit in-window',
      '4 RASH spurious unsupported',
    ]);
  });

  test('the trace has its units and its time', async () => {
    const made = await streamCase(trace, log, capitals, 'concat');
    // "FEVER and COUGH then RASH or PAIN" has 33 characters.
    expect((made.logged ?? [])[0]?.item.fields).toEqual({
      trace_ctu: 9,
      duration_ms: 400,
      join: 'concat',
      cut_words: 0,
      parsing_statistics: {
        included_message_chunks: 4,
        excluded_orchestrator_summary: 0,
        excluded_system_note: 0,
        excluded_other_subtype: 0,
        excluded_by_agent: 0,
        missing_event_subtype: 4,
      },
      agents: [{ name: 'a', turns: [[0, 400]] }],
    });
  });
});
