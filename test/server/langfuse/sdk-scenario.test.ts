import { LangfuseMedia } from '@langfuse/client';
import { propagateAttributes, startActiveObservation } from '@langfuse/tracing';
import { describe, expect, it } from 'vitest';

import { sdkServing } from './serving.ts';

const ALWAYS = '2020-01-01T00:00:00Z';
const CAPITALS = { Peru: 'Lima', Kenya: 'Nairobi', Chad: "N'Djamena" };
const PICTURE = Buffer.from('89504e470d0a1a0a', 'hex');
const TABLE = 'country,city\nPeru,Lima\n';
const NOTE = 'Lima – la capital del Perú';
const FROM_MEMORY: Readonly<Record<string, string>> = { Peru: 'Lima', Kenya: 'Mombasa' };

describe('what scenario.py does with the Python SDK, with that of JavaScript', () => {
  it.each(['both', 4] as const)('works against a server of generation %s', async (generation) => {
    const { client, flush, store } = await sdkServing({ generation });
    const { api } = client;

    await client.prompt.create({ name: 'tone', prompt: 'Answer in one word.', labels: ['production'] });
    await client.prompt.create({
      name: 'capital',
      prompt: '@@@langfusePrompt:name=tone|label=production@@@ What is the capital of {{country}}?',
      labels: ['staging'],
      tags: ['geography'],
    });
    const prompt = await client.prompt.get('capital', { label: 'staging', cacheTtlSeconds: 0 });
    expect(prompt.compile({ country: 'Peru' })).toBe('Answer in one word. What is the capital of Peru?');

    await api.datasets.create({ name: 'capitals/small' });
    for (const [country, city] of Object.entries(CAPITALS)) {
      const item = { id: `item-${country}`, input: { country }, expectedOutput: city };
      await client.dataset.createItem({ datasetName: 'capitals/small', ...item });
    }

    const mediaItem = await client.dataset.createItem({
      datasetName: 'capitals/small',
      id: 'item-with-media',
      input: {
        picture: new LangfuseMedia({ source: 'bytes', contentBytes: PICTURE, contentType: 'image/png' }),
        tables: [new LangfuseMedia({ source: 'bytes', contentBytes: Buffer.from(TABLE), contentType: 'text/csv' })],
      },
      status: 'ARCHIVED',
    });
    expect(mediaItem.mediaReferences).toMatchObject([
      { field: 'input', jsonPath: "$['picture']", media: { contentType: 'image/png', contentLength: 8 } },
      { field: 'input', jsonPath: "$['tables'][0]", media: { contentType: 'text/csv', contentLength: TABLE.length } },
    ]);
    expect(await (await fetch(mediaItem.mediaReferences[1]!.media.url)).text()).toBe(TABLE);

    const ofTrace = { userId: 'u-1', sessionId: 's-1', tags: ['geography'], metadata: { tenant: 'acme' } };
    const traceId = await propagateAttributes(ofTrace, () =>
      startActiveObservation('question', async (root) => {
        const call = root.startObservation('call', { model: 'm-1', input: 'Peru?', prompt }, { asType: 'generation' });
        call.update({ output: 'Lima', usageDetails: { input: 12, output: 3 }, costDetails: { input: 0.5, output: 1 } });
        call.end();
        const note = `data:text/plain;base64,${Buffer.from(NOTE).toString('base64')}`;
        root.update({ input: { q: 'Peru?' }, output: { a: 'Lima' }, metadata: { note } });
        return root.traceId;
      }),
    );
    client.score.create({ traceId, name: 'helpful', value: 0.75 });

    const dataset = await client.dataset.get('capitals/small');
    const result = await dataset.runExperiment({
      name: 'from memory',
      runName: 'from memory, first try',
      metadata: { model: 'm-1', settings: { temperature: 0 } },
      task: async ({ input }) => {
        const answer = FROM_MEMORY[(input as { country: string }).country];
        if (answer === undefined) throw new Error('not known');
        return answer;
      },
      evaluators: [async ({ output, expectedOutput }) => ({ name: 'exact', value: output === expectedOutput ? 1 : 0 })],
      runEvaluators: [async ({ itemResults }) => ({ name: 'answered', value: itemResults.length })],
    });
    await flush();

    const [experiment] = (await api.experiments.list({ fromStartTime: ALWAYS, fields: 'core,metadata,scores' })).data;
    expect(experiment).toMatchObject({
      name: 'from memory, first try',
      itemCount: 3,
      metadata: { model: 'm-1', 'settings.temperature': '0' },
      scores: [{ name: 'answered', value: 2 }],
    });
    const items = await api.experiments.listItems({ fromStartTime: ALWAYS, fields: 'core,io,scores' });
    const peru = items.data.find(({ experimentItemId }) => experimentItemId === 'item-Peru');
    expect(peru).toMatchObject({ input: '{"country":"Peru"}', output: 'Lima', scores: [{ name: 'exact', value: 1 }] });
    const fields = 'core,basic,io,metadata,usage,prompt,trace_context';
    const [call] = (await api.observations.getMany({ traceId, type: 'GENERATION', fields })).data;
    expect(call).toMatchObject({
      usageDetails: { input: 12, output: 3, total: 15 },
      totalCost: 1.5,
      metadata: { tenant: 'acme' },
      userId: 'u-1',
      tags: ['geography'],
      promptId: store.prompts.get('capital', { version: 1 })!.id,
      promptName: 'capital',
      promptVersion: 1,
    });
    expect((await api.scoresV3.getManyV3({ traceId })).data).toMatchObject([{ name: 'helpful', value: 0.75 }]);

    const [question] = (await api.observations.getMany({ traceId, name: 'question', fields: 'core,basic,metadata' }))
      .data;
    const { note } = question!.metadata as { note: string };
    expect(note).toMatch(/^@@@langfuseMedia:type=text\/plain\|id=[^|]+\|source=base64_data_uri@@@$/);
    const resolved = await client.media.resolveReferences({ obj: { note }, resolveWith: 'base64DataUri' });
    expect(resolved.note).toBe(`data:text/plain;base64,${Buffer.from(NOTE).toString('base64')}`);

    const { id } = await api.comments.create({
      projectId: 'assay',
      objectType: 'TRACE',
      objectId: traceId,
      content: 'ok',
    });
    expect((await api.comments.getById(id)).content).toBe('ok');
    expect(store.runs.items(result.datasetRunId!)).toHaveLength(3);
  });
});
