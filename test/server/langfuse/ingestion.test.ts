import { describe, expect, it } from 'vitest';

import { serving } from './serving.ts';

const AT = '2026-05-01T10:00:00.000Z';
let events = 0;

function event(type: string, body: unknown, timestamp = AT) {
  events += 1;
  return { id: `e${events}`, type, timestamp, body };
}

interface Ingested {
  readonly successes: readonly { readonly id: string; readonly status: number }[];
  readonly errors: readonly { readonly id: string; readonly status: number; readonly message: string }[];
}

describe('a batch of events', () => {
  it('of a server like Langfuse 4 is scores and logs, and nothing else of it is kept', async () => {
    const { ask, store } = await serving({ generation: 4 });
    const spans = ['trace-create', 'span-create', 'generation-update', 'observation-create', 'made-up'];
    const batch = [
      event('score-create', { id: 's1', traceId: 't', name: 'f1', value: 0.5 }),
      ...spans.map((type) => event(type, { id: 'x', traceId: 't', type: 'SPAN' })),
      event('sdk-log', { log: 'hello' }),
      7,
    ];
    const { status, body } = await ask('POST', '/api/public/ingestion', { batch });
    const { successes, errors } = body as Ingested;
    expect([status, successes.length, errors.map((one) => one.status)]).toEqual([
      207,
      2,
      [400, 400, 400, 400, 400, 400],
    ]);
    expect(errors[0]!.message).toContain('"trace-create" as spans to /api/public/otel/v1/traces');
    expect(errors[5]!.id).toBe('unknown');
    expect([store.scores.get('s1')?.value, store.traces.get('t'), store.traces.observation('x')]).toEqual([
      0.5,
      null,
      null,
    ]);
  });

  it('is answered with 207, and a bad one does not spoil the rest', async () => {
    const { ask, store } = await serving();
    const batch = [
      event('score-create', { id: 's1', traceId: 't', name: 'f1', value: 0.5 }),
      event('score-create', { id: 's2', traceId: 't', name: 'f1', value: 'x', dataType: 'NUMERIC' }),
      event('made-up', {}),
      'no event at all',
      event('score-create', { id: 's3', traceId: 't', name: 'f1', value: 1 }, 'yesterday'),
      event('sdk-log', { log: 'hello' }),
      event('score-create', { id: 's4', traceId: 't', name: 'recall', value: 1 }),
    ];
    const { status, body } = await ask('POST', '/api/public/ingestion', { batch });
    expect(status).toBe(207);
    const { successes, errors } = body as Ingested;
    const idOf = (at: number) => (batch[at] as { id: string }).id;
    expect(successes).toEqual([0, 5, 6].map((at) => ({ id: idOf(at), status: 201 })));
    expect(errors.map(({ id, status: refused }) => [id, refused])).toEqual([
      [idOf(1), 400],
      [idOf(2), 400],
      ['unknown', 400],
      [idOf(4), 400],
    ]);
    expect(errors[0]!.message).toBe(
      'The event is not as expected: body.value: expected a number, since dataType is NUMERIC',
    );
    expect(store.scores.ofTrace('t').map(({ id }) => id)).toEqual(['s1', 's4']);
  });

  it('that is none is refused as a whole', async () => {
    const { ask } = await serving();
    for (const body of [{}, { batch: {} }, [], 'null']) {
      expect((await ask('POST', '/api/public/ingestion', body)).status).toBe(400);
    }
    expect((await ask('POST', '/api/public/ingestion', { batch: [] })).body).toEqual({ successes: [], errors: [] });
  });

  it('of traces and observations makes and changes them, as older SDKs do', async () => {
    const { ask, store } = await serving();
    const { body } = await ask('POST', '/api/public/ingestion', {
      batch: [
        event('trace-create', { id: 't1', name: 'first', input: { a: 1 }, tags: ['x'], userId: 'u' }),
        event('trace-create', { id: 't1', output: 'end' }, '2026-05-01T11:00:00Z'),
        event('span-create', { id: 'o1', traceId: 't1', name: 'work', startTime: '2026-05-01T10:00:01+00:00' }),
        event('span-update', { id: 'o1', endTime: '2026-05-01T10:00:03Z', level: 'ERROR', statusMessage: 'late' }),
        event('generation-create', {
          id: 'o2',
          traceId: 't1',
          parentObservationId: 'o1',
          model: 'm',
          usage: { promptTokens: 5, completionTokens: 7, totalTokens: 12 },
        }),
        event('generation-update', {
          id: 'o2',
          usageDetails: {
            prompt_tokens: 6,
            completion_tokens: 7,
            total_tokens: 13,
            prompt_tokens_details: { cached: 2 },
          },
          costDetails: { total: 0.5 },
        }),
        event('event-create', { id: 'o3', traceId: 't1', name: 'seen' }),
        event('observation-create', { id: 'o4', traceId: 't2', type: 'TOOL', name: 'hammer' }),
        event('span-update', { id: 'nowhere', output: 1 }),
      ],
    });
    expect((body as Ingested).errors.map(({ message }) => message)).toEqual([
      'traceId: has to be there, since the observation is not here yet',
    ]);
    expect(store.traces.get('t1')).toMatchObject({
      timestamp: AT,
      name: 'first',
      input: { a: 1 },
      output: 'end',
      tags: ['x'],
      userId: 'u',
    });
    expect(store.traces.observation('o1')).toMatchObject({
      type: 'SPAN',
      startTime: '2026-05-01T10:00:01.000Z',
      endTime: '2026-05-01T10:00:03.000Z',
      level: 'ERROR',
      statusMessage: 'late',
    });
    expect(store.traces.observation('o2')).toMatchObject({
      type: 'GENERATION',
      model: 'm',
      usageDetails: { input: 6, output: 7, total: 13, input_cached: 2 },
      costDetails: { total: 0.5 },
    });
    expect(store.traces.observation('o3')).toMatchObject({ type: 'EVENT', startTime: AT });
    expect(store.traces.observation('o4')).toMatchObject({ type: 'TOOL', traceId: 't2' });
  });

  it('takes no number that is none, also where JSON can write it', async () => {
    const { ask, store } = await serving();
    const score = event('score-create', { id: 's1', traceId: 't', name: 'f1', value: 1 });
    const span = event('generation-create', { id: 'o1', traceId: 't9', usageDetails: { input: 1 } });
    const written = JSON.stringify({ batch: [score, span] }).replace('"value":1', '"value":1e999');
    const { body } = await ask('POST', '/api/public/ingestion', written.replace('"input":1', '"input":-1e999'));
    expect((body as Ingested).errors.map(({ status }) => status)).toEqual([400, 400]);
    expect(store.scores.get('s1')).toBeNull();
    expect(store.traces.get('t9')).toBeNull();
  });
});

