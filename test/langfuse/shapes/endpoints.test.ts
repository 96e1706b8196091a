import type { LangfuseClient } from '@langfuse/client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';

import type {
  createComment,
  createQueueItem,
  listComments,
  listQueues,
} from '../../../src/langfuse/shapes/annotations.ts';
import type * as datasets from '../../../src/langfuse/shapes/datasets.ts';
import { ENDPOINTS, endpointFor, endpointsAt } from '../../../src/langfuse/shapes/endpoints.ts';
import type { listExperimentItems, listExperiments } from '../../../src/langfuse/shapes/experiments.ts';
import type { ingest } from '../../../src/langfuse/shapes/ingestion.ts';
import type { getMedia, getUploadUrl, updateMedia } from '../../../src/langfuse/shapes/media.ts';
import type { listObservations, listObservationsV2 } from '../../../src/langfuse/shapes/observations.ts';
import type { getHealth, getProjects } from '../../../src/langfuse/shapes/projects.ts';
import type { createPrompt, listPrompts } from '../../../src/langfuse/shapes/prompts.ts';
import type { createScore, listScoresV3 } from '../../../src/langfuse/shapes/scores.ts';
import { givenTime, wholeNumberText } from '../../../src/langfuse/shapes/values.ts';

type Api = LangfuseClient['api'];
type Answer<Call extends (...given: never[]) => PromiseLike<unknown>> = Awaited<ReturnType<Call>>;
type Sent<Call extends (...given: never[]) => unknown> = NonNullable<Parameters<Call>[0]>;
/** The SDK leaves out that what may be missing may also be written as undefined. */
type Loose<T> = T extends readonly (infer One)[]
  ? readonly Loose<One>[]
  : T extends object
    ? { [K in keyof T]: Loose<T[K]> | (undefined extends T[K] ? undefined : never) }
    : T;
type Answered<E extends { answer: z.ZodType }> = z.output<E['answer']>;
type Requested<E extends { request: z.ZodType }> = z.input<E['request']>;

