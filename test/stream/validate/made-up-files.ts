import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { onTestFinished } from 'vitest';

import type { FileFinding } from '../../../src/stream/validate/findings.ts';
import type { Limits } from '../../../src/stream/validate/record-file.ts';
import { validateFiles, type Validation } from '../../../src/stream/validate/validate.ts';

/** A record that a test may damage. */
export type Made = Record<string, unknown>;

/** 2026-01-05T10:00:00.000Z */
export const T0 = 1_767_607_200_000;

export const sha256 = (content: string | Buffer): string => `sha256:${hash('sha256', content)}`;
export const linesOf = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/**
 * A conversation of two turns, as records:
 * 1 trace_meta; 2 alice starts (seq 0); 3, 4, 5 her deltas (1 to 3); 6 her end (4); 7 bob starts (5); 8, 9 his deltas
 * (6, 7); 10 his end (8).
 */
export function madeUpTrace(caseId = 'case-1'): Made[] {
  const boundary = (kind: 'start' | 'end', turn: number, agent: string, seq: number, after: number): Made => ({
    record_type: 'turn_boundary',
    case_id: caseId,
    boundary: kind,
    turn_id: turn,
    agent_id: agent,
    seq,
    t_ms: T0 + after,
    t_rel_ms: after,
  });
  const delta = (turn: number, agent: string, seq: number, after: number, text: string): Made => ({
    record_type: 'stream_delta',
    case_id: caseId,
    turn_id: turn,
    agent_id: agent,
    seq,
    t_emitted_ms: T0 + after,
    t_rel_ms: after,
    delta_text: text,
  });
  return [
    {
      record_type: 'trace_meta',
      case_id: caseId,
      t0_emitted_ms: T0,
      total_deltas: 5,
      total_turns: 2,
      mas_run_id: 'mas',
    },
    boundary('start', 1, 'alice', 0, -500),
    delta(1, 'alice', 1, 0, 'The fever'),
    delta(1, 'alice', 2, 100, ' began'),
    delta(1, 'alice', 3, 200, ' on Monday.'),
    { ...boundary('end', 1, 'alice', 4, 210), content_hash: sha256('The fever began on Monday.') },
    boundary('start', 2, 'bob', 5, 300),
    delta(2, 'bob', 6, 1000, 'I see'),
    delta(2, 'bob', 7, 1100, ' no rash.'),
    { ...boundary('end', 2, 'bob', 8, 1105), content_hash: sha256('I see no rash.') },
  ];
}

const SUMMARY = {
  status_action: 'Fever reported.',
  key_findings: 'Fever since Monday.',
  differential_rationale: 'None yet.',
  uncertainty_confidence: 'Unsure.',
  recommendation_next_step: 'Look for a rash.',
  agent_contributions: 'alice: history',
};
/** 15 + 1 + 19 + 1 + 9 + 1 + 7 + 1 + 16 = 70 code points. */
const SEMANTICS = 'Fever reported. Fever since Monday. None yet. Unsure. Look for a rash.';

type Window = readonly [start: number, end: number];

/** The records of a log in short: windows with what the checks look at. */
export interface LogParts {
  readonly flushes?: readonly (readonly [...Window, reason: string, text: string])[];
  readonly decisions?: readonly (readonly [...Window, inputCtu: number, decision: string])[];
  /** With the text that was summarised, as it is rendered. */
  readonly summaries?: readonly (readonly [...Window, trigger: string, text: string])[];
}

/** A log of these parts, with times from the trace. */
export function logOf(
  { flushes = [], decisions = [], summaries = [] }: LogParts,
  trace: readonly Made[] = madeUpTrace(),
  caseId = 'case-1',
): Made[] {
  const belongs = { case_id: caseId, variant_id: 'V0' };
  const id = (index: number): string => `${caseId}-V0-se-00${index}`;
  const emitted = trace.filter((record) => record['record_type'] === 'stream_delta');
  const placed = (start: number, end: number): Made => {
    const at = emitted.findLast((delta) => Number(delta['seq']) <= end);
    return { start_seq: start, end_seq: end, timestamp: new Date(Number(at?.['t_emitted_ms'])).toISOString() };
  };
  return [
    {
      record_type: 'run_meta',
      ...belongs,
      schema_name: 'assay.stream.run',
      schema_version: '1.0.0',
      created_at: '2026-01-05T10:00:00.000Z',
      history_k: 3,
      trace_file_hash: sha256(linesOf(trace)),
      timestamp_derivation: {
        derived_from_t_emitted: flushes.length + decisions.length + summaries.length,
        derived_from_fallback: 0,
        missing_t_emitted_ms_count: 0,
      },
    },
    ...flushes.map(([start, end, reason, text], at) => ({
      record_type: 'tokengate_flush',
      ...belongs,
      flush_index: at,
      ...placed(start, end),
      accumulated_ctu: Math.ceil(text.length / 4),
      trigger_reason: reason,
      text_hash: sha256(text),
    })),
    ...decisions.map(([start, end, units, decision], at) => ({
      record_type: 'buffer_decision',
      ...belongs,
      decision_index: at,
      decision_id: `${caseId}-V0-bd-00${at}`,
      ...placed(start, end),
      input_ctu: units,
      decision,
      filter_results: { completeness_passed: true, value_passed: true, novelty_passed: null },
      llm_usage: { model_id: 'none' },
    })),
    ...summaries.map(([start, end, trigger, text], at) => ({
      record_type: 'summary_event',
      ...belongs,
      event_index: at,
      event_id: id(at),
      ...placed(start, end),
      trigger_type: trigger,
      summary_history_event_ids: [at - 4, at - 3, at - 2].filter((index) => index >= 0).map(id),
      latest_summary_event_id: at === 0 ? null : id(at - 1),
      new_buffer_text_hash: sha256(text),
      summarizer_input_text: 'input',
      summarizer_input_hash: sha256('input'),
      summary_content: SUMMARY,
      summary_semantics_text: SEMANTICS,
      summary_ctu: 18,
      schema_ok: true,
      schema_error: null,
      limits_ok: true,
      failure_mode: null,
      llm_usage: { model_id: 'none' },
    })),
  ];
}