describe('a score that is sent several times', () => {
  const [T1, T2, T3] = ['2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.001Z', '2026-05-04T10:00:00.000Z'];
  const sent = (id: string, timestamp: string, body: object) => ({
    id,
    type: 'score-create',
    timestamp,
    body: { id: 's', traceId: 't', name: 'f1', ...body },
  });

  it('has the value of the latest sending by the time of the event, in whatever order events arrive', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const { ask, store } = await serving();
      const sendings = [sent('z', T1, { value: 0.1 }), sent('y', T2, { value: 0.2 }), sent('x', T3, { value: 0.3 })];
      for (const at of order) await ask('POST', '/api/public/ingestion', { batch: [sendings[at]] });
      expect(store.scores.get('s')).toMatchObject({ value: 0.3, timestamp: T1 });
    }
  });

  it('keeps the value of the event with the smaller id if the times are equal, as Langfuse does', async () => {
    for (const ids of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const { ask, store } = await serving();
      for (const id of ids)
        await ask('POST', '/api/public/ingestion', { batch: [sent(id, T1, { value: id === 'a' ? 1 : 2 })] });
      expect(store.scores.get('s')?.value).toBe(1);
    }
  });

  it('keeps trace, time of creation, time and environment of its first event; null removes a comment, absence does not', async () => {
    const { ask, store } = await serving();
    const send = (...args: Parameters<typeof sent>) => ask('POST', '/api/public/ingestion', { batch: [sent(...args)] });
    await send('e1', T1, { value: 0.5, comment: 'why', environment: 'test', metadata: { a: 1, b: 1 } });
    const { createdAt } = store.scores.get('s')!;
    await send('e2', T2, { value: 'good', traceId: 'other', environment: 'live', metadata: { b: 2 } });
    expect(store.scores.get('s')).toMatchObject({
      dataType: 'CATEGORICAL',
      value: null,
      stringValue: 'good',
      comment: 'why',
      metadata: { a: 1, b: 2 },
      traceId: 't',
      timestamp: T1,
      environment: 'test',
      createdAt,
    });
    await send('e3', T3, { value: 0.75, comment: null, metadata: null });
    expect(store.scores.get('s')).toMatchObject({ value: 0.75, comment: null, metadata: { a: 1, b: 2 } });
    // The same event again is the same event.
    await send('e1', T1, { value: 0.5, comment: 'why' });
    expect(store.scores.get('s')).toMatchObject({ value: 0.75, comment: null });
  });

  it('keeps what a run or a review saved here as its first event, and nothing of it after it is deleted', async () => {
    const { ask, store } = await serving();
    store.scores.save({ id: 's', name: 'f1', value: 0.25, traceId: 't', timestamp: T2, comment: 'local' });
    await ask('POST', '/api/public/ingestion', { batch: [sent('e', T1, { value: 0.5 })] });
    expect(store.scores.get('s')).toMatchObject({ value: 0.5, timestamp: T2, comment: 'local' });
    store.scores.save({ id: 's', name: 'f1', value: 0.125 });
    expect(store.scores.get('s')?.value).toBe(0.125);
    await ask('DELETE', '/api/public/scores/s');
    await ask('POST', '/api/public/ingestion', { batch: [sent('old', T1, { value: 0.75 })] });
    expect(store.scores.get('s')).toMatchObject({ value: 0.75, timestamp: T1, comment: null });
  });

  it('has the value of the later call of POST /scores, also within one millisecond', async () => {
    const { ask, store } = await serving();
    for (let at = 0; at < 40; at += 1) {
      for (const value of [1, 2])
        await ask('POST', '/api/public/scores', { id: `s${at}`, traceId: 't', name: 'f1', value });
      expect(store.scores.get(`s${at}`)?.value).toBe(2);
    }
  });
});
