import { describe, expect, it } from 'vitest';

import { sdkServing, serving } from './serving.ts';

const PATH = '/api/public/score-configs';
const SCALE = { name: 'quality', dataType: 'NUMERIC', minValue: 1, maxValue: 5 } as const;

describe('score configs', () => {
  it('are made, listed, found and changed by the SDK', async () => {
    const { client } = await sdkServing();
    const { scoreConfigs } = client.api;
    const scale = await scoreConfigs.create({ ...SCALE, description: 'How good?' });
    expect(scale).toMatchObject({ ...SCALE, description: 'How good?', isArchived: false, categories: null });
    const truth = await scoreConfigs.create({ name: 'true', dataType: 'BOOLEAN' });
    expect(truth.categories).toEqual([
      { label: 'True', value: 1 },
      { label: 'False', value: 0 },
    ]);
    const { data, meta } = await scoreConfigs.get({ limit: 1 });
    expect([data.map(({ id }) => id), meta.totalItems]).toEqual([[truth.id], 2]);
    expect(await scoreConfigs.update(scale.id, { isArchived: true, maxValue: 7 })).toMatchObject({
      ...SCALE,
      maxValue: 7,
      isArchived: true,
    });
    expect(await scoreConfigs.getById(scale.id)).toMatchObject({ maxValue: 7, isArchived: true });
  });

  it.each([
    [{ name: 'a'.repeat(36), dataType: 'TEXT' }, 'name'],
    [{ name: 'a/b', dataType: 'TEXT' }, 'name'],
    [{ name: 'a', dataType: 'NUMERIC', minValue: 5, maxValue: 5 }, 'maxValue'],
    [{ name: 'a', dataType: 'NUMERIC', categories: [{ label: 'x', value: 1 }] }, 'categories'],
    [{ name: 'a', dataType: 'CATEGORICAL' }, 'categories'],
    [
      {
        name: 'a',
        dataType: 'CATEGORICAL',
        categories: [
          { label: 'x', value: 1 },
          { label: 'x', value: 2 },
        ],
      },
      'label',
    ],
    [
      {
        name: 'a',
        dataType: 'CATEGORICAL',
        categories: [
          { label: 'x', value: 1 },
          { label: 'y', value: 1 },
        ],
      },
      'value',
    ],
    [{ name: 'a', dataType: 'BOOLEAN', categories: [{ label: 'Yes', value: 1 }] }, 'categories'],
    [{ name: 'a', dataType: 'CORRECTION' }, 'dataType'],
  ])('refuse %j', async (body, named) => {
    const { ask } = await serving();
    const { status, body: answer } = await ask('POST', PATH, body);
    expect([status, (answer as { message: string }).message]).toEqual([400, expect.stringContaining(named)]);
  });

  it('refuse a change that leaves no config, and an id that is not here', async () => {
    const { ask } = await serving();
    const { id } = (await ask('POST', PATH, SCALE)).body as { id: string };
    expect((await ask('PATCH', `${PATH}/${id}`, { minValue: 9 })).status).toBe(400);
    expect((await ask('PATCH', `${PATH}/${id}`, { categories: [] })).status).toBe(400);
    expect((await ask('PATCH', `${PATH}/${id}`, {})).status).toBe(400);
    expect((await ask('GET', `${PATH}/${id}`)).body).toMatchObject(SCALE);
    expect((await ask('GET', `${PATH}/none`)).status).toBe(404);
    expect((await ask('PATCH', `${PATH}/none`, { name: 'x' })).status).toBe(404);
  });
});

describe('a score with a config', () => {
  const COLOURS = { name: 'colour', dataType: 'CATEGORICAL', categories: [{ label: 'red', value: 0 }] };

  it('has its name and type, and only values that fit', async () => {
    const { ask, store } = await serving();
    const made = async (body: object): Promise<string> => ((await ask('POST', PATH, body)).body as { id: string }).id;
    const [scale, colour, truth] = [
      await made(SCALE),
      await made(COLOURS),
      await made({ name: 'ok', dataType: 'BOOLEAN' }),
    ];
    const send = async (body: object): Promise<number> =>
      (await ask('POST', '/api/public/scores', { name: 'x', traceId: 't', ...body })).status;
    expect(await send({ id: 's', value: 4, configId: scale, source: 'ANNOTATION' })).toBe(200);
    expect(store.scores.get('s')).toMatchObject({
      name: 'quality',
      dataType: 'NUMERIC',
      value: 4,
      source: 'ANNOTATION',
    });
    expect(await send({ value: 'red', configId: colour })).toBe(200);
    expect(await send({ value: 1, configId: truth, dataType: 'BOOLEAN' })).toBe(200);
    expect(await send({ value: 6, configId: scale })).toBe(400);
    expect(await send({ value: 0, configId: scale })).toBe(400);
    expect(await send({ value: 'blue', configId: colour })).toBe(400);
    expect(await send({ value: 2, configId: truth })).toBe(400);
    expect(await send({ value: 'red', configId: colour, dataType: 'TEXT' })).toBe(400);
    expect(await send({ value: 4, configId: 'none' })).toBe(404);
    expect(await send({ value: 4, source: 'ANNOTATION' })).toBe(400);
    await ask('PATCH', `${PATH}/${scale}`, { isArchived: true });
    expect(await send({ value: 4, configId: scale })).toBe(400);
  });

  it('is held to it in a batch too, where the others are kept', async () => {
    const { ask, store } = await serving();
    const { id: configId } = (await ask('POST', PATH, SCALE)).body as { id: string };
    const event = (id: string, value: number) => ({
      id: `e-${id}`,
      type: 'score-create',
      timestamp: '2026-01-01T00:00:00.000Z',
      body: { id, name: 'quality', traceId: 't', value, configId, source: 'ANNOTATION' },
    });
    const { body } = await ask('POST', '/api/public/ingestion', { batch: [event('a', 5), event('b', 6)] });
    expect(body).toMatchObject({ successes: [{ id: 'e-a' }], errors: [{ id: 'e-b', status: 400 }] });
    expect([store.scores.get('a')?.source, store.scores.get('b')]).toEqual(['ANNOTATION', null]);
  });
});
