import { basename } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readRunLog, runLogFiles } from '../../src/stream/read-run-log.ts';
import { readTrace, traceFiles } from '../../src/stream/read-trace.ts';
import { heuristicModel } from '../../src/stream/replay/heuristic-model.ts';
import { readVariant } from '../../src/stream/replay/read-variant.ts';
import { recordedModel } from '../../src/stream/replay/recorded-model.ts';
import { replayCase } from '../../src/stream/replay/replay-case.ts';
import { SUMMARY_LIMITS } from '../../src/stream/replay/summary-answer.ts';
import { SUMMARY_FIELDS } from '../../src/stream/run-log-records.ts';
import { noReference, referencePath } from './reference-data.ts';

const VARIANTS = ['V0', 'V1', 'V2', 'V3', 'V4'];

describe.skipIf(noReference)('the answers of the published logs', () => {
  it('are all found by their windows and texts, and handed on as they are', async () => {
    const model = recordedModel(referencePath('stream/runs'));
    for (const variant of VARIANTS) {
      for (const file of runLogFiles(referencePath(`stream/runs/${variant}`))) {
        const { decisions, summaries } = await readRunLog(file);
        const caseId = basename(file).replace('.trace.jsonl.gz', '');
        for (const [index, one] of decisions.entries()) {
          const asked = {
            caseId,
            variant,
            index,
            startSeq: one.start_seq,
            endSeq: one.end_seq,
            inputCtu: one.input_ctu,
          };
          const answer = await model.decide({ ...asked, context: '', segment: '', history: [], novelty: true });
          expect(answer.decision).toBe(one.decision);
          expect(answer.latency_ms).toBe(one.latency_ms);
          const unknown = { completeness_passed: null, value_passed: null };
          expect({ ...unknown, ...answer.filter_results }).toEqual({ ...unknown, ...one.filter_results });
        }
        for (const [index, one] of summaries.entries()) {
          const asked = { caseId, variant, index, startSeq: one.start_seq, endSeq: one.end_seq };
          const newBufferHash = one.new_buffer_text_hash;
          const answer = await model.summarize({ ...asked, newBuffer: '', newBufferHash, history: [], latest: null });
          expect(answer.summary_content).toEqual(one.summary_content);
          expect(answer.summarizer_input_text).toBe(one.summarizer_input_text);
          expect(answer.llm_usage).toMatchObject({
            prompt_ctu: one.llm_usage.prompt_ctu,
            completion_ctu: one.llm_usage.completion_ctu,
            model_id: 'gemini-2.5-flash-lite',
          });
        }
      }
    }
    // 1,132 decisions and 709 summaries, counted with zcat and grep.
    expect(model.counts).toEqual({ used: 1841, missing: 0, otherText: 0 });
  });
});

describe.skipIf(noReference)('the stand-in on the published traces', () => {
  it('summarises in every variant, more where novelty does not count, and always within the limits', async () => {
    const counts = new Map<string, number>();
    for (const name of VARIANTS) {
      const variant = readVariant(name, null);
      for (const file of traceFiles(referencePath('stream/traces'))) {
        const { summaries } = await replayCase(await readTrace(file), variant, heuristicModel());
        counts.set(name, (counts.get(name) ?? 0) + summaries.length);
        for (const { summary_content: content, schema_ok: ok } of summaries) {
          expect(ok).toBe(true);
          for (const field of SUMMARY_FIELDS)
            expect([...content[field]].length).toBeLessThanOrEqual(SUMMARY_LIMITS[field]);
        }
      }
    }
    for (const name of VARIANTS) expect(counts.get(name), name).toBeGreaterThanOrEqual(8);
    expect(counts.get('V4')).toBeGreaterThan(counts.get('V0')!);
    expect(counts.get('V2')).toBeGreaterThan(counts.get('V4')!);
  });
});
