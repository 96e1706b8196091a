import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it, vi } from 'vitest';

import { type Serving, serving } from './serving.ts';

const OTLP = '/api/public/otel/v1/traces';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const VERSION = 'langfuse.observation.prompt.version';

/** Every route that answers a list, with what it needs to be asked. */
const LISTS = [
  '/api/public/v2/datasets',
  '/api/public/datasets/d/runs',
  '/api/public/datasets/d/runs/r',
  '/api/public/dataset-items?datasetName=d',
  '/api/public/dataset-run-items?datasetId=ID&runName=r',
  '/api/public/v2/prompts',
  '/api/public/v2/prompts?tag=t&label=production',
  '/api/public/traces',
  `/api/public/traces/${TRACE}`,
  '/api/public/observations',
  '/api/public/v2/observations',
  '/api/public/v2/observations?limit=1&fields=core,basic,time,io,metadata,model,usage,prompt,metrics',
  '/api/public/experiments?fromStartTime=2020-01-01T00:00:00Z',
  '/api/public/experiment-items?fromStartTime=2020-01-01T00:00:00Z&fields=io,scores,metadata',
  '/api/public/v2/scores',
  '/api/public/v3/scores',
  '/api/public/v3/scores?limit=1',
] as const;

function span(spanId: string, key: string, value: object) {
  const times = { startTimeUnixNano: '1777629600000000000', endTimeUnixNano: '1777629602500000000' };
  return { traceId: TRACE, spanId, name: spanId, kind: 1, ...times, attributes: [{ key, value }], status: {} };
}

