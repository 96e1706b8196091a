// oxlint-disable typescript/no-deprecated -- what Langfuse 4 no longer has is served for Langfuse 3
import { startActiveObservation } from '@langfuse/tracing';
import { describe, expect, it } from 'vitest';

import { type SdkServing, sdkServing } from './serving.ts';

const ALWAYS = '2020-01-01T00:00:00Z';
const EVERY_FIELD = 'core,dataset,io,metadata,itemMetadata,experimentMetadata,scores';

/** Three items whose number is to be doubled; the task fails on the second, and doubles wrongly on the third. */
async function doubled(serving: SdkServing) {
  const { client } = serving;
  await client.api.datasets.create({ name: 'numbers/small' });
  for (const n of [1, 2, 3]) {
    await client.dataset.createItem({
      datasetName: 'numbers/small',
      id: `n${n}`,
      input: { n },
      expectedOutput: { doubled: 2 * n },
      metadata: { kind: 'whole' },
    });
  }
  const dataset = await client.dataset.get('numbers/small');
  const result = await dataset.runExperiment({
    name: 'doubling',
    runName: 'doubling, first try',
    description: 'how well it doubles',
    metadata: { model: 'm-1', temperature: 0 },
    task: async (item) =>
      startActiveObservation(
        'call',
        async (generation) => {
          const { n } = item.input as { n: number };
          if (n === 2) throw new Error('two is too hard');
          generation.update({
            model: 'm-1',
            input: item.input,
            output: 'done',
            usageDetails: { input: 10, output: 2 },
            costDetails: { total: 0.25 },
          });
          return { doubled: n === 3 ? 7 : 2 * n };
        },
        { asType: 'generation' },
      ),
    evaluators: [
      async ({ output, expectedOutput }) => ({
        name: 'exact',
        value: (output as { doubled: number }).doubled === (expectedOutput as { doubled: number }).doubled ? 1 : 0,
        comment: 'compared as numbers',
      }),
      async () => ({ name: 'kind', value: 'fine', dataType: 'CATEGORICAL' as const }),
    ],
    runEvaluators: [async ({ itemResults }) => ({ name: 'answered', value: itemResults.length })],
  });
  await serving.flush();
  return { dataset, result };
}

