import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { basic, type Serving, serving } from './serving.ts';

const PATH = '/api/public/otel/v1/traces';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const NANO = '1777629600000000000';
const START = '2026-05-01T10:00:00.000Z';

type Value = string | number | boolean | string[];

function span(spanId: string, attributes: Record<string, Value>, others: object = {}) {
  return {
    traceId: TRACE,
    spanId,
    name: `span ${spanId}`,
    kind: 1,
    startTimeUnixNano: NANO,
    endTimeUnixNano: '1777629602500000000',
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: otlp(value) })),
    status: { code: 0 },
    ...others,
  };
}

function otlp(value: Value): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
  if (typeof value === 'boolean') return { boolValue: value };
  // Whole numbers are texts in OTLP JSON of most languages, and numbers in that of JavaScript.
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: value };
}

function exported(spans: readonly unknown[], resource: Record<string, Value> = {}) {
  const attributes = Object.entries(resource).map(([key, value]) => ({ key, value: otlp(value) }));
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'test' }, spans }] }] };
}

async function send({ url }: Serving, body: string | Uint8Array, headers: Record<string, string>) {
  const answer = await fetch(`${url}${PATH}`, {
    method: 'POST',
    headers: { authorization: basic(), ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as { message: string } };
}

describe('spans in OTLP JSON', () => {
  it('become a trace and observations, whichever comes first', async () => {
    const { ask, store } = await serving();
    const child = span(
      'aaaaaaaaaaaaaaaa',
      {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'm',
        'langfuse.observation.usage_details': '{"input":3,"output":4}',
        'langfuse.observation.input': '{"q":[1,2]}',
        'langfuse.observation.output': '12345678901234567890',
        'langfuse.observation.completion_start_time': '"2026-05-01T10:00:00.500Z"',
        'langfuse.observation.prompt.name': 'p',
        'langfuse.observation.prompt.version': 3,
        'langfuse.user.id': 'u',
      },
      { parentSpanId: 'bbbbbbbbbbbbbbbb', startTimeUnixNano: '1777629601000000000' },
    );
    expect((await ask('POST', PATH, exported([child]))).body).toEqual({});
    expect(store.traces.get(TRACE)).toMatchObject({ timestamp: '2026-05-01T10:00:01.000Z', name: null, userId: 'u' });

    const root = span('bbbbbbbbbbbbbbbb', {
      'langfuse.observation.input': 'plain text',
      'langfuse.observation.output': '{"done":true}',
      'langfuse.observation.metadata.a': '{"b":1}',
      'langfuse.observation.metadata.c': 'd',
      'langfuse.trace.tags': ['x', 'y'],
      'langfuse.trace.public': true,
      'langfuse.release': 'r1',
      'langfuse.version': 'v1',
    });
    await ask('POST', PATH, exported([root], { 'deployment.environment.name': 'staging' }));
    expect(store.traces.get(TRACE)).toMatchObject({
      timestamp: START,
      name: 'span bbbbbbbbbbbbbbbb',
      input: 'plain text',
      output: { done: true },
      metadata: { a: { b: 1 }, c: 'd' },
      tags: ['x', 'y'],
      public: true,
      release: 'r1',
      version: 'v1',
      userId: 'u',
      environment: 'staging',
    });
    expect(store.traces.observation('aaaaaaaaaaaaaaaa')).toMatchObject({
      type: 'GENERATION',
      parentObservationId: 'bbbbbbbbbbbbbbbb',
      startTime: '2026-05-01T10:00:01.000Z',
      endTime: '2026-05-01T10:00:02.500Z',
      completionStartTime: '2026-05-01T10:00:00.500Z',
      model: 'm',
      usageDetails: { input: 3, output: 4 },
      input: { q: [1, 2] },
      // As a number it would be another one.
      output: '12345678901234567890',
      promptName: 'p',
      promptVersion: 3,
    });
    // Again with the same ids changes nothing.
    const before = store.traces.observationsOf(TRACE);
    await ask('POST', PATH, exported([root, child], { 'deployment.environment.name': 'staging' }));
    const plain = (rows: typeof before) => rows.map(({ updatedAt: _, ...row }) => row);
    expect(plain(store.traces.observationsOf(TRACE)).map(({ id }) => id)).toEqual(plain(before).map(({ id }) => id));
    expect(store.traces.get(TRACE)).toMatchObject({ timestamp: START, name: 'span bbbbbbbbbbbbbbbb' });
  });

  it('of other instrumentation are generations where they name a model, and lose nothing', async () => {
    const { ask, store } = await serving();
    const attributes = {
      'gen_ai.request.model': 'm-9',
      'gen_ai.usage.input_tokens': 8,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cost': 0.25,
      'gen_ai.system': 'somebody',
      temperature: 0.5,
    };
    await ask(
      'POST',
      PATH,
      exported([span('cccccccccccccccc', attributes, { status: { code: 2, message: 'broke' } })]),
    );
    expect(store.traces.observation('cccccccccccccccc')).toMatchObject({
      type: 'GENERATION',
      model: 'm-9',
      usageDetails: { input: 8, output: 2 },
      level: 'ERROR',
      statusMessage: 'broke',
      metadata: { attributes: { 'gen_ai.system': 'somebody', temperature: 0.5 } },
    });
    expect((await ask('GET', '/api/public/v2/observations?fields=usage')).body).toMatchObject({
      data: [{ usageDetails: { total: 10 }, costDetails: { total: 0.25 }, totalCost: 0.25 }],
    });
  });

  it('that are bad are told, and the others are kept', async () => {
    const { ask, store } = await serving();
    const good = span('dddddddddddddddd', {});
    const bad = [span('short', {}), { ...good, traceId: 7 }, 'none', { ...good, startTimeUnixNano: 'now' }];
    const { status, body } = await ask('POST', PATH, exported([...bad, good]));
    expect(status).toBe(200);
    expect(body).toEqual({
      partialSuccess: { rejectedSpans: 4, errorMessage: 'spanId: expected 16 hex digits' },
    });
    expect(store.traces.observationsOf(TRACE).map(({ id }) => id)).toEqual(['dddddddddddddddd']);
  });

  it('of an experiment make its run too, where its dataset is here', async () => {
    const { ask, store } = await serving();
    const dataset = store.datasets.save({ name: 'd' });
    store.datasets.saveItems('d', [{ id: 'i1', input: 1 }]);
    const about = (itemId: string, datasetId: string) => ({
      'langfuse.experiment.id': 'exp-1',
      'langfuse.experiment.name': 'first run',
      'langfuse.experiment.description': 'why',
      'langfuse.experiment.metadata': '{"model":"m"}',
      'langfuse.experiment.metadata.temperature': '0.5',
      'langfuse.experiment.item.metadata': '{"a":{"b":[1,null],"c":null,"d":{}},"e":true}',
      'langfuse.experiment.dataset.id': datasetId,
      'langfuse.experiment.item.id': itemId,
      'langfuse.experiment.item.expected_output': '{"x":1}',
      'langfuse.experiment.item.root_observation_id': 'eeeeeeeeeeeeeeee',
    });
    await ask(
      'POST',
      PATH,
      exported([
        span('eeeeeeeeeeeeeeee', about('i1', dataset.id)),
        span('ffffffffffffffff', about('i1', dataset.id), { parentSpanId: 'eeeeeeeeeeeeeeee' }),
      ]),
    );
    expect(store.runs.get('d', 'first run')).toMatchObject({
      id: 'exp-1',
      description: 'why',
      metadata: { model: 'm', temperature: 0.5 },
    });
    expect(store.runs.items('exp-1')).toMatchObject([
      { datasetItemId: 'i1', traceId: TRACE, observationId: 'eeeeeeeeeeeeeeee' },
    ]);
    const items = await ask(
      'GET',
      '/api/public/experiment-items?fromStartTime=2020-01-01T00:00:00Z&fields=io,itemMetadata',
    );
    expect(items.body).toMatchObject({
      data: [
        {
          id: 'eeeeeeeeeeeeeeee',
          input: null,
          expectedOutput: '{"x":1}',
          experimentItemMetadata: { 'a.b': '[1,null]', 'a.c': '', e: 'true' },
        },
      ],
    });
    const list = await ask('GET', '/api/public/experiments?fromStartTime=2020-01-01T00:00:00Z&fields=metadata');
    expect(list.body).toMatchObject({ data: [{ metadata: { model: 'm', temperature: '0.5' } }] });

    // Of an item or a dataset that is not here there is an experiment, and no run.
    const other = {
      ...about('unknown', 'elsewhere'),
      'langfuse.experiment.id': 'exp-2',
      'langfuse.experiment.name': 'b',
    };
    await ask('POST', PATH, exported([span('eeeeeeeeeeeeeeee', other)]));
    expect(store.runs.byId('exp-2')).toBeNull();
  });

  it('say of their trace what they say of it, each by itself', async () => {
    const { ask, store } = await serving();
    const own = { 'langfuse.observation.metadata.a': '1', 'langfuse.observation.metadata.b': 'own' };
    const ofTrace = { 'langfuse.trace.metadata.b': 'of the trace', 'langfuse.trace.metadata.c': '3' };
    await ask(
      'POST',
      PATH,
      exported([
        span('aaaaaaaaaaaaaaaa', { ...own, ...ofTrace }, { parentSpanId: 'bbbbbbbbbbbbbbbb' }),
        span('bbbbbbbbbbbbbbbb', own),
      ]),
    );
    expect(store.traces.observation('aaaaaaaaaaaaaaaa')?.metadata).toEqual({ a: 1, b: 'of the trace', c: 3 });
    expect(store.traces.observation('bbbbbbbbbbbbbbbb')?.metadata).toEqual({ a: 1, b: 'own' });
    expect(store.traces.get(TRACE)?.metadata).toEqual({ a: 1, b: 'own' });
  });

  it.each([
    ['{"input":2,"output":3}', '{"input":0.5,"output":0.25}', { input: 2, output: 3, total: 5 }, 0.75],
    ['{"input":2,"cached":3,"total":4}', '{"total":1}', { input: 2, cached: 3, total: 4 }, 1],
    // Other parts may be within the others: nothing says what they come to.
    ['{"input":2,"cached":3}', '{"input":1,"cached":1}', { input: 2, cached: 3, total: 5 }, null],
    ['{}', '{}', {}, null],
  ])('have totals of usage %s and cost %s', async (usage, cost, usageDetails, totalCost) => {
    const { ask } = await serving();
    const attributes = { 'langfuse.observation.usage_details': usage, 'langfuse.observation.cost_details': cost };
    await ask('POST', PATH, exported([span('aaaaaaaaaaaaaaaa', attributes)]));
    const newer = await ask('GET', '/api/public/v2/observations?fields=usage');
    const costDetails = { ...JSON.parse(cost), ...(totalCost === null ? {} : { total: totalCost }) };
    expect(newer.body).toMatchObject({ data: [{ usageDetails, costDetails, totalCost }] });
    const older = await ask('GET', '/api/public/observations/aaaaaaaaaaaaaaaa');
    expect(older.body).toMatchObject({ usageDetails, costDetails, calculatedTotalCost: totalCost });
    const trace = await ask('GET', `/api/public/traces/${TRACE}`);
    expect(trace.body).toMatchObject({ totalCost });
  });

  it('may be packed with gzip', async () => {
    const server = await serving();
    const packed = gzipSync(JSON.stringify(exported([span('1111111111111111', {})])));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await send(server, packed, headers)).status).toBe(200);
    expect(server.store.traces.get(TRACE)).not.toBeNull();
    expect((await send(server, 'not packed', headers)).status).toBe(400);
    expect((await send(server, packed, { ...headers, 'content-encoding': 'br' })).status).toBe(415);
  });
});
