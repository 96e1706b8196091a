import { describe, expect, it } from 'vitest';

import { googleBatch } from '../../../src/experiment/batch/google-batch.ts';
import { exchanges, INTENT, REQUESTS } from './exchange.ts';

const PLACE = { baseUrl: '', path: '/models/gemini-x:generateContent', model: 'gemini-x' };

const batch = (metadata: object, fields: object = {}): object => ({
  name: 'batches/b1',
  metadata: { displayName: 'assay-1', createTime: '2026-01-02T03:04:06Z', ...metadata },
  ...fields,
});

describe('batches by Google’s protocol', () => {
  it('are one call with all requests and a name', async () => {
    const { access, seen } = await exchanges(batch({ state: 'BATCH_STATE_PENDING' }));
    expect(await googleBatch.submit(access('/v1beta'), PLACE, INTENT, REQUESTS)).toBe('batches/b1');
    expect(seen[0]?.line).toBe('POST /v1beta/models/gemini-x:batchGenerateContent');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      batch: {
        displayName: 'assay-1',
        inputConfig: {
          requests: {
            requests: [
              { request: { model: 'm', n: 1 }, metadata: { key: 'a' } },
              { request: { model: 'm', n: 2 }, metadata: { key: 'b' } },
            ],
          },
        },
      },
    });
  });

  it.each([
    ['BATCH_STATE_PENDING', 'pending', false],
    ['BATCH_STATE_RUNNING', 'running', false],
    ['JOB_STATE_RUNNING', 'running', false],
    ['BATCH_STATE_SUCCEEDED', 'succeeded', true],
    ['JOB_STATE_SUCCEEDED', 'succeeded', true],
    ['BATCH_STATE_FAILED', 'failed', true],
    ['BATCH_STATE_CANCELLED', 'cancelled', true],
    ['BATCH_STATE_EXPIRED', 'expired', true],
  ])('in %s are %s and have ended: %s', async (state, word, isEnded) => {
    const batchStats = { requestCount: '10', pendingRequestCount: '4' };
    const { access, seen } = await exchanges(batch({ state, batchStats }));
    expect(await googleBatch.poll(access('/v1beta'), 'batches/b1')).toEqual({
      isEnded,
      word,
      done: 6,
      paid: 6,
      fault: undefined,
    });
    expect(seen[0]?.line).toBe('GET /v1beta/batches/b1');
  });

  it('that fail as a whole report why', async () => {
    const { access } = await exchanges(
      batch({ state: 'BATCH_STATE_FAILED' }, { error: { code: 8, message: 'quota' } }),
    );
    expect(await googleBatch.poll(access('/v1beta'), 'batches/b1')).toMatchObject({ isEnded: true, fault: 'quota' });
  });

  it('hold their results, with errors as a single call would report them', async () => {
    const inlinedResponses = [
      { metadata: { key: 'a' }, response: { candidates: [] } },
      { metadata: { key: 'b' }, error: { code: 3, message: 'bad schema' } },
      { metadata: { key: 'c' }, error: { code: 8, message: 'quota' } },
      { metadata: { key: 'd' }, error: { code: 1, message: 'cancelled' } },
      { metadata: { key: 'e' } },
      { response: {} },
    ];
    const results = [
      { id: 'a', status: 200, body: '{"candidates":[]}' },
      { id: 'b', status: 400, body: '{"error":{"code":400,"message":"bad schema","status":"INVALID_ARGUMENT"}}' },
      { id: 'c', unanswered: 'HTTP 429: quota' },
      { id: 'd', unanswered: 'HTTP 503: cancelled' },
      { id: 'e', unreadable: 'response 5 of the batch cannot be read' },
      { id: null, unreadable: 'response 6 of the batch cannot be read' },
    ];
    const output = { inlinedResponses: { inlinedResponses } };
    for (const place of [batch({ output }), batch({}, { response: output })]) {
      const { access } = await exchanges(place);
      expect(await Array.fromAsync(googleBatch.results(access('/v1beta'), 'batches/b1'))).toEqual(results);
    }
  });

  it('are found by their name, page by page', async () => {
    const { access, seen } = await exchanges(
      { operations: [batch({ displayName: 'assay-2' })], nextPageToken: 'p 2' },
      { operations: [batch({})] },
    );
    expect(await googleBatch.findSubmitted(access('/v1beta'), INTENT, new Set())).toBe('batches/b1');
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1beta/batches?pageSize=100',
      'GET /v1beta/batches?pageSize=100&pageToken=p%202',
    ]);
    const { access: empty } = await exchanges({});
    expect(await googleBatch.findSubmitted(empty('/v1beta'), INTENT, new Set())).toBeNull();
  });

  it('take calls that are not streamed', () => {
    const at = (url: string) => googleBatch.placeOf(new URL(url), {});
    expect(at('https://api.example/v1beta/models/gemini-x:generateContent')).toEqual({
      ...PLACE,
      baseUrl: 'https://api.example/v1beta',
    });
    expect(at('https://api.example/v1beta/models/gemini-x:streamGenerateContent?alt=sse')).toBeNull();
  });
});
