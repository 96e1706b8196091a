import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { BufferDecision } from '../../src/stream/run-log-records.ts';
import { canonicalText } from '../../src/stream/canonical-text.ts';
import { heuristicModel } from '../../src/stream/replay/heuristic-model.ts';
import { recordedModel } from '../../src/stream/replay/recorded-model.ts';
import { readRunLog } from '../../src/stream/read-run-log.ts';
import { readTrace, traceFiles } from '../../src/stream/read-trace.ts';
import { readVariant } from '../../src/stream/replay/read-variant.ts';
import { replayCase } from '../../src/stream/replay/replay-case.ts';
import { noReference, referencePath } from './reference-data.ts';

/** What a log says that does not depend on how a prompt is worded. */
const FLUSH = [
  'flush_index',
  'case_id',
  'start_seq',
  'end_seq',
  'accumulated_ctu',
  'trigger_reason',
  'text_hash',
  'timestamp',
] as const;
const DECISION = [
  'decision_index',
  'decision_id',
  'start_seq',
  'end_seq',
  'timestamp',
  'input_ctu',
  'decision',
  'filter_results',
  'latency_ms',
] as const;
const SUMMARY = [
  'event_index',
  'event_id',
  'start_seq',
  'end_seq',
  'timestamp',
  'trigger_type',
  'summary_history_event_ids',
  'latest_summary_event_id',
  'new_buffer_text_hash',
  'summary_semantics_text',
  'summary_ctu',
  'summary_content',
  'schema_ok',
  'schema_error',
  'limits_ok',
  'failure_mode',
] as const;

function picked<T extends object, K extends keyof T>(records: readonly T[], fields: readonly K[]): Pick<T, K>[] {
  return records.map((record) => Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<T, K>);
}

/** A failed call has null in the published logs, against their own schema; ours have nothing there. */
function withoutNulls(decision: BufferDecision): BufferDecision {
  const { completeness_passed: complete, value_passed: relevant, ...rest } = decision.filter_results;
  return complete === null && relevant === null ? { ...decision, filter_results: rest } : decision;
}

const AS_PUBLISHED = ['maxWait=first-buffer-only', 'turnTimestamp=boundary', 'chunkCtu=126'];

describe.skipIf(noReference)('the published logs, from the published traces and the recorded answers', () => {
  test.each(['V0', 'V1', 'V2', 'V3', 'V4'])('%s: every flush, decision and summary', async (name) => {
    const variant = readVariant(name, null, AS_PUBLISHED);
    const model = recordedModel(referencePath('stream/runs'));
    const files = traceFiles(referencePath('stream/traces'));
    expect(files).toHaveLength(8);
    for (const file of files) {
      const trace = await readTrace(file);
      const log = await readRunLog(referencePath(`stream/runs/${name}/${basename(file)}`));
      const got = await replayCase(trace, variant, model, `${trace.meta.case_id}.trace`);
      expect(picked(got.flushes, FLUSH)).toEqual(picked(log.flushes, FLUSH));
      expect(picked(got.decisions, DECISION)).toEqual(picked(log.decisions.map(withoutNulls), DECISION));
      expect(picked(got.summaries, SUMMARY)).toEqual(picked(log.summaries, SUMMARY));
      expect(got.timestamps.fromFallback).toBe(log.meta.timestamp_derivation?.derived_from_fallback);
    }
  });

  test('the variants of the published configuration are understood', () => {
    const names = readdirSync(referencePath('stream/configs/variants'));
    expect(names).toHaveLength(5);
    for (const name of ['V0', 'V1', 'V2', 'V3', 'V4']) {
      const { resolved: _own, notices: _said, name: _title, ...ours } = readVariant(name, null);
      const {
        resolved: _theirs,
        notices,
        name: _other,
        ...published
      } = readVariant(name, referencePath('stream/configs'));
      expect(published).toEqual(ours);
      expect(notices).toHaveLength(name === 'V3' ? 1 : 0);
    }
  });

  test('of the four traces with overlapping turns, gate and turn ends are as in their published logs', async () => {
    // Counts of tokengate_flush in V0 and summary_event in V1 of runs_baseline_gemini25flashlite, AbemKW/EXAIM-MedGemma-Impact.
    const published = { V0: [41, 40, 71, 45], V1: [7, 7, 12, 10] };
    const traces = await Promise.all(traceFiles(referencePath('stream/traces_overlapping')).map(readTrace));
    const replayed = async (name: string) => {
      const variant = readVariant(name, null, AS_PUBLISHED);
      return Promise.all(traces.map((trace) => replayCase(trace, variant, heuristicModel())));
    };
    expect((await replayed('V0')).map(({ flushes }) => flushes.length)).toEqual(published.V0);
    expect((await replayed('V1')).map(({ summaries }) => summaries.length)).toEqual(published.V1);
  });

  test('of the four traces with overlapping turns, the text has every delta once and no word cut', async () => {
    for (const trace of await Promise.all(traceFiles(referencePath('stream/traces_overlapping')).map(readTrace))) {
      const turns = Map.groupBy(trace.deltas, ({ turn_id: id }) => id).values();
      const whole = [...turns].map((deltas) => deltas.map(({ delta_text: text }) => text).join(''));
      expect(canonicalText(trace, { join: 'concat' }).text).toBe(whole.join('\n'));
    }
  });
});
