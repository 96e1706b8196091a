import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { BatchProtocol, BatchResult } from '../../../src/experiment/batch/batch-protocol.ts';
import { googleBatch } from '../../../src/experiment/batch/google-batch.ts';
import { openaiBatch } from '../../../src/experiment/batch/openai-batch.ts';
import { noReference, referencePath } from '../../reference/reference-data.ts';
import { exchanges, INTENT, jsonLines, REQUESTS } from './exchange.ts';

const PLACE = { baseUrl: '', path: '/chat/completions', model: 'm' };
const pollOf = async (object: object | string, protocol: BatchProtocol = openaiBatch) => {
  const { access } = await exchanges(object);
  return protocol.poll(access('/v1'), 'batch_1');
};
const resultsOf = async (lines: string): Promise<BatchResult[]> => {
  const { access } = await exchanges({ status: 'completed', output_file_id: 'f', error_file_id: '' }, lines);
  return Array.fromAsync(openaiBatch.results(access('/v1'), 'batch_1'));
};
const kinds = (results: readonly BatchResult[]) =>
  results.map((result) => ('status' in result ? result.status : Object.keys(result).at(-1)));

describe('objects of batches', () => {
  it.each([
    ['"" for null', { status: 'validating', output_file_id: '', error_file_id: '', errors: '' }, ['validating', null]],
    [
      'times in milliseconds',
      { status: 'expired', created_at: 1762136757000, request_counts: { completed: 8 } },
      ['expired', 8],
    ],
    [
      'times as ISO text',
      { status: 'COMPLETED', created_at: '2025-08-11T16:31:52.949816948+08:00' },
      ['completed', null],
    ],
    ['nothing but a status', { status: 'IN_PROGRESS', error: 'x' }, ['in_progress', null]],
    [
      'fields of other kinds',
      { status: 'completed', errors: 5, request_counts: [], usage: 'no', output_file_id: 7 },
      ['completed', null],
    ],
  ])('are read with %s', async (_, object, expected) => {
    const { word, paid } = await pollOf(object);
    expect([word, paid]).toEqual(expected);
  });

  it.each([
    ['\u001b[2J\u0007', '\\u001b[2j\\u0007'],
    ['x'.repeat(1 << 20), `${'x'.repeat(39)}…`],
    ['\u0000'.repeat(50), `${'\\u0000'.repeat(6)}\\u0…`],
  ])('show the status %j in at most 40 characters without control characters', async (status, shown) => {
    const { word } = await pollOf({ status });
    expect([word, word.length <= 40]).toEqual([shown, true]);
  });

  it('of Together have the batch in `job` when they are created', async () => {
    const { access } = await exchanges({ id: 'file-7' }, { job: { id: 'b-1', status: 'IN_PROGRESS' }, warning: '' });
    expect(await openaiBatch.submit(access('/v1'), PLACE, INTENT, REQUESTS)).toBe('b-1');
  });

  it('that repeat a key are read without it', async () => {
    const { fault } = await pollOf({ status: 'failed', errors: { data: [{ message: 'no key-0123456789 here' }] } });
    expect(fault).toBe('no [key] here');
  });
});

