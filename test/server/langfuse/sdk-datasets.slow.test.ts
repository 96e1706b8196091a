import { describe, expect, it } from 'vitest';

import { sdkServing } from './serving.ts';

describe('datasets through the official SDK', () => {
  it('are made, changed by name, and found again under names with slashes and signs', async () => {
    const { client } = await sdkServing();
    const name = 'eval/graph ü 100%?#';
    const made = await client.api.datasets.create({ name, description: 'first', metadata: { owner: 'a' } });
    expect(made).toMatchObject({ name, description: 'first', metadata: { owner: 'a' }, inputSchema: null });
    const changed = await client.api.datasets.create({ name, description: 'second' });
    expect(changed).toMatchObject({ id: made.id, description: 'second', metadata: { owner: 'a' } });
    expect(await client.api.datasets.get(name)).toMatchObject({ id: made.id, description: 'second' });
    expect((await client.api.datasets.list()).data.map((one) => one.name)).toEqual([name]);
  });

  it('keep description and metadata when null is sent for them, and lose schemas; {} empties metadata', async () => {
    const { ask } = await sdkServing();
    const path = '/api/public/v2/datasets';
    const schemas = { inputSchema: { type: 'object' }, expectedOutputSchema: { type: 'string' } };
    await ask('POST', path, { name: 'd', description: 'first', metadata: { owner: 'a' }, ...schemas });
    const nulls = { description: null, metadata: null, inputSchema: null };
    expect((await ask('POST', path, { name: 'd', ...nulls })).body).toMatchObject({
      description: 'first',
      metadata: { owner: 'a' },
      inputSchema: null,
      expectedOutputSchema: { type: 'string' },
    });
    expect((await ask('POST', path, { name: 'd', metadata: {} })).body).toMatchObject({ metadata: {} });
  });

  it('keep what is sent as null or not at all for an item', async () => {
    const { client, ask } = await sdkServing();
    await client.api.datasets.create({ name: 'd' });
    const item = { id: 'i', input: { a: 1 }, expectedOutput: 'x', metadata: { b: 2 } };
    const sources = { sourceTraceId: 'trace-1', sourceObservationId: 'o-1' };
    await client.dataset.createItem({ datasetName: 'd', ...item, ...sources });
    const nulls = Object.fromEntries(Object.keys({ ...item, ...sources }).map((name) => [name, null]));
    await ask('POST', '/api/public/dataset-items', { datasetName: 'd', ...nulls, id: 'i', status: null });
    expect(await client.api.datasetItems.get('i')).toMatchObject({ ...item, ...sources, status: 'ACTIVE' });
  });

  it('come with all of 250 items, page by page, newest first', async () => {
    const { client, recorded } = await sdkServing();
    await client.api.datasets.create({ name: 'many' });
    const numbers = Array.from({ length: 250 }, (_, at) => at);
    for (const n of numbers) {
      await client.dataset.createItem({ datasetName: 'many', id: `item-${n}`, input: { n }, expectedOutput: [n] });
    }
    const dataset = await client.dataset.get('many', { fetchItemsPageSize: 100 });
    expect(dataset.items.map((item) => item.input)).toEqual(numbers.toReversed().map((n) => ({ n })));
    const pages = recorded.filter(({ method, path }) => method === 'GET' && path === '/api/public/dataset-items');
    expect(pages.map(({ answer }) => (answer as { meta: unknown }).meta)).toEqual(
      [1, 2, 3].map((page) => ({ page, limit: 100, totalItems: 250, totalPages: 3 })),
    );
  });

  it('change an item of the same id, leave archived ones out, and delete', async () => {
    const { client } = await sdkServing();
    await client.api.datasets.create({ name: 'd' });
    const first = await client.dataset.createItem({
      datasetName: 'd',
      id: 'a/1',
      input: 'text',
      expectedOutput: { x: 1 },
      sourceTraceId: 'trace-1',
    });
    expect(first).toMatchObject({ id: 'a/1', status: 'ACTIVE', sourceTraceId: 'trace-1', mediaReferences: [] });
    await client.dataset.createItem({ datasetName: 'd', id: 'a/1', expectedOutput: { x: 2 } });
    expect(await client.api.datasetItems.get('a/1')).toMatchObject({
      input: 'text',
      expectedOutput: { x: 2 },
      sourceTraceId: 'trace-1',
    });
    expect((await client.api.datasetItems.list({ sourceTraceId: 'trace-1' })).data).toHaveLength(1);
    expect((await client.api.datasetItems.list({ sourceTraceId: 'trace-2' })).data).toHaveLength(0);

    await client.dataset.createItem({ datasetName: 'd', id: 'b', input: 1 });
    await client.dataset.createItem({ datasetName: 'd', id: 'a/1', status: 'ARCHIVED' });
    expect((await client.dataset.get('d')).items.map(({ id }) => id)).toEqual(['b']);
    await client.api.datasetItems.delete('b');
    expect((await client.dataset.get('d')).items).toEqual([]);
    await expect(client.api.datasetItems.get('b')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('are given as they were at a time that is named', async () => {
    const { client } = await sdkServing();
    await client.api.datasets.create({ name: 'd' });
    await client.dataset.createItem({ datasetName: 'd', id: 'a', input: 'before' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const version = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await client.dataset.createItem({ datasetName: 'd', id: 'a', input: 'after' });
    await client.dataset.createItem({ datasetName: 'd', id: 'b', input: 'new' });
    const then = await client.dataset.get('d', { version });
    expect(then.items.map(({ input }) => input)).toEqual(['before']);
    expect((await client.dataset.get('d')).items).toHaveLength(2);
  });

  it('refuse what cannot be, with a message that says why', async () => {
    const { client, recorded } = await sdkServing();
    await client.api.datasets.create({ name: 'one' });
    await client.api.datasets.create({ name: 'two' });
    await client.dataset.createItem({ datasetName: 'one', id: 'mine', input: 1 });
    await expect(client.dataset.createItem({ datasetName: 'two', id: 'mine', input: 2 })).rejects.toMatchObject({
      statusCode: 409,
    });
    await expect(client.dataset.createItem({ datasetName: 'none', input: 2 })).rejects.toMatchObject({
      statusCode: 404,
      body: { message: 'The dataset "none" is not here', error: 'NotFound' },
    });
    await expect(client.dataset.get('none')).rejects.toMatchObject({ statusCode: 404 });
    await expect(client.api.datasetItems.list({ datasetName: 'one', limit: 101 })).rejects.toMatchObject({
      statusCode: 400,
    });
    expect(recorded.at(-1)!.answer).toEqual({
      message: 'The query is not as expected: limit: expected a whole number from 1 to 100',
      error: 'BadRequest',
    });
  });
});

describe('schemas of a dataset', () => {
  const inputSchema = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };

  it('hold for every item that is made or changed', async () => {
    const { client, recorded } = await sdkServing();
    await client.api.datasets.create({ name: 'd', inputSchema, expectedOutputSchema: { type: 'array' } });
    await client.dataset.createItem({ datasetName: 'd', id: 'a', input: { text: 'x' }, expectedOutput: [] });
    await expect(
      client.dataset.createItem({ datasetName: 'd', input: { text: 5 }, expectedOutput: [] }),
    ).rejects.toMatchObject({
      statusCode: 400,
      body: { message: 'Dataset item validation failed: Input validation failed: input.text: expected text, found 5' },
    });
    await expect(client.dataset.createItem({ datasetName: 'd', id: 'a', expectedOutput: {} })).rejects.toMatchObject({
      statusCode: 400,
    });
    await client.dataset.createItem({ datasetName: 'd', id: 'a', expectedOutput: [1] });
    expect(recorded.at(-1)!.answer).toMatchObject({ input: { text: 'x' }, expectedOutput: [1] });
  });

  it('have to fit the items that are there already', async () => {
    const { client } = await sdkServing();
    await client.api.datasets.create({ name: 'd' });
    await client.dataset.createItem({ datasetName: 'd', id: 'odd', input: 5 });
    await expect(client.api.datasets.create({ name: 'd', inputSchema })).rejects.toMatchObject({
      statusCode: 400,
      body: {
        message:
          'Schema validation failed for 1 item(s). Details: "odd": Input validation failed: input: expected an object, found 5',
      },
    });
    expect((await client.api.datasets.get('d')).inputSchema).toBeNull();
  });

  it('are looked at when they come, and nothing is fetched for them', async () => {
    const { client } = await sdkServing();
    for (const wrong of [{ type: 'thing' }, { $ref: 'http://127.0.0.1:1/schema.json' }, 'text', []]) {
      await expect(client.api.datasets.create({ name: 'd', inputSchema: wrong })).rejects.toMatchObject({
        statusCode: 400,
      });
    }
    const older = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string', format: 'made-up' };
    await client.api.datasets.create({ name: 'd', inputSchema: older });
    await client.dataset.createItem({ datasetName: 'd', input: 'fits' });
  });
});
