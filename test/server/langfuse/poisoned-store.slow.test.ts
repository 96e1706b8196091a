import { expect, it, vi } from 'vitest';

import { langfuseApp } from '../../../src/server/langfuse/langfuse-server.ts';
import { runsPart } from '../../../src/server/runs/runs-part.ts';
import { reviewApp } from '../../../src/server/review/review-server.ts';
import { unlessDamaged } from '../../../src/store/cells.ts';
import { openStore } from '../../../src/store/store.ts';
import { tokenFor } from '../review/serving-review.ts';
import { DAMAGES, damagedStores } from '../../store/damage-cells.ts';
import { fillStore, TRACE } from '../../store/filled-store.ts';
import { scratchFolder } from '../../store/scratch-store.ts';
import { basic, KEYS } from './serving.ts';

const ORIGIN = 'http://127.0.0.1:4390';
const LISTS = [
  '/api/public/v2/datasets',
  '/api/public/datasets/d/runs',
  '/api/public/datasets/d/runs/r',
  '/api/public/dataset-items',
  '/api/public/dataset-items?datasetName=d',
  '/api/public/dataset-run-items?datasetId=ID&runName=r',
  '/api/public/v2/prompts',
  '/api/public/v2/prompts?tag=t&label=production',
  '/api/public/traces',
  `/api/public/traces/${TRACE}`,
  '/api/public/observations',
  '/api/public/v2/observations',
  '/api/public/v2/observations?limit=1&fields=core,basic,time,io,metadata,model,usage,prompt,metrics',
  '/api/public/experiments?fromStartTime=2020-01-01T00:00:00Z&fields=scores,metadata',
  '/api/public/experiment-items?fromStartTime=2020-01-01T00:00:00Z&fields=io,scores,metadata',
  '/api/public/v2/scores',
  '/api/public/v3/scores',
  '/api/public/v3/scores?limit=1',
  '/api/public/score-configs',
  '/api/public/comments',
  '/api/public/annotation-queues',
  '/live',
  `/project/x/traces/${TRACE}`,
];
/** About one thing, which may be the damaged one. */
const CAREFUL = /\/datasets\/d|datasetName=d|datasetId=|\/traces\/|\/prompts\/p/;

it(
  'whichever cell cannot be read, every list is answered, and nothing is a bug of ours',
  { timeout: 600_000 },
  async () => {
    const folder = scratchFolder();
    fillStore(folder);
    const said = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    try {
      for (const { folder: copy, what } of damagedStores(folder, scratchFolder(), DAMAGES.slice(0, 2))) {
        const store = openStore(copy, { readOnly: true });
        const app = langfuseApp({
          store,
          keys: KEYS,
          parts: [runsPart({ store, keys: KEYS, runs: copy, token: null })],
        });
        const id = unlessDamaged(() => store.datasets.get('d'))?.id ?? 'none';
        for (const path of [...LISTS, '/api/public/v2/prompts/p']) {
          const answer = await app.request(`${ORIGIN}${path.replace('ID', id)}`, {
            headers: { authorization: basic() },
          });
          const expected = CAREFUL.test(path) ? [200, 302, 404, 503] : [200];
          expect(expected, `${path} with ${what}: ${await answer.text()}`).toContain(answer.status);
        }
        const review = reviewApp({ store, log: () => undefined, host: '127.0.0.1' });
        for (const [name, path] of [
          ['Anna', '/me'],
          ['Anna', '/items/case-1'],
          ['Adja', '/conflicts'],
        ] as const) {
          const headers = { authorization: `Bearer ${tokenFor(name)}` };
          const { status } = await review.request(`${ORIGIN}/api/review${path}`, { headers });
          expect([200, 401, 403, 404, 503], `${path} with ${what}`).toContain(status);
        }
        store.close();
      }
    } finally {
      said.mockRestore();
    }
  },
);
