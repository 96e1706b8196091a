import { afterEach, describe, expect, it } from 'vitest';

import { batchCollector } from '../../../src/experiment/batch/batch-collector.ts';
import type { BatchProtocol, BatchRequest } from '../../../src/experiment/batch/batch-protocol.ts';
import { batchTransport } from '../../../src/experiment/batch/batch-transport.ts';
import { googleBatch } from '../../../src/experiment/batch/google-batch.ts';
import { openaiBatch } from '../../../src/experiment/batch/openai-batch.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { startBatchServer } from './batch-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** A collector with a provider that takes batches of at most `most` and answers everything at once. */
function collectorWith(most: BatchProtocol['most']) {
  const submitted: string[][] = [];
  const protocol: BatchProtocol = {
    ...openaiBatch,
    most,
    submit(_access, _place, _intent, requests) {
      submitted.push(requests.map(({ id }) => id));
      return Promise.resolve(`batch_${submitted.length - 1}`);
    },
    poll: () => Promise.resolve({ isEnded: true, word: 'completed', done: null, paid: null }),
    async *results(_access, batch) {
      for (const id of submitted[Number(batch.slice(6))]!) yield await Promise.resolve({ id, status: 200, body: '{}' });
    },
  };
  const collector = batchCollector({ folder: temporaryFolder(), pollMs: 1, quietMs: 30 });
  open.push(collector);
  const ask = (id: string, bytes: number, signal: AbortSignal | null = null) => {
    const request: BatchRequest = { id, body: {} };
    const place = { baseUrl: '', path: '', model: 'm' };
    return collector.answerTo({ protocol, place, headers: {}, key: null, request, bytes, signal });
  };
  return { submitted, ask };
}

describe('the most that a batch holds', () => {
  it.each([
    // Bytes of the requests in order, and the batches that hold them.
    [[400, 400, 400], [3]],
    [
      [400, 400, 401],
      [2, 1],
    ],
    [[1200], [1]],
    [
      [1, 1200],
      [1, 1],
    ],
    [
      [1200, 1],
      [1, 1],
    ],
    [
      [600, 600, 600, 600, 1],
      [2, 2, 1],
    ],
    [
      [700, 501, 699, 1],
      [1, 2, 1],
    ],
    [
      [700, 501, 698, 1],
      [1, 3],
    ],
  ])('is 1,200 bytes: requests of %j are batches of %j', async (sizes, batches) => {
    const { submitted, ask } = collectorWith({ requests: 100, bytes: 1200 });
    const answers = await Promise.all(sizes.map((bytes, at) => ask(`r${at}`, bytes)));
    expect(submitted.map((ids) => ids.length)).toEqual(batches);
    expect(submitted.flat()).toEqual(sizes.map((_, at) => `r${at}`));
    expect(answers.map(({ id }) => id)).toEqual(submitted.flat());
  });

  it('is 3 requests, whatever their bytes', async () => {
    const { submitted, ask } = collectorWith({ requests: 3, bytes: 1200 });
    await Promise.all(Array.from({ length: 7 }, (_, at) => ask(`r${at}`, 1)));
    expect(submitted.map((ids) => ids.length)).toEqual([3, 3, 1]);
  });

  it('has room again for the bytes of a request that was given up', async () => {
    const { submitted, ask } = collectorWith({ requests: 100, bytes: 1200 });
    const gone = new AbortController();
    const first = ask('gone', 1000, gone.signal);
    const second = ask('r1', 200);
    // The requests are in the tray once the log is open.
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
    gone.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await Promise.all([second, ask('r2', 1000)]);
    expect(submitted).toEqual([['r1', 'r2']]);
  });
});

describe('a request', () => {
  const BEFORE = '{"contents":[{"parts":[{"text":"';
  const AFTER = '"}]}]}';
  /** 200 bytes are for its id and names of fields. */
  const ROOM = googleBatch.most.bytes - 200 - BEFORE.length - AFTER.length;
  it.each([
    ['x', 0],
    ['x', 1],
    ['é', 0],
    ['é', 1],
    ['🙂', 0],
    ['🙂', 1],
  ])(
    'of %j is in a batch if it has exactly its bytes, and not if it has %i more',
    { timeout: 60_000 },
    async (character, more) => {
      const size = Buffer.byteLength(character);
      const text = character.repeat(Math.floor(ROOM / size)) + 'x'.repeat((ROOM % size) + more);
      const isBatched = more === 0;
      const server = await startBatchServer({});
      const batches = batchTransport({
        folder: temporaryFolder(),
        only: true,
        pollMs: 5,
        quietMs: 5,
        single: { timeoutMs: 1, atOnce: 1 },
      });
      open.push(server, batches);
      const answer = batches.fetchFor('google', null)(`${server.url}/v1beta/models/m:generateContent`, {
        method: 'POST',
        body: `${BEFORE}${text}${AFTER}`,
      });
      const outcome = answer.then(
        ({ status }) => status,
        (error: unknown) => (error instanceof Error ? error.message : ''),
      );
      expect(await outcome).toBe(isBatched ? 200 : 'the batch did not answer: it is too long for a batch');
      expect(server.stats()).toMatchObject({ batches: isBatched ? 1 : 0, single: {} });
    },
  );
});
