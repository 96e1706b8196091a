import { afterEach, describe, expect, it } from 'vitest';

import { type BatchLog, openBatchLog } from '../../../src/experiment/batch/batch-log.ts';
import type { BatchProtocol, BatchResult } from '../../../src/experiment/batch/batch-protocol.ts';
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
  let time = 0;
  const desk = {
    protocol: { ...openaiBatch, ...protocol },
    place: { baseUrl: '', path: '', model: 'm' },
    access: { baseUrl: '', headers: {}, key: null },
    log,
    pollMs: 1,
    onNotice: (text: string) => notices.push(text),
    over: new AbortController().signal,
    // Half an hour between two looks.
    now: () => (time += 30 * 60_000),
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

describe('a batch that the provider answers with 404', () => {
  const ended = { isEnded: true, word: 'completed', done: 2, paid: 2 };
  const both = async function* () {
    for (const id of ['a', 'b']) yield await Promise.resolve({ id, status: 200, body: '{}' });
  };
  const goneText = expect.stringMatching(
    /^batch batch_9: the provider no longer has it \(HTTP 404\): 2 answers may have been paid for .*--ask-again asks and pays again$/,
  );

  // A second after it was created, and in between: anthropics/anthropic-sdk-python#1432.
  it.each([1, 4])('%i times in a row is looked at again', async (times) => {
    let looks = 0;
    const look = () => ((looks += 1) <= times ? Promise.reject(failure('access', 404)) : Promise.resolve(ended));
    const { desk, batch } = await deskWith({ poll: look, results: both });
    batch.batch = 'batch_9';
    const { answers, unread } = (await followBatch(desk, batch, () => undefined))!;
    expect([answers.length, unread, looks]).toEqual([2, null, times + 1]);
  });

  it('is looked at for an hour, however many 404s come', async () => {
    let looks = 0;
    const { desk, batch } = await deskWith({ poll: () => ((looks += 1), Promise.reject(failure('access', 404))) });
    batch.batch = 'batch_9';
    // The clock is read from the fifth look on, and goes by 20 minutes: an hour has passed at the seventh.
    let time = 0;
    const slow = { ...desk, now: () => (time += 20 * 60_000) };
    expect((await followBatch(slow, batch, () => undefined))?.unread?.ids).toEqual(['a', 'b']);
    expect(looks).toBe(7);
  });

  it.each([
    ['its state', { poll: () => Promise.reject(failure('access', 404)) }],
    [
      'its results',
      {
        poll: () => Promise.resolve(ended),
        // eslint-disable-next-line require-yield
        async *results() {
          await Promise.resolve();
          throw failure('access', 404);
        },
      },
    ],
  ])('for %s is gone after an hour: nothing of it is unanswered', async (_, protocol) => {
    const { desk, batch } = await deskWith(protocol);
    batch.batch = 'batch_9';
    const end = await followBatch(desk, batch, () => undefined);
    expect(end).toEqual({ answers: [], unread: { ids: ['a', 'b'], text: goneText } });
    expect(batch).toMatchObject({ isEnded: false, isAskedAgain: false, unread: { answers: 2 } });
  });
});

describe('a batch that has ended without all results', () => {
  const state = (more: object) => ({ isEnded: true, word: 'completed', done: 2, paid: 2, ...more });
  const results = (...lines: readonly BatchResult[]) =>
    async function* (): AsyncGenerator<BatchResult> {
      for (const line of lines) yield await Promise.resolve(line);
    };
  const ok = (id: string): BatchResult => ({ id, status: 200, body: '{}' });

  // BerriAI/litellm#37715: completed, with 1,000 answers and no file for five seconds.
  it('is looked at again if its counts say that answers are missing', async () => {
    let looks = 0;
    const { desk, batch } = await deskWith({
      poll: () => Promise.resolve(state({})),
      results: () => ((looks += 1) < 3 ? results()() : results(ok('a'), ok('b'))()),
    });
    batch.batch = 'batch_9';
    const end = await followBatch(desk, batch, () => undefined);
    expect([end?.answers.length, end?.unread, looks]).toEqual([2, null, 3]);
  });

  it.each([
    ['its counts leave room', { paid: 1 }, [ok('a')], 0],
    ['the provider reports it of the request', { paid: 1 }, [ok('a'), { id: 'b', unanswered: 'expired' }], 0],
    ['its counts say that it was paid for', { paid: 2 }, [ok('a')], 1],
    ['the provider counts nothing', { paid: null }, [ok('a')], 1],
    ['its line cannot be read', { paid: 2 }, [ok('a'), { id: 'b', unreadable: 'line 2 of f cannot be read' }], 1],
    ['all lines are those of another request', { paid: 2, word: 'expired' }, [ok('x')], 2],
    ['the one answer comes twice', { paid: 2 }, [ok('a'), ok('a')], 1],
    ['unreadable lines are those of errors', { paid: 1 }, [ok('a'), { id: null, unreadable: 'line 2' }], 0],
  ])('has an unanswered request or an unread one: %s', async (_, more, lines, unread) => {
    const { desk, batch } = await deskWith({ poll: () => Promise.resolve(state(more)), results: results(...lines) });
    batch.batch = 'batch_9';
    const end = (await followBatch(desk, batch, () => undefined))!;
    expect([end.unread?.ids.length ?? 0, batch.unread?.answers ?? 0]).toEqual([unread, unread]);
    expect(end.answers).toHaveLength(2 - unread);
    expect(batch.isEnded).toBe(unread === 0);
  });

  it('names the line that cannot be read, and what to do', async () => {
    const lines = results(ok('a'), { id: null, unreadable: 'line 7 of file-8 cannot be read' });
    const { desk, batch } = await deskWith({ poll: () => Promise.resolve(state({})), results: lines });
    batch.batch = 'batch_9';
    const end = await followBatch(desk, batch, () => undefined);
    expect(end?.unread?.text).toBe(
      'batch batch_9 (completed): line 7 of file-8 cannot be read: 1 answer may have been paid for and cannot be read; the same command looks again, --ask-again asks and pays again',
    );
  });

  it('counts the tokens of answers that were never read', async () => {
    const usage = { inputTokens: 300, outputTokens: 50 };
    const read = { id: 'a', status: 200, body: '{}', usage: { inputTokens: 100, outputTokens: 20 } };
    const { desk, batch } = await deskWith({ poll: () => Promise.resolve(state({ usage })), results: results(read) });
    batch.batch = 'batch_9';
    await followBatch(desk, batch, () => undefined);
    expect(batch.unread).toEqual({ answers: 1, usage: { inputTokens: 200, outputTokens: 30 } });
  });
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
  const end = await followBatch(desk, batch, () => undefined);
  expect(end?.unread?.ids).toEqual(['a', 'b']);
  expect(end?.unread?.text).toMatch(
    /^whether a batch was submitted before the interruption cannot be looked up .*--ask-again/,
  );
});

it('a submission whose outcome cannot be looked up stays recorded as one that may be paid for', async () => {
  const { desk, batch } = await deskWith({
    submit: () => Promise.reject(failure('connection')),
    findSubmitted: () => Promise.reject(failure('access', 404)),
  });
  await expect(submitBatch(desk, batch, REQUESTS)).rejects.toMatchObject({ status: 404 });
  expect(batch.isUnsure).toBe(true);
});

describe('a batch that another intent of the run has', () => {
  const OTHER = { name: 'assay-2', ids: ['c', 'd'], at: INTENT.at };
  const resultOf = (id: string) => ({ id, status: 200, body: '{}' });

  /** A provider that knows batches by their size only, the oldest first; each with the ids of its requests. */
  function nameless(held: Readonly<Record<string, readonly string[]>>): Partial<BatchProtocol> {
    return {
      poll: () => Promise.resolve({ isEnded: true, word: 'completed', done: null, paid: null }),
      async *results(_access, batch) {
        for (const id of held[batch]!) yield await Promise.resolve(resultOf(id));
      },
      findSubmitted: (_access, { ids }, others) =>
        Promise.resolve(
          Object.keys(held).find((batch) => !others.has(batch) && held[batch]!.length === ids.length) ?? null,
        ),
    };
  }
  const batchesOf = (answers: Awaited<ReturnType<typeof followBatch>>) =>
    answers?.answers.map(({ id, batch }) => [id, batch]);

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
    const { desk, batch } = await deskWith({
      ...nameless({ batch_9: ids }),
      findSubmitted: () => Promise.reject(new Error('it is not looked for')),
    });
    const submitted = { event: 'submitted', name: INTENT.name, at: INTENT.at, batch: 'batch_9' } as const;
    await desk.log.append(found ? { ...submitted, found } : submitted);
    expect(await followBatch(desk, batch, () => undefined)).toMatchObject({ answers: [], unread: { ids: ['a', 'b'] } });
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
