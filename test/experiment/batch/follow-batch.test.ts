import { afterEach, expect, it } from 'vitest';

import { type BatchLog, openBatchLog } from '../../../src/experiment/batch/batch-log.ts';
import type { BatchProtocol } from '../../../src/experiment/batch/batch-protocol.ts';
import { followBatch, submitBatch } from '../../../src/experiment/batch/follow-batch.ts';
import { openaiBatch } from '../../../src/experiment/batch/openai-batch.ts';
import { TargetError } from '../../../src/experiment/targets/target.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { INTENT, REQUESTS } from './exchange.ts';

let log: BatchLog | undefined;
afterEach(async () => {
  await log?.close();
});

const failure = (kind: TargetError['kind'], status: number | null = null): TargetError =>
  new TargetError({ kind, message: `it was ${kind}`, status });

/** A batch that is written down and not submitted, at a provider that does as told. */
async function deskWith(protocol: Partial<BatchProtocol>) {
  log = await openBatchLog(temporaryFolder());
  await log.append({ event: 'intent', ...INTENT });
  const notices: string[] = [];
  const desk = {
    protocol: { ...openaiBatch, ...protocol },
    place: { baseUrl: '', path: '', model: 'm' },
    access: { baseUrl: '', headers: {}, key: null },
    log,
    pollMs: 1,
    onNotice: (text: string) => notices.push(text),
    over: new AbortController().signal,
  };
  return { desk, batch: log.batches.get(INTENT.name)!, notices };
}

it('a refused submission is repeated, but not one that the provider may have taken', async () => {
  let submits = 0;
  const { desk, batch } = await deskWith({
    submit() {
      submits += 1;
      return Promise.reject(failure(submits === 1 ? 'rate' : 'connection'));
    },
    findSubmitted: () => Promise.resolve('batch_9'),
  });
  await submitBatch(desk, batch, REQUESTS);
  expect([submits, batch.batch, batch.isFound]).toEqual([2, 'batch_9', true]);
});

it('a submission that is refused for good fails, and is not looked for', async () => {
  const { desk, batch } = await deskWith({ submit: () => Promise.reject(failure('access', 401)) });
  await expect(submitBatch(desk, batch, REQUESTS)).rejects.toMatchObject({ kind: 'access', status: 401 });
});

it('a batch that the provider no longer has answers nothing', async () => {
  const { desk, batch } = await deskWith({ poll: () => Promise.reject(failure('access', 404)) });
  batch.batch = 'batch_9';
  const unanswered = 'not among the results (no longer at the provider)';
  expect(await followBatch(desk, batch, () => undefined)).toEqual([
    { id: 'a', batch: 'batch_9', unanswered },
    { id: 'b', batch: 'batch_9', unanswered },
  ]);
});

it('answers that make no sense end it after a while, without calling its requests failed', async () => {
  let polls = 0;
  const { desk, batch } = await deskWith({
    poll() {
      polls += 1;
      return Promise.reject(failure('answer'));
    },
  });
  batch.batch = 'batch_9';
  await expect(followBatch(desk, batch, () => undefined)).rejects.toMatchObject({ kind: 'answer' });
  expect(polls).toBe(10);
});

it('a server that lists no batches leaves it to the user whether one was submitted', async () => {
  const { desk, batch } = await deskWith({ findSubmitted: () => Promise.reject(failure('access', 404)) });
  await expect(followBatch(desk, batch, () => undefined)).rejects.toMatchObject({
    kind: 'access',
    message: expect.stringContaining('remove the line of assay-1 from batches.jsonl'),
  });
});
