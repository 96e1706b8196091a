// oxlint-disable typescript/no-deprecated -- what Langfuse 4 no longer has is served for Langfuse 3
import { propagateAttributes, startObservation } from '@langfuse/tracing';
import { describe, expect, it } from 'vitest';

import { type SdkServing, sdkServing } from './serving.ts';

/** A trace as an application makes it: a chain with a retriever and a generation in it. */
async function traced({ flush }: SdkServing): Promise<string> {
  const traceId = propagateAttributes(
    { userId: 'u1', sessionId: 's1', tags: ['blue', 'green'], version: 'v7', metadata: { tenant: 't1' } },
    () => {
      const root = startObservation('answer', { input: { question: 'Why?' } }, { asType: 'chain' });
      const search = root.startObservation('search', { output: ['a', 'b'], level: 'WARNING' }, { asType: 'retriever' });
      search.end();
      const call = root.startObservation(
        'write',
        {
          model: 'm-2',
          modelParameters: { temperature: 0.5 },
          input: [{ role: 'user', content: 'Why?' }],
          output: 'Because.',
          usageDetails: { input: 12, output: 3, total: 15 },
          costDetails: { input: 0.001, output: 0.002, total: 0.003 },
          completionStartTime: new Date(Date.now() + 40),
          prompt: { name: 'answering', version: 4, isFallback: false },
          metadata: { long: 'x'.repeat(500), depth: { is: 'kept' } },
        },
        { asType: 'generation' },
      );
      call.end(new Date(Date.now() + 1000));
      root.startObservation('noticed', { metadata: 'plain words' as never }, { asType: 'event' });
      root.update({ output: { text: 'Because.' } });
      root.end(new Date(Date.now() + 2000));
      return root.traceId;
    },
  );
  await flush();
  return traceId;
}

