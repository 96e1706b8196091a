import { describe, expect, it } from 'vitest';

import { ENDPOINTS } from '../../../src/langfuse/shapes/endpoints.ts';
import { serving } from './serving.ts';

const GONE_IN_4 = [
  'GET /api/public/traces',
  'GET /api/public/traces/x',
  'GET /api/public/observations',
  'GET /api/public/observations/x',
  'GET /api/public/datasets/x/runs',
  'GET /api/public/datasets/x/runs/y',
  'DELETE /api/public/datasets/x/runs/y',
  'GET /api/public/dataset-run-items?datasetId=a&runName=b',
  'GET /api/public/v2/scores',
  'GET /api/public/v2/scores/x',
];
const NEW_IN_4 = [
  'GET /api/public/experiments?fromStartTime=2020-01-01T00:00:00Z',
  'GET /api/public/experiment-items?fromStartTime=2020-01-01T00:00:00Z',
  'GET /api/public/v2/observations',
];

function hasMessage(body: unknown): body is { readonly message: string } {
  return typeof body === 'object' && body !== null && 'message' in body;
}

describe('generations of Langfuse', () => {
  it.each([
    [3, NEW_IN_4, GONE_IN_4],
    [4, GONE_IN_4, NEW_IN_4],
  ] as const)('%i answers 404 on what only the other one has', async (generation, missing, there) => {
    const { ask } = await serving({ generation });
    const saysSo = async (call: string) => {
      const [method = '', path = ''] = call.split(' ');
      const { status, body } = await ask(method, path);
      return status === 404 && hasMessage(body) && body.message.includes('Only Langfuse');
    };
    for (const call of missing) expect(await saysSo(call), call).toBe(true);
    for (const call of there) expect(await saysSo(call), call).toBe(false);
    for (const path of ['/api/public/v3/scores', '/api/public/v2/datasets', '/api/public/v2/prompts']) {
      expect((await ask('GET', path)).status, path).toBe(200);
    }
  });

  it('are both served unless one is named, with every endpoint of the shapes', async () => {
    const { ask } = await serving();
    for (const { method, path } of ENDPOINTS) {
      const { status, body } = await ask(method, path.replaceAll(/:\w+/g, '1'), method === 'GET' ? undefined : {});
      // A thing that is not here is said as such; a place that is not there would be a subset too small.
      expect(hasMessage(body) ? body.message : '', `${method} ${path} ${status}`).not.toContain(
        'There is nothing here',
      );
      expect(status, `${method} ${path}`).not.toBe(405);
      expect(status, `${method} ${path}`).toBeLessThan(500);
    }
  });
});
