import type { LangfuseClient } from '@langfuse/client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';

import type { annotationsApi } from '../../../src/langfuse/shapes/annotations.ts';
import type { datasetsApi } from '../../../src/langfuse/shapes/datasets.ts';
import { ENDPOINTS, endpointFor, endpointsAt, type projectsApi } from '../../../src/langfuse/shapes/endpoints.ts';
import type { experimentsApi } from '../../../src/langfuse/shapes/experiments.ts';
import type { ingestionApi } from '../../../src/langfuse/shapes/ingestion.ts';
import type { mediaApi } from '../../../src/langfuse/shapes/media.ts';
import type { promptsApi } from '../../../src/langfuse/shapes/prompts.ts';
import type { scoresApi } from '../../../src/langfuse/shapes/scores.ts';
import type { tracesApi } from '../../../src/langfuse/shapes/traces.ts';
import { sentTime, wholeNumberText } from '../../../src/langfuse/shapes/values.ts';

type Shapes = typeof annotationsApi &
  typeof datasetsApi &
  typeof experimentsApi &
  typeof ingestionApi &
  typeof mediaApi &
  typeof projectsApi &
  typeof promptsApi &
  typeof scoresApi &
  typeof tracesApi;
type Api = LangfuseClient['api'];
type Answer<Call extends (...given: never[]) => PromiseLike<unknown>> = Awaited<ReturnType<Call>>;
type Sent<Call extends (...given: never[]) => unknown> = NonNullable<Parameters<Call>[0]>;
/** The SDK leaves out that what may be missing may also be written as undefined. */
type Loose<T> = T extends readonly (infer One)[]
  ? readonly Loose<One>[]
  : T extends object
    ? { [K in keyof T]: Loose<T[K]> | (undefined extends T[K] ? undefined : never) }
    : T;
type Answered<Name extends keyof Shapes> = z.output<Shapes[Name]['answer']>;
type Requested<Name extends keyof Shapes> = z.input<Shapes[Name]['request']>;

describe('the shapes', () => {
  it('are what the types of the official SDK say: it can read every answer', () => {
    expectTypeOf<Answered<'getHealth'>>().toExtend<Answer<Api['health']['health']>>();
    expectTypeOf<Answered<'getProjects'>>().toExtend<Loose<Answer<Api['projects']['get']>>>();
    expectTypeOf<Answered<'createDataset'>>().toExtend<Answer<Api['datasets']['create']>>();
    expectTypeOf<Answered<'listDatasets'>>().toExtend<Answer<Api['datasets']['list']>>();
    expectTypeOf<Answered<'createDatasetItem'>>().toExtend<Answer<Api['datasetItems']['create']>>();
    expectTypeOf<Answered<'listDatasetItems'>>().toExtend<Answer<Api['datasetItems']['list']>>();
    expectTypeOf<Answered<'createDatasetRunItem'>>().toExtend<Answer<Api['datasetRunItems']['create']>>();
    expectTypeOf<Answered<'listDatasetRunItems'>['data']>().toExtend<Answer<Api['datasetRunItems']['list']>['data']>();
    expectTypeOf<Answered<'listDatasetRuns'>['data']>().toExtend<Answer<Api['datasets']['getRuns']>['data']>();
    expectTypeOf<Answered<'getDatasetRun'>['datasetRunItems']>().toExtend<
      Answer<Api['datasets']['getRun']>['datasetRunItems']
    >();
    expectTypeOf<Answered<'ingest'>>().toExtend<Loose<Answer<Api['ingestion']['batch']>>>();
    expectTypeOf<Answered<'listPrompts'>>().toExtend<Answer<Api['prompts']['list']>>();
    expectTypeOf<Answered<'createPrompt'>['version']>().toExtend<Answer<Api['prompts']['create']>['version']>();
    expectTypeOf<Answered<'createScore'>>().toExtend<Answer<Api['scores']['create']>>();
    expectTypeOf<Answered<'listScoresV3'>>().toExtend<Loose<Answer<Api['scoresV3']['getManyV3']>>>();
    expectTypeOf<Answered<'listExperiments'>>().toExtend<Loose<Answer<Api['experiments']['list']>>>();
    expectTypeOf<Answered<'listExperimentItems'>>().toExtend<Loose<Answer<Api['experiments']['listItems']>>>();
    expectTypeOf<Answered<'listObservationsV2'>>().toExtend<Loose<Answer<Api['observations']['getMany']>>>();
    expectTypeOf<Answered<'listComments'>>().toExtend<Loose<Answer<Api['comments']['get']>>>();
    expectTypeOf<Answered<'listQueues'>>().toExtend<Loose<Answer<Api['annotationQueues']['listQueues']>>>();
    // Langfuse answers null where the SDK says undefined: for what is not completed, and for what need not be uploaded.
    expectTypeOf<Omit<Answered<'createQueueItem'>, 'completedAt'>>().toExtend<
      Omit<Answer<Api['annotationQueues']['createQueueItem']>, 'completedAt'>
    >();
    expectTypeOf<Omit<Answered<'getMedia'>, 'uploadedAt'>>().toExtend<
      Omit<Answer<Api['media']['get']>, 'uploadedAt'>
    >();
    expectTypeOf<Omit<Answered<'getUploadUrl'>, 'uploadUrl'>>().toExtend<
      Omit<Answer<Api['media']['getUploadUrl']>, 'uploadUrl'>
    >();
    expectTypeOf<Answered<'listObservations'>['data']>().toExtend<
      Loose<Answer<Api['legacy']['observationsV1']['getMany']>['data']>
    >();
  });

  it('take every request that the official SDK can be given', () => {
    expectTypeOf<Sent<Api['datasets']['create']>>().toExtend<Requested<'createDataset'>>();
    expectTypeOf<Sent<Api['datasetItems']['create']>>().toExtend<Requested<'createDatasetItem'>>();
    expectTypeOf<Sent<Api['datasetRunItems']['create']>>().toExtend<Requested<'createDatasetRunItem'>>();
    expectTypeOf<Sent<Api['prompts']['create']>>().toExtend<Requested<'createPrompt'>>();
    expectTypeOf<Omit<Sent<Api['comments']['create']>, 'objectType'>>().toExtend<
      Omit<Requested<'createComment'>, 'objectType'>
    >();
    expectTypeOf<Parameters<Api['media']['patch']>[1]>().toExtend<Requested<'updateMedia'>>();
    expectTypeOf<Omit<Sent<Api['scores']['create']>, 'dataType'>>().toExtend<
      Omit<Requested<'createScore'>, 'dataType'>
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
    expect(sentTime.parse('2026-01-31T12:00:00+02:00')).toBe('2026-01-31T10:00:00.000Z');
    expect(sentTime.parse('2026-01-31T12:00:00.123456Z')).toBe('2026-01-31T12:00:00.123Z');
    expect(sentTime.parse('2026-01-31')).toBe('2026-01-31T00:00:00.000Z');
    for (const wrong of ['', 'now', '5', '31.01.2026', '2026-13-01T00:00:00Z']) {
      expect(sentTime.safeParse(wrong).success, wrong).toBe(false);
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
