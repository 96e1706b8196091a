import { expect, test } from 'vitest';

import { judgeReview } from '../../src/review/judge-review.ts';
import { loadSnapshot } from '../../src/review/snapshot.ts';
import { openStore } from '../../src/store/store.ts';
import { judgeServer, soundAnswer } from './judge/judge-server.ts';
import { KEY, reviewFolder } from './judge/judging.ts';

test('a program asks a model the questions of a review, and does not ask them again', async () => {
  const store = openStore(reviewFolder());
  const server = await judgeServer(soundAnswer);
  const options = {
    model: 'openai-compatible/test',
    fields: ['claims'],
    baseUrl: server.url,
    environment: { OPENAI_COMPATIBLE_API_KEY: KEY },
  };
  expect(await judgeReview(store, 'pilot', options)).toMatchObject({ answered: 2, failures: [], stopped: null });
  expect(loadSnapshot(store, 'pilot').judgements.map(({ field }) => field)).toEqual(['claims', 'claims']);
  expect(await judgeReview(store, 'pilot', options)).toMatchObject({ answered: 0 });
  expect(server.calls).toHaveLength(2);
  store.close();
});
