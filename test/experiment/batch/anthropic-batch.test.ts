import { describe, expect, it } from 'vitest';

import { anthropicBatch } from '../../../src/experiment/batch/anthropic-batch.ts';
import { exchanges, INTENT, jsonLines, REQUESTS } from './exchange.ts';

const PLACE = { baseUrl: '', path: '/messages', model: 'm' };
const NONE = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };

const batch = (fields: object = {}): object => ({
  id: 'msgbatch_1',
  type: 'message_batch',
  processing_status: 'ended',
  request_counts: { ...NONE, succeeded: 2 },
  created_at: '2026-01-02T03:04:06Z',
  results_url: 'https://elsewhere.example/results',
  ...fields,
});

const errored = (type: string): object => ({
  type: 'errored',
  error: { type: 'error', error: { type, message: 'no' } },
});

describe('batches by Anthropic’s protocol', () => {
  it('are one call with all requests', async () => {
    const { access, seen } = await exchanges(batch({ processing_status: 'in_progress' }));
    expect(await anthropicBatch.submit(access('/v1'), PLACE, INTENT, REQUESTS)).toBe('msgbatch_1');
    expect(seen[0]?.line).toBe('POST /v1/messages/batches');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      requests: [
        { custom_id: 'a', params: { model: 'm', n: 1 } },
        { custom_id: 'b', params: { model: 'm', n: 2 } },
      ],
    });
  });

  it.each([
    ['in_progress', false],
    ['canceling', false],
    ['ended', true],
  ])('that are %s have ended: %s', async (status, isEnded) => {
    const counts = { processing: 4, succeeded: 3, errored: 2, canceled: 1, expired: 1 };
    const { access } = await exchanges(batch({ processing_status: status, request_counts: counts }));
    expect(await anthropicBatch.poll(access('/v1'), 'msgbatch_1')).toEqual({ isEnded, word: status, done: 7, paid: 3 });
  });

  it('have their results in one file, read from the same server whatever address it names', async () => {
    const { access, seen } = await exchanges(
      jsonLines(
        { custom_id: 'a', result: { type: 'succeeded', message: { content: [] } } },
        { custom_id: 'b', result: errored('invalid_request_error') },
        { custom_id: 'c', result: errored('overloaded_error') },
        { custom_id: 'd', result: { type: 'expired' } },
        { custom_id: 'e', result: { type: 'canceled' } },
        { custom_id: 'f', result: { type: 'something new' } },
      ),
    );
    expect(await Array.fromAsync(anthropicBatch.results(access('/v1'), 'msgbatch_1'))).toEqual([
      { id: 'a', status: 200, body: '{"content":[]}' },
      { id: 'b', status: 400, body: '{"type":"error","error":{"type":"invalid_request_error","message":"no"}}' },
      { id: 'c', unanswered: 'HTTP 529: no' },
      { id: 'd', unanswered: 'expired' },
      { id: 'e', unanswered: 'canceled' },
      { id: 'f', unreadable: 'line 6 of the results cannot be read' },
    ]);
    expect(seen.map(({ line }) => line)).toEqual(['GET /v1/messages/batches/msgbatch_1/results']);
  });

  it('are found by time, size and, once they have ended, by the ids of their requests', async () => {
    const { access, seen } = await exchanges(
      {
        data: [
          batch({ id: 'larger', request_counts: { ...NONE, succeeded: 3 } }),
          batch({ id: 'known' }),
          batch({ id: 'another' }),
          batch({ id: 'own' }),
          batch({ id: 'older', created_at: '2026-01-02T02:00:00Z' }),
        ],
        has_more: true,
      },
      jsonLines({ custom_id: 'x', result: { type: 'expired' } }),
      jsonLines({ custom_id: 'b', result: { type: 'expired' } }),
    );
    expect(await anthropicBatch.findSubmitted(access('/v1'), INTENT, new Set(['known']))).toBe('own');
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /v1/messages/batches?limit=1000',
      'GET /v1/messages/batches/another/results',
      'GET /v1/messages/batches/own/results',
    ]);
  });

  it('that still run are taken for it if none that has ended is', async () => {
    const running = { processing_status: 'in_progress', request_counts: { ...NONE, processing: 2 } };
    const { access } = await exchanges({ data: [batch({ id: 'running', ...running })], has_more: false });
    expect(await anthropicBatch.findSubmitted(access('/v1'), INTENT, new Set())).toBe('running');
    expect(await anthropicBatch.findSubmitted(access('/v1'), INTENT, new Set(['running']))).toBeNull();
  });

  it('take messages that are not streamed', () => {
    const at = (url: string, body = {}) => anthropicBatch.placeOf(new URL(url), { model: 'm', ...body });
    expect(at('https://api.example/v1/messages')).toMatchObject({ baseUrl: 'https://api.example/v1', model: 'm' });
    expect(at('https://api.example/v1/messages', { stream: true })).toBeNull();
  });
});