/**
 * What a variant did that summarises every delta: 1 run_meta; 2 to 6 flushes; 7 to 11 decisions; 12 to 16 summaries.
 * "(Buffer empty)", a newline, "alice:", a newline and "The fever" have 31 code points, 8 units.
 */
export function madeUpLog(trace: readonly Made[] = madeUpTrace(), caseId = 'case-1'): Made[] {
  const pieces = [
    [1, 'alice', 'The fever', 8],
    [2, 'alice', ' began', 7],
    [3, 'alice', ' on Monday.', 9],
    [6, 'bob', 'I see', 7],
    [7, 'bob', ' no rash.', 8],
  ] as const;
  return logOf(
    {
      flushes: pieces.map(([seq, , text]) => [seq, seq, seq === 7 ? 'end_of_trace' : 'max_words', text]),
      decisions: pieces.map(([seq, , , units]) => [seq, seq, units, 'summarize']),
      summaries: pieces.map(([seq, agent, text]) => [seq, seq, 'buffer_agent', `${agent}:\n${text}`]),
    },
    trace,
    caseId,
  );
}

export const CASE_LIST = '{"case_id":"case-1","index":0}\n{"case_id":"case-2","index":1}\n';

/** 1 manifest_meta; 2 provenance; 3, 4 the entries of case-1 and case-2; 5 summary. */
export function madeUpManifest(traces: readonly (readonly Made[])[] = [madeUpTrace(), madeUpTrace('case-2')]): Made[] {
  const hashes = traces.map((trace, at) => [`case-${at + 1}`, sha256(linesOf(trace))] as const);
  const dataset = `{"case_list_hash":"${sha256(CASE_LIST)}","mas_run_id":"mas","traces":${JSON.stringify(hashes)}}`;
  return [
    { record_type: 'manifest_meta', schema_version: '1.0.0', dataset_id: 'set', mas_run_id: 'mas' },
    { record_type: 'provenance', case_list_hash: sha256(CASE_LIST), trace_dataset_hash: sha256(dataset) },
    ...hashes.map(([id, own]) => ({
      record_type: 'trace_entry',
      case_id: id,
      file: `${id}.trace.jsonl.gz`,
      sha256: own,
      delta_count: 5,
      turn_count: 2,
    })),
    { record_type: 'summary', total_cases: 2, total_deltas: 10, total_turns: 4 },
  ];
}

/** Files by path; what ends in .gz is packed. */
export type Files = Readonly<Record<string, readonly unknown[] | string | Buffer>>;

export function writeFiles(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-stream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const bytes = Buffer.isBuffer(content)
      ? content
      : Buffer.from(typeof content === 'string' ? content : linesOf(content));
    writeFileSync(join(folder, name), name.endsWith('.gz') && !Buffer.isBuffer(content) ? gzipSync(bytes) : bytes);
  }
  return folder;
}

export interface Validated extends Validation {
  readonly found: readonly FileFinding[];
  /** `file:record check`, from the folder on. */
  readonly places: readonly string[];
}

export async function validate(
  files: Files,
  options: { readonly complete?: boolean; readonly limits?: Limits } = {},
): Promise<Validated> {
  const folder = writeFiles(files);
  const found: FileFinding[] = [];
  const result = await validateFiles({
    paths: [folder],
    report: (finding) => void found.push({ ...finding, file: finding.file.slice(folder.length + 1) }),
    ...options,
  });
  const places = found.map(({ file, record, check }) => `${file}${record === null ? '' : `:${record}`} ${check}`);
  return { ...result, found, places };
}
