import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { recordedModel } from '../../../src/stream/replay/recorded-model.ts';
import { EMPTY_SUMMARY } from '../../../src/stream/replay/summary-answer.ts';
import { decisionRequest, SUMMARY, summaryRequest } from './requests.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-recorded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HASH = `sha256:${'a'.repeat(64)}`;
const TIMESTAMP = '2025-01-01T00:00:00.000Z';

function meta(caseId: string, more: object = {}): object {
  return {
    record_type: 'run_meta',
    case_id: caseId,
    variant_id: 'V0',
    schema_name: 'assay.stream.run',
    schema_version: '1.0.0',
    created_at: TIMESTAMP,
    history_k: 3,
    ...more,
  };
}

function decision(index: number, more: object = {}): object {
  return {
    record_type: 'buffer_decision',
    case_id: 'case-1',
    variant_id: 'V0',
    decision_index: index,
    decision_id: `case-1-V0-bd-00${index}`,
    timestamp: TIMESTAMP,
    start_seq: 5,
    end_seq: 90,
    input_ctu: 12,
    decision: 'buffer',
    filter_results: { completeness_passed: true, value_passed: false, novelty_passed: null },
    llm_usage: { prompt_ctu: 206, completion_ctu: 98, model_id: 'some-model', provider_prompt_tokens: 300 },
    latency_ms: 1476,
    ...more,
  };
}

function summary(more: object = {}): object {
  return {
    record_type: 'summary_event',
    case_id: 'case-1',
    variant_id: 'V0',
    event_index: 0,
    event_id: 'case-1-V0-se-000',
    timestamp: TIMESTAMP,
    start_seq: 5,
    end_seq: 90,
    trigger_type: 'buffer_agent',
    summary_history_event_ids: [],
    latest_summary_event_id: null,
    new_buffer_text_hash: HASH,
    summarizer_input_hash: `sha256:${'b'.repeat(64)}`,
    summarizer_input_text: 'what was given',
    summary_content: SUMMARY,
    summary_semantics_text: 'x',
    summary_ctu: 1,
    schema_ok: false,
    schema_error: 'too long',
    limits_ok: false,
    failure_mode: 'length_limit_violation',
    llm_usage: { prompt_ctu: 1, completion_ctu: 2, model_id: 'some-model' },
    latency_ms: 1356,
    ...more,
  };
}

function record(name: string, records: readonly object[]): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  const text = records.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
}