describe('the shapes', () => {
  it('are what the types of the official SDK say: it can read every answer', () => {
    expectTypeOf<Answered<typeof getHealth>>().toExtend<Answer<Api['health']['health']>>();
    expectTypeOf<Answered<typeof getProjects>>().toExtend<Loose<Answer<Api['projects']['get']>>>();
    expectTypeOf<Answered<typeof datasets.createDataset>>().toExtend<Answer<Api['datasets']['create']>>();
    expectTypeOf<Answered<typeof datasets.listDatasets>>().toExtend<Answer<Api['datasets']['list']>>();
    expectTypeOf<Answered<typeof datasets.createDatasetItem>>().toExtend<Answer<Api['datasetItems']['create']>>();
    expectTypeOf<Answered<typeof datasets.listDatasetItems>>().toExtend<Answer<Api['datasetItems']['list']>>();
    expectTypeOf<Answered<typeof datasets.createDatasetRunItem>>().toExtend<Answer<Api['datasetRunItems']['create']>>();
    expectTypeOf<Answered<typeof datasets.listDatasetRunItems>['data']>().toExtend<
      Answer<Api['datasetRunItems']['list']>['data']
    >();
    expectTypeOf<Answered<typeof datasets.listDatasetRuns>['data']>().toExtend<
      Answer<Api['datasets']['getRuns']>['data']
    >();
    expectTypeOf<Answered<typeof datasets.getDatasetRun>['datasetRunItems']>().toExtend<
      Answer<Api['datasets']['getRun']>['datasetRunItems']
    >();
    expectTypeOf<Answered<typeof ingest>>().toExtend<Loose<Answer<Api['ingestion']['batch']>>>();
    expectTypeOf<Answered<typeof listPrompts>>().toExtend<Answer<Api['prompts']['list']>>();
    expectTypeOf<Answered<typeof createPrompt>['version']>().toExtend<Answer<Api['prompts']['create']>['version']>();
    expectTypeOf<Answered<typeof createScore>>().toExtend<Answer<Api['scores']['create']>>();
    expectTypeOf<Answered<typeof listScoresV3>>().toExtend<Loose<Answer<Api['scoresV3']['getManyV3']>>>();
    expectTypeOf<Answered<typeof listExperiments>>().toExtend<Loose<Answer<Api['experiments']['list']>>>();
    expectTypeOf<Answered<typeof listExperimentItems>>().toExtend<Loose<Answer<Api['experiments']['listItems']>>>();
    expectTypeOf<Answered<typeof listObservationsV2>>().toExtend<Loose<Answer<Api['observations']['getMany']>>>();
    expectTypeOf<Answered<typeof listComments>>().toExtend<Loose<Answer<Api['comments']['get']>>>();
    expectTypeOf<Answered<typeof listQueues>>().toExtend<Loose<Answer<Api['annotationQueues']['listQueues']>>>();
    // Langfuse answers null where the SDK says undefined: for what is not completed, and for what need not be uploaded.
    expectTypeOf<Omit<Answered<typeof createQueueItem>, 'completedAt'>>().toExtend<
      Omit<Answer<Api['annotationQueues']['createQueueItem']>, 'completedAt'>
    >();
    expectTypeOf<Omit<Answered<typeof getMedia>, 'uploadedAt'>>().toExtend<
      Omit<Answer<Api['media']['get']>, 'uploadedAt'>
    >();
    expectTypeOf<Omit<Answered<typeof getUploadUrl>, 'uploadUrl'>>().toExtend<
      Omit<Answer<Api['media']['getUploadUrl']>, 'uploadUrl'>
    >();
    expectTypeOf<Answered<typeof listObservations>['data']>().toExtend<
      Loose<Answer<Api['legacy']['observationsV1']['getMany']>['data']>
    >();
  });

  it('take every request that the official SDK can be given', () => {
    expectTypeOf<Sent<Api['datasets']['create']>>().toExtend<Requested<typeof datasets.createDataset>>();
    expectTypeOf<Sent<Api['datasetItems']['create']>>().toExtend<Requested<typeof datasets.createDatasetItem>>();
    expectTypeOf<Sent<Api['datasetRunItems']['create']>>().toExtend<Requested<typeof datasets.createDatasetRunItem>>();
    expectTypeOf<Sent<Api['prompts']['create']>>().toExtend<Requested<typeof createPrompt>>();
    expectTypeOf<Omit<Sent<Api['comments']['create']>, 'objectType'>>().toExtend<
      Omit<Requested<typeof createComment>, 'objectType'>
    >();
    expectTypeOf<Parameters<Api['media']['patch']>[1]>().toExtend<Requested<typeof updateMedia>>();
    expectTypeOf<Omit<Sent<Api['scores']['create']>, 'dataType'>>().toExtend<
      Omit<Requested<typeof createScore>, 'dataType'>
    >();
  });
});

describe('ENDPOINTS', () => {
  it('has each method and path once', () => {
    const names = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are found by a path as it stands in a URL, names still encoded', () => {
    expect(endpointFor('GET', '/api/public/v2/datasets/a%2Fb')?.path).toBe('/api/public/v2/datasets/:name');
    expect(endpointFor('GET', '/api/public/datasets/a/runs/b%20c')?.path).toBe('/api/public/datasets/:name/runs/:run');
    expect(endpointFor('GET', '/api/public/v2/datasets/a/b')).toBeNull();
    expect(endpointFor('GET', '/api/public/v2/datasets/')).toBeNull();
    expect(endpointFor('PUT', '/api/public/v2/datasets')).toBeNull();
    expect(
      endpointsAt('/api/public/traces')
        .map(({ method }) => method)
        .toSorted(),
    ).toEqual(['DELETE', 'GET']);
  });
});

describe('values of queries', () => {
  it('are times in UTC with milliseconds, and nothing that is no time', () => {
    expect(givenTime.parse('2026-01-31T12:00:00+02:00')).toBe('2026-01-31T10:00:00.000Z');
    expect(givenTime.parse('2026-01-31T12:00:00.123456Z')).toBe('2026-01-31T12:00:00.123Z');
    expect(givenTime.parse('2026-01-31')).toBe('2026-01-31T00:00:00.000Z');
    for (const wrong of ['', 'now', '5', '31.01.2026', '2026-13-01T00:00:00Z']) {
      expect(givenTime.safeParse(wrong).success, wrong).toBe(false);
    }
  });

  it('are whole numbers within their bounds', () => {
    const limit = wholeNumberText(1, 100);
    expect(limit.parse('100')).toBe(100);
    for (const wrong of ['0', '101', '1.5', '-1', '', ' 5', '1e2', '0x10', '99999999999999999999']) {
      expect(limit.safeParse(wrong).success, wrong).toBe(false);
    }
  });
});