describe('lines of results', () => {
  const body = { choices: [{ message: { content: 'x' } }], usage: { prompt_tokens: 3, completion_tokens: 2 } };

  it('of vLLM are read, in every version', async () => {
    // Its run_batch.py: the completion without a frame at first; later an error is a text or an object with a numeric
    // code, and the body of the response null (vllm-project/vllm, vllm/entrypoints/openai/run_batch.py).
    const lines = jsonLines(
      { id: 'vllm-1', custom_id: 'a', response: { id: 'cmpl-1', object: 'chat.completion', ...body }, error: null },
      { id: 'vllm-2', custom_id: 'b', response: { status_code: 200, request_id: 'r', body }, error: null },
      { id: 'vllm-3', custom_id: 'c', response: { status_code: 400, request_id: 'r', body: null }, error: 'no stream' },
      {
        id: 'vllm-4',
        custom_id: 'd',
        response: { status_code: 400, request_id: 'r', body: null },
        error: { error: { message: 'too long', type: 'BadRequestError', param: null, code: 400 } },
      },
    );
    const results = await resultsOf(lines);
    expect(kinds(results)).toEqual([200, 200, 400, 400]);
    expect(results.slice(2)).toEqual([
      { id: 'c', status: 400, body: '{"error":{"message":"no stream"}}' },
      { id: 'd', status: 400, body: '{"error":{"message":"too long"}}' },
    ]);
    expect(results[1]).toMatchObject({ usage: { inputTokens: 3, outputTokens: 2 } });
  });

  it('are answers, errors with their text, or reported by their number', async () => {
    const lines = jsonLines(
      { custom_id: 'a', error: null },
      { custom_id: 'b', error: { code: 429, message: 'slow down' } },
      '<html>',
      '',
      { custom_id: 'c', response: { status_code: 200, body: null }, error: null },
      { custom_id: 'd', response: { status_code: '200', body }, error: '' },
      '{"custom_id": "e", "respon',
    );
    expect(await resultsOf(lines)).toEqual([
      { id: 'a', unreadable: 'line 1 of f cannot be read' },
      { id: 'b', unanswered: 'slow down' },
      { id: 'c', unreadable: 'line 5 of f cannot be read' },
      { id: 'd', status: 200, body: JSON.stringify(body), usage: { inputTokens: 3, outputTokens: 2 } },
      { id: null, unreadable: 'line 3 of f cannot be read, and 1 more' },
    ]);
  });

  it('of Gemini are read from the file of responses', async () => {
    const done = { metadata: { state: 'BATCH_STATE_SUCCEEDED' }, response: { responsesFile: 'files/batch-1' } };
    const { access, seen } = await exchanges(
      done,
      jsonLines(
        { key: 'a', response: { candidates: [] } },
        { key: 'b', error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } },
        { key: 'c' },
      ),
    );
    const results = await Array.fromAsync(googleBatch.results(access('/v1beta'), 'batches/1'));
    expect(kinds(results)).toEqual([200, 400, 'unreadable']);
    expect(seen[1]?.line).toBe('GET /download/v1beta/files/batch-1:download?alt=media');
  });
});

const recorded = (path: string): string => readFileSync(referencePath(`tools/${path}`), 'utf8');

describe.skipIf(noReference)('recorded objects', () => {
  it.each([
    ['batch-azure/validating.allenai.json', 'validating', 0, false],
    ['batch-azure/validating.kong.json', 'validating', 0, false],
    ['batch-azure/completed.error-file-empty.json', 'completed', 5, true],
    ['batch-milliseconds/expired.json', 'expired', 8, true],
    ['batch-novita/validating.json', 'validating', 0, false],
    ['batch-novita/completed.made.json', 'completed', 1, true],
    ['batch-openai/completed.all-failed.json', 'completed', 0, true],
    ['batch-openai/completed.with-usage.json', 'completed', 9872, true],
    ['batch-openai/empty-strings.made.json', 'in_progress', 0, false],
    ['batch-together/retrieve.json', 'in_progress', null, false],
  ])('%s is %s with %j answers', async (path, word, paid, isEnded) => {
    expect(await pollOf(recorded(path))).toMatchObject({ word, paid, isEnded });
  });

  it('counts the tokens of OpenAI’s batch', async () => {
    const { usage } = await pollOf(recorded('batch-openai/completed.with-usage.json'));
    expect(usage).toEqual({ inputTokens: 31_493_594, outputTokens: 19_786_241 });
  });

  it.each([
    ['batch-azure/output.jsonl', 5, 155, 299],
    ['batch-novita/output.jsonl', 1, 5, 13],
    ['batch-openai/output.docs.jsonl', 2, 42, 11],
  ])('%s has %i answers', async (path, count, input, output) => {
    const results = (await resultsOf(recorded(path))).filter((result) => 'status' in result);
    const sum = (name: 'inputTokens' | 'outputTokens') =>
      results.reduce((all, { usage }) => all + (usage?.[name] ?? 0), 0);
    expect([results.length, sum('inputTokens'), sum('outputTokens')]).toEqual([count, input, output]);
  });

  it.each([
    ['batch-gemini/operation.inlined.made.json', []],
    ['batch-gemini/operation.made.json', ['batch-gemini/responses.made.jsonl']],
  ])('%s has an answer and an error', async (path, files) => {
    const { access } = await exchanges(recorded(path), ...files.map(recorded));
    expect(kinds(await Array.fromAsync(googleBatch.results(access('/v1beta'), 'batches/1')))).toEqual([200, 400]);
    expect(await pollOf(recorded(path), googleBatch)).toMatchObject({ word: 'succeeded', paid: 1, isEnded: true });
  });
});
