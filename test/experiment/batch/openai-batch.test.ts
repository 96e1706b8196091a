import { describe, expect, it } from 'vitest';

import { openaiBatch } from '../../../src/experiment/batch/openai-batch.ts';
import { exchanges, INTENT, jsonLines, REQUESTS } from './exchange.ts';

const PLACE = { baseUrl: '', path: '/chat/completions', model: 'm' };

const batch = (fields: object): object => ({
  id: 'batch_1',
  status: 'completed',
  created_at: 1_767_323_045,
  ...fields,
});

describe('batches by OpenAI’s protocol', () => {
  it('are a file of requests and a batch that names it', async () => {
    const { access, seen } = await exchanges({ id: 'file-7' }, batch({ status: 'validating' }));
    expect(await openaiBatch.submit(access('/v1'), PLACE, INTENT, REQUESTS)).toBe('batch_1');
    const [upload, create] = seen;
    expect(upload).toMatchObject({ line: 'POST /v1/files', authorization: 'Bearer key-0123456789' });
    expect(upload?.contentType).toMatch(/^multipart\/form-data; boundary=/);
    expect(upload?.body).toContain('name="purpose"\r\n\r\nbatch\r\n');
    expect(upload?.body).toContain(
      '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m","n":1}}\n' +
        '{"custom_id":"b","method":"POST","url":"/v1/chat/completions","body":{"model":"m","n":2}}\n',
    );
    expect(create).toMatchObject({ line: 'POST /v1/batches', contentType: 'application/json' });
    expect(JSON.parse(create?.body ?? '')).toEqual({
      input_file_id: 'file-7',
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { assay_batch: 'assay-1' },
    });
  });

  it.each([
    ['validating', false],
    ['in_progress', false],
    ['finalizing', false],
    ['cancelling', false],
    ['completed', true],
    ['failed', true],
    ['expired', true],
    ['cancelled', true],
  ])('that are %s have ended: %s', async (status, isEnded) => {
    const { access } = await exchanges(batch({ status, request_counts: { total: 5, completed: 3, failed: 1 } }));
    expect(await openaiBatch.poll(access('/v1'), 'batch_1')).toEqual({
      isEnded,
      word: status,
      done: 4,
      paid: 3,
      usage: undefined,
      fault: undefined,
    });
  });

  it('that fail as a whole report why', async () => {
    const errors = { data: [{ code: 'token_limit_exceeded', message: 'Enqueued token limit reached' }] };
    const { access } = await exchanges(batch({ status: 'failed', errors }));
    expect(await openaiBatch.poll(access('/v1'), 'batch_1')).toMatchObject({
      isEnded: true,
      done: null,
      fault: 'Enqueued token limit reached',
    });
  });

  it('have their results in two files: responses of single calls, and requests without one', async () => {
    const { access, seen } = await exchanges(
      batch({ output_file_id: 'file-8', error_file_id: 'file-9' }),
      jsonLines(
        { custom_id: 'a', response: { status_code: 200, request_id: 'r', body: { ok: 1 } }, error: null },
        'not JSON',
        { custom_id: 5 },
      ),
      jsonLines(
        { custom_id: 'b', response: { status_code: 400, body: { error: { message: 'no' } } }, error: null },
        { custom_id: 'c', response: { status_code: 500, body: { error: { message: 'oops' } } }, error: null },
        { custom_id: 'd', response: { status_code: 429, body: {} }, error: null },
        { custom_id: 'e', response: null, error: { code: 'batch_expired', message: 'too late' } },
      ),
    );
    expect(await Array.fromAsync(openaiBatch.results(access('/v1'), 'batch_1'))).toEqual([
      { id: 'a', status: 200, body: '{"ok":1}' },
      { id: null, unreadable: 'line 2 of file-8 cannot be read, and 1 more' },
      { id: 'b', status: 400, body: '{"error":{"message":"no"}}' },
      { id: 'c', unanswered: 'HTTP 500: oops' },
      { id: 'd', unanswered: 'HTTP 429' },
      { id: 'e', unanswered: 'too late' },
    ]);
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1/batches/batch_1',
      'GET /v1/files/file-8/content',
      'GET /v1/files/file-9/content',
    ]);
  });

  it('are found by the name in their metadata, page by page', async () => {
    const other = batch({ id: 'batch_9', metadata: { assay_batch: 'assay-2' } });
    const { access, seen } = await exchanges(
      { data: [other], has_more: true },
      { data: [batch({ metadata: null }), batch({ id: 'batch_3', metadata: { assay_batch: 'assay-1' } })] },
    );
    expect(await openaiBatch.findSubmitted(access('/v1'), INTENT, new Set())).toBe('batch_3');
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1/batches?limit=100',
      'GET /v1/batches?limit=100&after=batch_9',
    ]);
  });

  it('are found by the name of their file where a server keeps no metadata', async () => {
    const stranger = { id: 'batch_1', status: 'completed', input_file_id: 'file-1' };
    const { access, seen } = await exchanges(
      { data: [stranger, { ...stranger, id: 'batch_2', input_file_id: 'file-2' }] },
      { id: 'file-1', filename: 'other.jsonl' },
      { id: 'file-2', filename: 'assay-1.jsonl' },
    );
    expect(await openaiBatch.findSubmitted(access('/v1'), INTENT, new Set())).toBe('batch_2');
    expect(seen.map(({ line }) => line).slice(1)).toEqual(['GET /v1/files/file-1', 'GET /v1/files/file-2']);
    const { access: accessBare } = await exchanges({ data: [{ id: 'batch_1', status: 'completed' }] });
    await expect(openaiBatch.findSubmitted(accessBare('/v1'), INTENT, new Set())).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('without names'),
    });
  });

  it('are not looked for by their file among those of a server that keeps metadata', async () => {
    const { access, seen } = await exchanges({
      data: [batch({ metadata: { assay_batch: 'assay-2' } }), batch({ id: 'batch_7', metadata: null })],
    });
    expect(await openaiBatch.findSubmitted(access('/v1'), INTENT, new Set())).toBeNull();
    expect(seen).toHaveLength(1);
  });

  it('are not looked for among those that are a day older', async () => {
    const { access, seen } = await exchanges({ data: [batch({ created_at: 1_767_000_000 })], has_more: true });
    expect(await openaiBatch.findSubmitted(access('/v1'), INTENT, new Set())).toBeNull();
    expect(seen).toHaveLength(1);
  });

  it('take calls of chat completions that are not streamed', () => {
    const at = (url: string, body = {}) => openaiBatch.placeOf(new URL(url), { model: 'm', ...body });
    expect(at('https://api.example/openai/v1/chat/completions')).toEqual({
      baseUrl: 'https://api.example/openai/v1',
      path: '/chat/completions',
      model: 'm',
    });
    expect(at('https://api.example/v1/chat/completions', { stream: true })).toBeNull();
    expect(at('https://api.example/v1/embeddings')).toBeNull();
  });

  it.each([
    ['a refused key', [401, { error: 'key-0123456789 is wrong' }], { kind: 'access', status: 401 }, '[key] is wrong'],
    ['a server without batches', [404, {}], { kind: 'access', status: 404 }, 'no batch endpoint'],
    ['too many calls', [429, {}], { kind: 'rate', status: 429 }, 'HTTP 429 to POST /files'],
    ['a broken server', [503, {}], { kind: 'server', status: 503 }, 'HTTP 503 to POST /files'],
    ['an answer that is none', [200, { id: '../../etc' }], { kind: 'answer' }, 'not what a batch endpoint sends'],
  ] as const)('are refused by %s', async (_, answer, error, message) => {
    const { access } = await exchanges([...answer]);
    await expect(openaiBatch.submit(access('/v1'), PLACE, INTENT, REQUESTS)).rejects.toMatchObject({
      ...error,
      message: expect.stringContaining(message),
    });
  });
});
