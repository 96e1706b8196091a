import { createHash } from 'node:crypto';

import { afterEach, describe, expect, it } from 'vitest';

import { endsTheRun } from '../../../src/experiment/targets/target.ts';
import { textModel } from '../../../src/experiment/models/text-model.ts';
import { promptedModel } from '../../../src/stream/replay/prompted-model.ts';
import { EMPTY_SUMMARY } from '../../../src/stream/replay/summary-answer.ts';
import { completion, modelServer, type ModelServer, refusal } from '../../experiment/models/model-server.ts';
import { decisionRequest, scriptedModel, SUMMARY, summaryRequest } from './requests.ts';

const YES = JSON.stringify({
  rationale: 'A whole finding.',
  stream_state: 'SAME_TOPIC_CONTINUING',
  is_relevant: true,
  is_novel: true,
  is_complete: true,
});

describe('a decision of a prompted model', () => {
  it('is worked out from the answers, with units of prompt and answer and the tokens of the provider', async () => {
    const text = scriptedModel(YES);
    const model = promptedModel(text);
    const answer = await model.decide(decisionRequest());
    const { system, user } = text.prompts[0]!;
    expect(answer).toEqual({
      decision: 'summarize',
      filter_results: { completeness_passed: true, value_passed: true, novelty_passed: true },
      llm_usage: {
        prompt_ctu: Math.ceil((system.length + user.length) / 4),
        completion_ctu: Math.ceil(YES.length / 4),
        provider_prompt_tokens: 40,
        provider_completion_tokens: 20,
        model_id: 'test/scripted',
      },
      latency_ms: 100,
    });
    expect([model.id, model.kind, model.note]).toEqual(['test/scripted', 'provider', null]);
  });

  it('does not depend on novelty where it is left out', async () => {
    const old = YES.replace('"is_novel":true', '"is_novel":false');
    expect(await promptedModel(scriptedModel(old)).decide(decisionRequest({ novelty: false }))).toMatchObject({
      decision: 'summarize',
      filter_results: { novelty_passed: null },
    });
    expect(await promptedModel(scriptedModel(old)).decide(decisionRequest())).toMatchObject({
      decision: 'buffer',
      filter_results: { novelty_passed: false },
    });
  });

  it.each([
    ['the call failed: HTTP 503: busy', new Error('HTTP 503: busy')],
    ['the answer cannot be used: not JSON', 'Yes, do.'],
    ['the answer cannot be used: the answer is empty', ''],
    ['the answer cannot be used: is_complete: missing', YES.replace(',"is_complete":true', '')],
  ])('that fails (%s) buffers', async (error, reply) => {
    expect(await promptedModel(scriptedModel(reply)).decide(decisionRequest())).toMatchObject({
      decision: 'buffer',
      filter_results: { novelty_passed: null },
      error,
    });
  });

  it('counts what happened', async () => {
    const model = promptedModel(scriptedModel(YES, `Sure:\n\`\`\`json\n${YES}\n\`\`\``, 'no', new Error('gone')));
    for (let at = 0; at < 4; at += 1) await model.decide(decisionRequest());
    expect(model.counts).toEqual({ calls: 4, failed: 1, wrapped: 1, unreadable: 1, rewritten: 0 });
  });
});