describe('traces that the official SDK sends', () => {
  it('are there with their observations', async () => {
    const serving = await sdkServing();
    const { client } = serving;
    const id = await traced(serving);
    const trace = await client.api.trace.get(id);
    expect(trace).toMatchObject({
      name: 'answer',
      input: { question: 'Why?' },
      output: { text: 'Because.' },
      userId: 'u1',
      sessionId: 's1',
      tags: ['blue', 'green'],
      version: 'v7',
      environment: 'default',
      metadata: { tenant: 't1' },
      totalCost: 0.003,
      htmlPath: `/project/assay/traces/${id}`,
    });
    expect(trace.latency).toBeGreaterThan(1.9);
    const byName = new Map(trace.observations.map((one) => [one.name, one]));
    expect([...byName].map(([name, { type }]) => [name, type])).toEqual(
      expect.arrayContaining([
        ['answer', 'CHAIN'],
        ['search', 'RETRIEVER'],
        ['write', 'GENERATION'],
        ['noticed', 'EVENT'],
      ]),
    );
    expect(byName.get('search')).toMatchObject({ level: 'WARNING', output: ['a', 'b'] });
    expect(byName.get('search')!.parentObservationId).toBe(byName.get('answer')!.id);
    expect(byName.get('write')).toMatchObject({
      model: 'm-2',
      modelParameters: { temperature: 0.5 },
      usageDetails: { input: 12, output: 3, total: 15 },
      usage: { input: 12, output: 3, total: 15, unit: 'TOKENS' },
      calculatedTotalCost: 0.003,
      promptName: 'answering',
      promptVersion: 4,
      metadata: { depth: { is: 'kept' }, tenant: 't1' },
    });
    expect(byName.get('write')!.timeToFirstToken).toBeCloseTo(0.04, 1);
    expect(byName.get('noticed')!.metadata).toEqual({ metadata: 'plain words', tenant: 't1' });
  });

  it('can be listed by what they are, and deleted', async () => {
    const serving = await sdkServing();
    const { client } = serving;
    const id = await traced(serving);
    const found = async (filter: object) => (await client.api.trace.list(filter)).data.map((one) => one.id);
    expect(await found({})).toEqual([id]);
    expect(await found({ userId: 'u1', sessionId: 's1', tags: ['blue', 'green'], name: 'answer' })).toEqual([id]);
    expect(await found({ tags: ['blue', 'red'] })).toEqual([]);
    expect(await found({ userId: 'u2' })).toEqual([]);
    expect(await found({ toTimestamp: '2020-01-01T00:00:00Z' })).toEqual([]);
    const [core] = (await client.api.trace.list({ fields: 'core' })).data;
    expect(core).toMatchObject({ observations: [], scores: [], latency: -1, totalCost: -1 });
    expect(core).not.toHaveProperty('input');
    await client.api.trace.delete(id);
    await expect(client.api.trace.get(id)).rejects.toMatchObject({ statusCode: 404 });
    expect((await client.api.observations.getMany()).data).toEqual([]);
  });

  it('are read as observations of either API', async () => {
    const serving = await sdkServing();
    const { client } = serving;
    const id = await traced(serving);
    const older = await client.api.legacy.observationsV1.getMany({ type: 'GENERATION', traceId: id });
    expect(older.data.map(({ name }) => name)).toEqual(['write']);
    expect(await client.api.legacy.observationsV1.get(older.data[0]!.id)).toMatchObject({ output: 'Because.' });

    const fields = 'core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context';
    const { data } = await client.api.observations.getMany({ traceId: id, type: 'GENERATION', fields });
    expect(data).toMatchObject([
      {
        name: 'write',
        // Texts always, as Langfuse 4 has them.
        input: '[{"role":"user","content":"Why?"}]',
        output: 'Because.',
        isRootObservation: false,
        userId: 'u1',
        sessionId: 's1',
        traceName: 'answer',
        tags: ['blue', 'green'],
        promptName: 'answering',
        totalCost: 0.003,
        metadata: { long: `${'x'.repeat(200)}…` },
      },
    ]);
    const whole = await client.api.observations.getMany({
      type: 'GENERATION',
      fields: 'metadata',
      expandMetadata: 'long',
    });
    expect(whole.data[0]!.metadata).toMatchObject({ long: 'x'.repeat(500) });
    const [bare] = (await client.api.observations.getMany({ limit: 1 })).data;
    expect(bare).toHaveProperty('name');
    expect(bare).not.toHaveProperty('input');
  });

  it('are narrowed by roots, sessions and structured filters', async () => {
    const serving = await sdkServing();
    const { client } = serving;
    await traced(serving);
    const names = async (filter: object) =>
      (await client.api.observations.getMany(filter)).data.map(({ name }) => String(name)).toSorted();
    expect(await names({ isRootObservation: true })).toEqual(['answer']);
    expect(await names({ isRootObservation: false })).toEqual(['noticed', 'search', 'write']);
    expect(await names({ parentObservationId: '' })).toEqual(['answer']);
    expect(await names({ sessionId: 's1', level: 'WARNING' })).toEqual(['search']);
    expect(await names({ sessionId: 's2' })).toEqual([]);
    const where = (column: string, operator: string, value: unknown, key?: string) =>
      JSON.stringify([{ type: 'string', column, operator, value, ...(key === undefined ? {} : { key }) }]);
    expect(await names({ filter: where('latency', '>=', 0.9) })).toEqual(['answer', 'write']);
    expect(await names({ filter: where('metadata', 'starts with', 'xxx', 'long') })).toEqual(['write']);
    expect(await names({ filter: where('name', 'any of', ['write', 'search']) })).toEqual(['search', 'write']);
    await expect(client.api.observations.getMany({ filter: where('colour', '=', 'red') })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  it('go on from a cursor without missing or repeating any', async () => {
    const { client, flush } = await sdkServing();
    for (let n = 0; n < 25; n += 1) startObservation(`o${n}`).end();
    await flush();
    const seen: (string | null | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.api.observations.getMany({ limit: 10, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.data.map(({ name }) => name));
      cursor = page.meta.cursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
    await expect(client.api.observations.getMany({ cursor: 'made-up' })).rejects.toMatchObject({ statusCode: 400 });
  });
});