describe('recorded answers', () => {
  it.each(['case-1.run.jsonl.gz', 'case-1.trace.jsonl.gz', 'case-1.jsonl', 'anything at all.jsonl'])(
    'are handed on as they were recorded, from %s',
    async (name) => {
      record(`V0/${name}`, [meta('case-1.trace'), decision(0), summary()]);
      record('V0/case-2.jsonl', [meta('case-2')]);
      const model = recordedModel(folder);
      expect(await model.decide(decisionRequest())).toEqual({
        decision: 'buffer',
        filter_results: { completeness_passed: true, value_passed: false, novelty_passed: null },
        llm_usage: {
          prompt_ctu: 206,
          completion_ctu: 98,
          provider_prompt_tokens: 300,
          provider_completion_tokens: null,
          model_id: 'some-model',
        },
        latency_ms: 1476,
      });
      expect(await model.summarize(summaryRequest({ newBufferHash: HASH }))).toEqual({
        summary_content: SUMMARY,
        schema_ok: false,
        schema_error: 'too long',
        limits_ok: false,
        failure_mode: 'length_limit_violation',
        summarizer_input_text: 'what was given',
        summarizer_input_hash: `sha256:${'b'.repeat(64)}`,
        llm_usage: {
          prompt_ctu: 1,
          completion_ctu: 2,
          provider_prompt_tokens: null,
          provider_completion_tokens: null,
          model_id: 'some-model',
        },
        latency_ms: 1356,
      });
      expect(model.counts).toEqual({ used: 2, missing: 0, otherText: 0 });
      expect(model.kind).toBe('recorded');
    },
  );

  it('are found whether or not either side calls the case after its trace file', async () => {
    record('V0/x.jsonl', [meta('case-1'), decision(0)]);
    const model = recordedModel(folder);
    expect((await model.decide(decisionRequest({ caseId: 'case-1.trace' }))).error).toBeUndefined();
    expect((await model.decide(decisionRequest({ caseId: 'case-1' }))).error).toBeUndefined();
  });

  it('of one window come in the order of their indices, and from the start again in a new replay', async () => {
    record('V0/case-1.jsonl', [meta('case-1'), decision(1, { decision: 'summarize' }), decision(0)]);
    const model = recordedModel(folder);
    const replay = async (): Promise<string[]> => [
      (await model.decide(decisionRequest({ index: 0 }))).decision,
      (await model.decide(decisionRequest({ index: 1 }))).decision,
    ];
    expect(await replay()).toEqual(['buffer', 'summarize']);
    expect(await replay()).toEqual(['buffer', 'summarize']);
    expect((await model.decide(decisionRequest({ index: 2 }))).error).toMatch('no recorded answer');
  });

  it('that are not there fail as calls do, and are counted', async () => {
    record('V0/case-1.jsonl', [meta('case-1'), decision(0), summary()]);
    const model = recordedModel(folder);
    expect(await model.decide(decisionRequest({ endSeq: 91 }))).toMatchObject({
      decision: 'buffer',
      filter_results: { novelty_passed: null },
      error: 'no recorded answer for the decision of case-1 in V0 over 5 to 91',
    });
    expect(await model.summarize(summaryRequest({ variant: 'V2' }))).toMatchObject({
      summary_content: EMPTY_SUMMARY,
      schema_ok: false,
      limits_ok: true,
      failure_mode: 'unexpected_error',
      schema_error: 'no recorded answer for the summary of case-1 in V2 over 5 to 90',
      llm_usage: { provider_prompt_tokens: null, provider_completion_tokens: null, model_id: 'recorded' },
    });
    expect((await model.decide(decisionRequest({ caseId: 'case-9' }))).error).toMatch('of case-9 in V0');
    expect(model.counts).toEqual({ used: 0, missing: 3, otherText: 0 });
  });

  it('of another text are not used', async () => {
    record('V0/case-1.jsonl', [meta('case-1'), decision(0), summary()]);
    const model = recordedModel(folder);
    expect((await model.decide(decisionRequest({ inputCtu: 13 }))).error).toBe(
      'no recorded answer for the decision of case-1 in V0 over 5 to 90: the one recorded there is of another text',
    );
    expect((await model.summarize(summaryRequest({ newBufferHash: 'sha256:other' }))).schema_error).toMatch(
      'is of another text',
    );
    expect(model.counts).toEqual({ used: 0, missing: 0, otherText: 2 });
  });

  it('of failed calls are failed calls', async () => {
    const nothing = { completeness_passed: null, value_passed: null, novelty_passed: null };
    record('V0/case-1.jsonl', [meta('case-1'), decision(0, { filter_results: nothing, error: 'HTTP 503' })]);
    expect(await recordedModel(folder).decide(decisionRequest())).toMatchObject({
      filter_results: { novelty_passed: null },
      error: 'HTTP 503',
    });
  });

  it('of a stand-in say that they are', async () => {
    const model = { id: 'heuristic-1', kind: 'heuristic', note: 'a fixed rule' };
    record('V0/case-1.jsonl', [meta('case-1', { model })]);
    record('V0/case-2.jsonl', [meta('case-2', { model: { id: 'openai/x', kind: 'provider' } })]);
    const played = recordedModel(folder);
    expect(await played.noteOf('case-1', 'V0')).toBe('recorded from heuristic-1 (heuristic): a fixed rule');
    expect(await played.noteOf('case-2', 'V0')).toBeNull();
    expect(await played.noteOf('case-1', 'V9')).toBeNull();
  });

  it('are known by the hash of their log, packed or not', async () => {
    record('V0/case-1.jsonl', [meta('case-1')]);
    record('V1/case-1.jsonl.gz', [meta('case-1')]);
    record('V2/case-1.jsonl', [meta('case-1', { note: 1 })]);
    const model = recordedModel(folder);
    const [plain, packed, other] = await Promise.all(['V0', 'V1', 'V2'].map((id) => model.answersHash('case-1', id)));
    expect(plain).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(packed).toBe(plain);
    expect(other).not.toBe(plain);
    expect(await model.answersHash('case-1', 'V9')).toBeNull();
  });

  it('are refused where two logs are of the same case, or the folder is not there', async () => {
    record('V0/a.jsonl', [meta('case-1')]);
    record('V0/b.jsonl', [meta('case-1.trace')]);
    await expect(recordedModel(folder).decide(decisionRequest())).rejects.toThrow('are both logs of the case case-1');
    expect(() => recordedModel(join(folder, 'none'))).toThrow(UsageError);
  });

  it('go on being found while many cases are under way', async () => {
    for (let at = 0; at < 70; at += 1) record(`V0/c${at}.jsonl`, [meta(`c${at}`), decision(0)]);
    const model = recordedModel(folder);
    for (let at = 0; at < 70; at += 1) await model.decide(decisionRequest({ caseId: `c${at}` }));
    expect(model.counts.used).toBe(70);
  });
});
