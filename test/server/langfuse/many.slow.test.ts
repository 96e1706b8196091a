import { startObservation } from '@langfuse/tracing';
import { expect, it } from 'vitest';

import { sdkServing } from './serving.ts';

const SPANS = 10_000;
const SCORES_EACH = 9;
/** Several times what it takes on two cores that nobody else uses. */
const LONGEST_MS = 120_000;

it('takes 10,000 spans and 90,000 scores of the official SDK without losing one', async () => {
  const { client, flush, store } = await sdkServing();
  const began = Date.now();
  const traceIds: string[] = [];
  for (let n = 0; n < SPANS; n += 1) {
    const span = startObservation('item', { input: { text: 'a document of some words '.repeat(20), n }, output: [n] });
    span.end();
    traceIds.push(span.traceId);
    // The SDK drops spans where more than 2,048 of them wait.
    if (n % 500 === 499) await flush();
  }
  for (const [n, traceId] of traceIds.entries()) {
    for (let at = 0; at < SCORES_EACH; at += 1) {
      client.score.create({ traceId, name: `score_${at}`, value: at / SCORES_EACH });
    }
    // It drops scores where more than 100,000 wait.
    if (n % 500 === 499) await flush();
  }
  await flush();
  expect(Date.now() - began).toBeLessThan(LONGEST_MS);

  expect(store.traces.listObservations({}, { page: 1, limit: 1 }).total).toBe(SPANS);
  expect(store.scores.list({}, { page: 1, limit: 1 }).total).toBe(SPANS * SCORES_EACH);
  let read = 0;
  let cursor: string | undefined;
  do {
    const page = await client.api.scoresV3.getManyV3({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    read += page.data.length;
    cursor = page.meta.cursor;
  } while (cursor !== undefined);
  expect(read).toBe(SPANS * SCORES_EACH);
});