describe('runExperiment of the official SDK', () => {
  it('links every item to its trace, also one whose task threw', async () => {
    const serving = await sdkServing();
    const { client } = serving;
    const { dataset, result } = await doubled(serving);
    expect(result.itemResults).toHaveLength(2);

    const runs = await client.api.datasets.getRuns('numbers/small');
    expect(runs.data.map(({ id, name }) => [id, name])).toEqual([[result.datasetRunId, 'doubling, first try']]);
    const run = await client.api.datasets.getRun('numbers/small', 'doubling, first try');
    expect(run).toMatchObject({
      description: 'how well it doubles',
      metadata: { model: 'm-1', temperature: 0 },
      datasetId: dataset.id,
    });
    expect(run.datasetRunItems.map(({ datasetItemId }) => datasetItemId).toSorted()).toEqual(['n1', 'n2', 'n3']);

    const items = await client.api.datasetRunItems.list({ datasetId: dataset.id, runName: 'doubling, first try' });
    expect(items.meta.totalItems).toBe(3);
    const failed = items.data.find(({ datasetItemId }) => datasetItemId === 'n2')!;
    const trace = await client.api.trace.get(failed.traceId);
    expect(trace.observations.map(({ name, level, statusMessage }) => [name, level, statusMessage])).toEqual([
      ['experiment-item-run', 'ERROR', 'two is too hard'],
      ['call', 'ERROR', 'two is too hard'],
    ]);
  });

  it('is an experiment with the same items in the newer API', async () => {
    const serving = await sdkServing();
    const { client } = serving;
    const { dataset, result } = await doubled(serving);

    const experiments = await client.api.experiments.list({ fromStartTime: ALWAYS, fields: 'core,metadata,scores' });
    expect(experiments.data).toMatchObject([
      {
        id: result.experimentId,
        name: 'doubling, first try',
        description: 'how well it doubles',
        itemCount: 3,
        datasetId: dataset.id,
        metadata: { model: 'm-1', temperature: '0' },
        scores: [{ name: 'answered', value: 2, subject: { kind: 'experiment', id: result.datasetRunId } }],
      },
    ]);
    const { data } = await client.api.experiments.listItems({ fromStartTime: ALWAYS, fields: EVERY_FIELD });
    const byItem = new Map(data.map((item) => [item.experimentItemId, item]));
    expect(byItem.get('n1')).toMatchObject({
      // Texts always, as Langfuse 4 has them.
      input: '{"n":1}',
      output: '{"doubled":2}',
      expectedOutput: '{"doubled":2}',
      experimentDatasetId: dataset.id,
      experimentItemMetadata: { kind: 'whole' },
      experimentMetadata: { model: 'm-1', temperature: '0' },
      environment: 'sdk-experiment',
    });
    const scores = byItem.get('n3')!.scores!.map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(scores)).toEqual({ exact: 0, kind: 'fine' });
    expect(byItem.get('n2')).toMatchObject({ level: 'ERROR', scores: [] });
  });

  it('is told page by page, filtered, and with the groups of fields that are asked for', async () => {
    const serving = await sdkServing();
    const { client } = serving;
    const { dataset, result } = await doubled(serving);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.api.experiments.listItems({
        fromStartTime: ALWAYS,
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(Object.keys(page.data[0]!)).not.toContain('input');
      seen.push(...page.data.map(({ experimentItemId }) => experimentItemId));
      cursor = page.meta.cursor;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(['n1', 'n2', 'n3']);

    const items = async (filter: Record<string, string>) =>
      (await client.api.experiments.listItems({ fromStartTime: ALWAYS, ...filter })).data.length;
    expect(await items({ experimentId: result.experimentId })).toBe(3);
    expect(await items({ experimentItemId: 'n1,n3' })).toBe(2);
    expect(await items({ datasetId: dataset.id, experimentName: 'another' })).toBe(0);
    expect(await items({ fromStartTime: '2999-01-01T00:00:00Z' })).toBe(0);
    const condition = { type: 'stringOptions', column: 'experimentItemId', operator: 'any of', value: ['n2'] };
    expect(await items({ filter: JSON.stringify([condition]) })).toBe(1);
  });

  it('says where to look, and can be deleted', async () => {
    const serving = await sdkServing();
    const { client, base } = serving;
    const { dataset, result } = await doubled(serving);
    expect(result.datasetRunUrl).toBe(`${base}/project/assay/datasets/${dataset.id}/runs/${result.datasetRunId!}`);
    expect(await client.getTraceUrl('abc')).toBe(`${base}/project/assay/traces/abc`);
    expect(await result.format()).toContain('exact: 0.500');

    await client.api.datasets.deleteRun('numbers/small', 'doubling, first try');
    await expect(client.api.datasets.getRun('numbers/small', 'doubling, first try')).rejects.toMatchObject({
      statusCode: 404,
    });
  });

  it('without a dataset is an experiment, and no run', async () => {
    const serving = await sdkServing();
    const { client, flush } = serving;
    const result = await client.experiment.run({
      name: 'loose',
      data: [{ input: 'a' }, { input: 'b' }],
      task: async ({ input }) => String(input).toUpperCase(),
    });
    await flush();
    expect(result.datasetRunId).toBeUndefined();
    const { data } = await client.api.experiments.list({ fromStartTime: ALWAYS });
    expect(data).toMatchObject([{ id: result.experimentId, itemCount: 2, datasetId: null }]);
  });

  it.each([
    [3, 200, 404],
    [4, 404, 200],
  ] as const)('works against generation %i alone', async (generation, older, newer) => {
    const serving = await sdkServing({ generation });
    const { client, recorded } = serving;
    const { dataset } = await doubled(serving);
    await client.api.datasets.getRun(dataset.name, 'doubling, first try').catch(() => undefined);
    expect(recorded.at(-1)!.status).toBe(older);
    await client.api.experiments.list({ fromStartTime: ALWAYS }).catch(() => undefined);
    expect(recorded.at(-1)!.status).toBe(newer);
    expect((await client.api.scoresV3.getManyV3({})).data).toHaveLength(5);
  });
});