function exported(...spans: readonly unknown[]) {
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

async function expectListsAnswered({ ask, store }: Serving, why: string, statuses = [200]): Promise<void> {
  const id = store.datasets.get('d')?.id ?? 'none';
  for (const path of LISTS) {
    const { status, body } = await ask('GET', path.replace('ID', id));
    expect(statuses, `${why}: ${path} ${JSON.stringify(body)}`).toContain(status);
  }
}

/** At least one row in every table that a request fills. */
async function fill({ ask }: Serving): Promise<void> {
  const ok = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const answer = await ask(method, path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  await ok('POST', '/api/public/v2/datasets', { name: 'd', metadata: { a: 1 }, inputSchema: {} });
  for (const item of ['i1', 'i2'])
    await ok('POST', '/api/public/dataset-items', { datasetName: 'd', id: item, input: { a: 1 }, metadata: { b: 2 } });
  for (const name of ['p', 'q'])
    await ok('POST', '/api/public/v2/prompts', { name, prompt: 'x', labels: ['production'], tags: ['t'], config: {} });
  const keys = (item: string) =>
    Object.entries({ id: 'e1', name: 'r', 'item.id': item, 'dataset.id': 'none' }).map(([key, stringValue]) => ({
      key: `langfuse.experiment.${key}`,
      value: { stringValue },
    }));
  for (const [id, item] of [
    ['aaaaaaaaaaaaaaaa', 'i1'],
    ['bbbbbbbbbbbbbbbb', 'i2'],
  ] as const) {
    const one = span(id, VERSION, { intValue: '3' });
    await ok('POST', OTLP, exported({ ...one, attributes: [...one.attributes, ...keys(item)] }));
    await ok('POST', '/api/public/dataset-run-items', { runName: 'r', datasetItemId: item, traceId: TRACE });
    await ok('POST', '/api/public/scores', {
      id: `s-${id}`,
      name: 'f1',
      value: 0.5,
      traceId: TRACE,
      metadata: { c: 3 },
    });
  }
}

describe('a number that the store could not give back', () => {
  it.each([
    ['an integer beyond 2^53', { intValue: '9007199254740993' }],
    ['the largest integer of 64 bits', { intValue: '9223372036854775807' }],
    ['the least one', { intValue: '-9223372036854775808' }],
    ['a double of 1e17', { doubleValue: 1e17 }],
    ['a text of 1e17', { stringValue: '1e17' }],
    ['a fraction', { doubleValue: 1.5 }],
  ])('is refused in the version of a prompt: %s', async (_, value) => {
    const server = await serving();
    const bad = span('cccccccccccccccc', VERSION, value);
    const alone = await server.ask('POST', OTLP, exported(bad));
    expect(alone.status).toBe(400);
    expect((alone.body as { message: string }).message).toContain(`${VERSION}: expected a whole number up to`);
    const among = await server.ask('POST', OTLP, exported(bad, span('dddddddddddddddd', VERSION, { intValue: '3' })));
    expect([among.status, among.body]).toMatchObject([200, { partialSuccess: { rejectedSpans: 1 } }]);
    expect(server.store.traces.observationsOf(TRACE).map(({ id }) => id)).toEqual(['dddddddddddddddd']);
    await expectListsAnswered(server, 'after', [200, 404]);
  });

  it('is refused in a batch too, event by event', async () => {
    const server = await serving();
    const event = (id: string, promptVersion: number) => ({
      id,
      type: 'generation-create',
      timestamp: '2026-05-01T10:00:00.000Z',
      body: { id, traceId: TRACE, promptName: 'p', promptVersion },
    });
    const batch = [event('a', 1e17), event('b', 2 ** 53), event('c', 3)];
    const { status, body } = await server.ask('POST', '/api/public/ingestion', { batch });
    expect([status, body]).toMatchObject([
      207,
      { successes: [{ id: 'c' }], errors: [{ id: 'a', status: 400 }, { id: 'b' }] },
    ]);
    await expectListsAnswered(server, 'after', [200, 404]);
  });

  it('is refused by the store itself, for those who call it', async () => {
    const { store } = await serving();
    const save = (promptVersion: number) => () =>
      store.traces.saveObservation({ id: 'o', traceId: TRACE, promptVersion });
    for (const version of [1e17, 2 ** 53, 1.5, NaN]) expect(save(version)).toThrow('expected a whole number');
    expect(save(2 ** 53 - 1)).not.toThrow();
    expect(store.traces.observation('o')?.promptVersion).toBe(2 ** 53 - 1);
  });

  it.each([
    ['POST', '/api/public/scores', { name: 's', traceId: TRACE, value: 1e308 }, 200],
    ['POST', '/api/public/scores', { name: 's', traceId: TRACE, value: 2 ** 60 }, 200],
    ['POST', '/api/public/v2/datasets', { name: 'd', metadata: { n: 1e300 } }, 200],
    ['POST', '/api/public/scores', '{"name":"s","traceId":"t","value":1e999}', 400],
    ['GET', '/api/public/v2/prompts/p?version=9007199254740993', undefined, 400],
    ['GET', '/api/public/traces?page=9007199254740991&limit=100', undefined, 409],
  ])('leaves no trace elsewhere: %s %s', async (method, path, body, expected) => {
    const server = await serving();
    expect((await server.ask(method, path, body)).status).toBe(expected);
    await expectListsAnswered(server, path, [200, 404]);
  });
});

describe('a store with a cell that cannot be read', () => {
  it('answers every list without that row, and says so where the server runs', async () => {
    const server = await serving();
    await fill(server);
    await expectListsAnswered(server, 'before');
    const said = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    try {
      const file = new DatabaseSync(server.store.file);
      file.exec("UPDATE observations SET prompt_version = 9007199254740993 WHERE id = 'aaaaaaaaaaaaaaaa'");
      file.close();
      await expectListsAnswered(server, 'with a large integer');
      const { body } = await server.ask('GET', '/api/public/observations');
      expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(['bbbbbbbbbbbbbbbb']);
      expect(said.mock.calls.map(([line]) => line)).toEqual([
        `assay: ${server.store.file}: row 1 of observations is left out: its column prompt_version cannot be read\n`,
      ]);
      // It can still be deleted.
      expect((await server.ask('DELETE', `/api/public/traces/${TRACE}`)).status).toBe(200);
    } finally {
      said.mockRestore();
    }
  });
});