describe('a summary of a prompted model', () => {
  it('is handed on with what the model was given', async () => {
    const text = scriptedModel(JSON.stringify(SUMMARY));
    const answer = await promptedModel(text).summarize(summaryRequest());
    const { user } = text.prompts[0]!;
    expect(answer).toMatchObject({
      summary_content: SUMMARY,
      schema_ok: true,
      schema_error: null,
      limits_ok: true,
      failure_mode: null,
      summarizer_input_text: user,
      summarizer_input_hash: `sha256:${createHash('sha256').update(user).digest('hex')}`,
      latency_ms: 100,
    });
    expect(user).toContain('Fever and cough for three weeks.');
  });

  it.each([
    ['unexpected_error', 'the call failed: no route', new Error('no route')],
    ['schema_validation_error', 'not JSON', 'Nothing to say.'],
    [
      'schema_validation_error',
      'recommendation_next_step: missing; agent_contributions: expected text, found 3',
      JSON.stringify({ ...SUMMARY, recommendation_next_step: undefined, agent_contributions: 3 }),
    ],
  ])('that fails as %s (%s) is empty', async (failure_mode, schema_error, reply) => {
    expect(await promptedModel(scriptedModel(reply)).summarize(summaryRequest())).toMatchObject({
      summary_content: EMPTY_SUMMARY,
      schema_ok: false,
      schema_error,
      limits_ok: true,
      failure_mode,
    });
  });

  const LONG = { ...SUMMARY, key_findings: `${'word '.repeat(40)}end`, status_action: 'x'.repeat(151) };
  const SHORT = { key_findings: 'Fewer words.', status_action: 'Shorter.' };

  it('that is too long is sent back once, and the cost of both calls is its cost', async () => {
    const text = scriptedModel(
      JSON.stringify(LONG),
      JSON.stringify({ ...SHORT, recommendation_next_step: 'Not asked.' }),
    );
    const model = promptedModel(text);
    const answer = await model.summarize(summaryRequest());
    expect(answer).toMatchObject({
      summary_content: { ...SUMMARY, ...SHORT },
      schema_ok: true,
      limits_ok: true,
      failure_mode: null,
      latency_ms: 100 + 200,
    });
    expect(answer.llm_usage).toMatchObject({ provider_prompt_tokens: 80, provider_completion_tokens: 40 });
    expect(answer.llm_usage.prompt_ctu).toBe(
      text.prompts.reduce((sum, { system, user }) => sum + Math.ceil((system.length + user.length) / 4), 0),
    );
    expect(text.prompts[1]!.user).toContain('key_findings has 203 characters and may have at most 180');
    expect(text.prompts[1]!.user).toContain('status_action has 151 characters and may have at most 150');
    expect(answer.summarizer_input_text).toBe(text.prompts[0]!.user);
    expect(model.counts.rewritten).toBe(1);
  });

  it('that is still too long is cut at a word, and is a failure of length and of schema', async () => {
    const still = { ...SHORT, key_findings: `${'word '.repeat(37)}end` };
    const text = scriptedModel(JSON.stringify(LONG), JSON.stringify(still));
    expect(await promptedModel(text).summarize(summaryRequest())).toMatchObject({
      summary_content: { ...SUMMARY, status_action: 'Shorter.', key_findings: 'word '.repeat(36).trim() },
      schema_ok: false,
      schema_error: 'key_findings: 188 characters, at most 180 (after a rewrite); cut at a word',
      limits_ok: false,
      failure_mode: 'length_limit_violation',
    });
  });

  it('whose rewrite fails is cut as it first came; what the lost call cost is not known', async () => {
    const text = scriptedModel(
      JSON.stringify({ ...SUMMARY, key_findings: `${'word '.repeat(40)}end` }),
      new Error('gone'),
    );
    expect(await promptedModel(text).summarize(summaryRequest())).toMatchObject({
      summary_content: { ...SUMMARY, key_findings: 'word '.repeat(36).trim() },
      failure_mode: 'length_limit_violation',
      schema_error: 'key_findings: 203 characters, at most 180 (no rewrite: the call failed: gone); cut at a word',
      llm_usage: { provider_prompt_tokens: null, provider_completion_tokens: null },
    });
  });
});

describe('over a real connection', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  it('a summary is asked for, sent back and accepted', async () => {
    const long = { ...SUMMARY, uncertainty_confidence: 'very '.repeat(30) };
    server = await modelServer(
      completion(JSON.stringify(long)),
      refusal(500, 'oops'),
      completion('```json\n{"uncertainty_confidence": "Very."}\n```'),
    );
    const text = await textModel('openai-compatible/local', { baseUrl: server.url, environment: {}, backoffMs: 1 });
    const model = promptedModel(text, { endsTheRun });
    const answer = await model.summarize(summaryRequest());
    expect(answer.summary_content).toEqual({ ...SUMMARY, uncertainty_confidence: 'Very.' });
    expect(answer).toMatchObject({
      schema_ok: true,
      llm_usage: { provider_prompt_tokens: 22, provider_completion_tokens: 14 },
    });
    expect(server.requests).toHaveLength(3);
    expect(model.counts).toEqual({ calls: 2, failed: 0, wrapped: 1, unreadable: 0, rewritten: 1 });
  });

  it('a failure that may pass is logged, one that cannot ends the run', async () => {
    server = await modelServer(refusal(400, 'too long'), refusal(401, 'who are you?'));
    const text = await textModel('openai-compatible/local', { baseUrl: server.url, environment: {}, retries: 0 });
    const model = promptedModel(text, { endsTheRun });
    expect(await model.decide(decisionRequest())).toMatchObject({ error: 'the call failed: HTTP 400: too long' });
    await expect(model.decide(decisionRequest())).rejects.toThrow('HTTP 401: who are you?');
  });
});
