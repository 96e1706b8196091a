import { afterEach, describe, expect, it } from 'vitest';

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

describe('a batch that another intent of the run has', () => {
  const OTHER = { name: 'assay-2', ids: ['c', 'd'], at: INTENT.at };
  const resultOf = (id: string) => ({ id, status: 200, body: '{}' });

  /** A provider that knows batches by their size only, the oldest first; each with the ids of its requests. */
  function nameless(held: Readonly<Record<string, readonly string[]>>): Partial<BatchProtocol> {
    return {
      poll: () => Promise.resolve({ isEnded: true, word: 'completed', done: null }),
      async *results(_access, batch) {
        for (const id of held[batch]!) yield await Promise.resolve(resultOf(id));
      },
      findSubmitted: (_access, { ids }, others) =>
        Promise.resolve(
          Object.keys(held).find((batch) => !others.has(batch) && held[batch]!.length === ids.length) ?? null,
        ),
    };
  }
  const batchesOf = (answers: Awaited<ReturnType<typeof followBatch>>) => answers?.map(({ id, batch }) => [id, batch]);

  it('is not taken for the one that is looked for', async () => {
    const { desk, batch } = await deskWith(nameless({ batch_8: ['c', 'd'], batch_9: ['a', 'b'] }));
    await desk.log.append({ event: 'intent', ...OTHER });
    await desk.log.append({ event: 'submitted', name: OTHER.name, at: OTHER.at, batch: 'batch_8' });
    expect(batchesOf(await followBatch(desk, batch, () => undefined))).toEqual([
      ['a', 'batch_9'],
      ['b', 'batch_9'],
    ]);
    expect(batch).toMatchObject({ batch: 'batch_9', isFound: true });
  });

  it('is not taken for it if the provider has no other: its requests may be submitted again', async () => {
    const { desk, batch } = await deskWith(nameless({ batch_8: ['c', 'd'] }));
    await desk.log.append({ event: 'intent', ...OTHER });
    await desk.log.append({ event: 'submitted', name: OTHER.name, at: OTHER.at, batch: 'batch_8' });
    expect(await followBatch(desk, batch, () => undefined)).toBeNull();
    expect(batch.batch).toBeNull();
  });

  it('is left out of every look-up if its submission was answered or its results were read', async () => {
    const provider = nameless({ batch_7: ['g', 'h'], batch_8: ['c', 'd'], batch_9: ['e', 'f'] });
    const leftOut: (readonly string[])[] = [];
    const { desk, batch } = await deskWith({
      ...provider,
      findSubmitted(access, intent, others) {
        leftOut.push([...others]);
        return provider.findSubmitted!(access, intent, others);
      },
    });
    const third = { ...OTHER, name: 'assay-3', ids: ['e', 'f'] };
    const fourth = { ...OTHER, name: 'assay-4', ids: ['g', 'h'] };
    for (const intent of [OTHER, third, fourth]) await desk.log.append({ event: 'intent', ...intent });
    await desk.log.append({ event: 'submitted', name: OTHER.name, at: OTHER.at, batch: 'batch_8' });
    await desk.log.append({ event: 'submitted', name: third.name, at: OTHER.at, batch: 'batch_9', found: true });
    await desk.log.append({ event: 'submitted', name: fourth.name, at: OTHER.at, batch: 'batch_7', found: true });
    await desk.log.append({ event: 'ended', name: fourth.name, at: OTHER.at, state: 'completed' });
    expect(await followBatch(desk, batch, () => undefined)).toBeNull();
    // The one found by its size is looked at, and is not the one.
    expect(leftOut).toContainEqual(['batch_8', 'batch_7']);
    for (const others of leftOut) expect(others).toEqual(expect.arrayContaining(['batch_7', 'batch_8']));
  });

  it.each([
    ['its submission was answered, and all of its results are of other requests', false, ['c', 'd']],
    ['it was found by its size, and has no results', true, []],
  ])('is its own, not paid for again, if %s', async (_, found, ids) => {
    const { desk, batch, notices } = await deskWith({
      ...nameless({ batch_9: ids }),
      findSubmitted: () => Promise.reject(new Error('it is not looked for')),
    });
    const submitted = { event: 'submitted', name: INTENT.name, at: INTENT.at, batch: 'batch_9' } as const;
    await desk.log.append(found ? { ...submitted, found } : submitted);
    const unanswered = 'not among the results (completed)';
    expect(await followBatch(desk, batch, () => undefined)).toEqual([
      { id: 'a', batch: 'batch_9', unanswered },
      { id: 'b', batch: 'batch_9', unanswered },
    ]);
    expect(notices.at(-1)).toContain('2 requests of 2 not answered');
  });

  it.each([
    ['the right way round', 'batch_8', 'batch_9'],
    ['the wrong way round', 'batch_9', 'batch_8'],
    ['both as the same', 'batch_9', 'batch_9'],
  ])('ends up with its own intent if both were found by their size, %s', async (_, first, second) => {
    const { desk, batch } = await deskWith(nameless({ batch_8: ['a', 'b'], batch_9: ['c', 'd'] }));
    await desk.log.append({ event: 'intent', ...OTHER });
    const other = desk.log.batches.get(OTHER.name)!;
    for (const [{ name }, found] of [
      [batch, first],
      [other, second],
    ] as const)
      await desk.log.append({ event: 'submitted', name, at: INTENT.at, batch: found, found: true });
    const answers = await Promise.all([batch, other].map((one) => followBatch(desk, one, () => undefined)));
    expect(answers.map(batchesOf)).toEqual([
      [
        ['a', 'batch_8'],
        ['b', 'batch_8'],
      ],
      [
        ['c', 'batch_9'],
        ['d', 'batch_9'],
      ],
    ]);
  });
});
