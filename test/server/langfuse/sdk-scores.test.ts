// oxlint-disable typescript/no-deprecated -- what Langfuse 4 no longer has is served for Langfuse 3
import { describe, expect, it } from 'vitest';

import { sdkServing } from './serving.ts';

describe('scores through the official SDK', () => {
  it('come in batches and one by one, and are the same in every API', async () => {
    const { client, flush } = await sdkServing();
    client.score.create({ id: 'number', traceId: 't1', name: 'f1', value: 0.75, comment: 'good', metadata: { a: 1 } });
    client.score.create({ id: 'truth', traceId: 't1', observationId: 'o1', name: 'ok', value: 1, dataType: 'BOOLEAN' });
    client.score.create({ id: 'category', sessionId: 's1', name: 'tone', value: 'warm' });
    await flush();
    await client.api.scores.create({
      id: 'words',
      datasetRunId: 'r1',
      name: 'note',
      value: 'well said',
      dataType: 'TEXT',
    });

    const newer = await client.api.scoresV3.getManyV3({ fields: 'details,subject,annotation' });
    expect(
      Object.fromEntries(newer.data.map(({ id, dataType, value, subject }) => [id, [dataType, value, subject]])),
    ).toEqual({
      number: ['NUMERIC', 0.75, { kind: 'trace', id: 't1' }],
      truth: ['BOOLEAN', true, { kind: 'observation', id: 'o1', traceId: 't1' }],
      category: ['CATEGORICAL', 'warm', { kind: 'session', id: 's1' }],
      words: ['TEXT', 'well said', { kind: 'experiment', id: 'r1' }],
    });
    const older = await client.api.scores.getMany({});
    expect(Object.fromEntries(older.data.map((one) => [one.id, 'value' in one ? one.value : one.stringValue]))).toEqual(
      {
        number: 0.75,
        truth: 1,
        category: 0,
        words: 'well said',
      },
    );
    expect(await client.api.scores.getById('truth')).toMatchObject({ stringValue: 'True', value: 1, source: 'API' });
    expect(await client.api.scores.getById('number')).toMatchObject({ comment: 'good', metadata: { a: 1 } });
  });

  it('of the same id change, and can be deleted', async () => {
    const { client, flush } = await sdkServing();
    client.score.create({ id: 'a', traceId: 't', name: 'f1', value: 0.1 });
    await flush();
    client.score.create({ id: 'a', traceId: 't', name: 'f1', value: 0.9 });
    await flush();
    expect((await client.api.scoresV3.getManyV3()).data.map(({ value }) => value)).toEqual([0.9]);
    await client.api.legacy.scoreV1.delete('a');
    expect((await client.api.scoresV3.getManyV3()).data).toEqual([]);
    await expect(client.api.scores.getById('a')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('are found by name, value, subject, type and time', async () => {
    const { client } = await sdkServing();
    const values = [0.1, 0.2, 0.3, 0.4];
    for (const [at, value] of values.entries()) {
      await client.api.scores.create({ traceId: `t${at}`, name: at < 2 ? 'low' : 'high', value });
    }
    await client.api.scores.create({ traceId: 't0', name: 'ok', value: 0, dataType: 'BOOLEAN' });
    const v3 = async (filter: object) =>
      (await client.api.scoresV3.getManyV3(filter)).data.map(({ value }) => value).toReversed();
    expect(await v3({ name: 'low,ok' })).toEqual([0.1, 0.2, false]);
    expect(await v3({ traceId: 't0,t3' })).toEqual([0.1, 0.4, false]);
    expect(await v3({ dataType: 'numeric', valueMin: 0.2, valueMax: 0.3 })).toEqual([0.2, 0.3]);
    expect(await v3({ dataType: 'NUMERIC', value: '0.1,0.4' })).toEqual([0.1, 0.4]);
    expect(await v3({ dataType: 'BOOLEAN', value: 'false' })).toEqual([false]);
    expect(await v3({ dataType: 'NUMERIC,BOOLEAN', name: 'ok' })).toEqual([false]);
    expect(await v3({ toTimestamp: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(await v3({ queueId: 'q' })).toEqual([]);

    const v2 = async (filter: object) => (await client.api.scores.getMany(filter)).data.length;
    expect(await v2({ name: 'high' })).toBe(2);
    expect(await v2({ operator: '>=', value: 0.3 })).toBe(2);
    expect(await v2({ traceId: 't0', dataType: 'BOOLEAN' })).toBe(1);
  });

  it('go on from a cursor, filtered or not, to the last one', async () => {
    const { client, flush } = await sdkServing();
    for (let n = 0; n < 23; n += 1) client.score.create({ traceId: 't', name: 'n', value: n });
    await flush();
    for (const [filter, expected] of [
      [{}, 23],
      [{ dataType: 'NUMERIC', valueMin: 3 }, 20],
    ] as const) {
      const seen: unknown[] = [];
      const pages: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.api.scoresV3.getManyV3({
          ...filter,
          limit: 10,
          ...(cursor === undefined ? {} : { cursor }),
        });
        seen.push(...page.data.map(({ value }) => value));
        pages.push(page.data.length);
        cursor = page.meta.cursor;
      } while (cursor !== undefined);
      expect(new Set(seen).size).toBe(expected);
      expect(pages).toEqual(expected === 23 ? [10, 10, 3] : [10, 10]);
    }
  });

  it('that cannot be are refused with the reason', async () => {
    const { client, ask } = await sdkServing();
    for (const [score, said] of [
      [{ name: 'a', value: 1 }, 'exactly one of traceId, sessionId and datasetRunId'],
      [{ name: 'a', value: 1, traceId: 't', sessionId: 's' }, 'exactly one of traceId, sessionId and datasetRunId'],
      [{ name: 'a', value: 1, sessionId: 's', observationId: 'o' }, 'traceId has to be there too'],
      [{ name: 'a', value: 2, traceId: 't', dataType: 'BOOLEAN' }, 'expected 0 or 1'],
      [{ name: 'a', value: 'x', traceId: 't', dataType: 'NUMERIC' }, 'expected a number'],
      [{ name: 'a', value: null, traceId: 't' }, 'value'],
      [{ name: '', value: 1, traceId: 't' }, 'name'],
    ] as const) {
      const { status, body } = await ask('POST', '/api/public/scores', score);
      expect(status).toBe(400);
      expect((body as { message: string }).message).toContain(said);
    }
    for (const query of [
      { valueMin: 1 },
      { dataType: 'NUMERIC,BOOLEAN', value: '1' },
      { observationId: 'o' },
      { traceId: 't', sessionId: 's' },
      { fields: 'everything' },
      { limit: 101 },
    ]) {
      await expect(client.api.scoresV3.getManyV3(query)).rejects.toMatchObject({ statusCode: 400 });
    }
  });
});
