import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { Budget } from '../../../src/experiment/limits/budget.ts';
import { USUAL_POLICY } from '../../../src/experiment/limits/call-with-limits.ts';
import { type AnswerLog, openAnswerLog } from '../../../src/experiment/run/answer-log.ts';
import type { FrozenItem } from '../../../src/experiment/run/run-folder.ts';
import { type Generation, newOutcomes, type Stopped } from '../../../src/experiment/run/generate.ts';
import type { Plan } from '../../../src/recipe/plan.ts';
import { planFor } from '../../../src/experiment/run/scorer.ts';
import { type Target, type TargetCase, TargetError } from '../../../src/experiment/targets/target.ts';

function targetOf(answer: (given: TargetCase, signal: AbortSignal) => Promise<unknown>): Target {
  return {
    kind: 'module',
    identity: { use: 'module', name: 'test' },
    model: null,
    modelParameters: {},
    cacheable: true,
    preview: () => Promise.resolve(null),
    answer: async (given, signal) => ({
      output: await answer(given, signal),
      usage: { inputTokens: 10, outputTokens: 5, cost: 0.5 },
      latencyMs: 1,
      passages: null,
      raw: null,
    }),
    close: () => Promise.resolve(),
  };
}

const itemOf = (id: string): FrozenItem => ({
  id,
  input: { id },
  expected_output: { entities: [], relationships: [] },
});

interface Change {
  readonly target: Target;
  readonly plan?: Plan;
  readonly budget?: Budget;
  readonly most?: number;
  readonly repeats?: number;
  readonly ids?: readonly string[];
  readonly options?: Partial<Generation['options']>;
}

interface Held {
  readonly log: AnswerLog;
  readonly folder: string;
  generate(change: Change, asked?: Generation['asked']): ReturnType<typeof newOutcomes>;
  /** Also keeps the ids of the outcomes that were handed on. */
  run(change: Change, ids?: string[]): Promise<Stopped>;
}

async function hold(items: number): Promise<Held> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-generate-'));
  const all = Array.from({ length: items }, (_, at) => `i${at + 1}`);
  writeFileSync(join(folder, 'dataset.jsonl'), all.map((id) => `${JSON.stringify(itemOf(id))}\n`).join(''));
  const log = await openAnswerLog(folder);
  const generate: Held['generate'] = (change, asked = { added: 0, stopped: null }) => {
    const { target, plan = null, budget = new Budget({}), most = 4, repeats = 1, ids = all, options } = change;
    const rates = { requestsPerMinute: null, tokensPerMinute: null };
    const settings = { policy: { ...USUAL_POLICY, backoffMs: 1 }, budget: NO_LIMITS, most, rates, batch: null };
    return newOutcomes({
      options: { loaded: { experiment: { repeats, cache: true } }, cacheFolder: null, ...options },
      prepared: { folder, ids, target, settings, plan },
      log,
      budget,
      asked,
    });
  };
  return {
    log,
    folder,
    generate,
    async run(change, ids = []) {
      const asked: Generation['asked'] = { added: 0, stopped: null };
      for await (const { item } of generate(change, asked)) ids.push(item.id);
      return asked.stopped;
    },
  };
}

const NO_LIMITS = { cost: null, tokens: null, timeMs: null };

async function outcomes(log: AnswerLog, count: number): Promise<string[]> {
  const found: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const entry = await log.get(`i${n}`, 1);
    found.push(entry === null ? '-' : entry.outcome === 'failed' ? entry.kind : 'ok');
  }
  return found;
}

test('every item gets one outcome, never more than the limit at once, and failures do not stop the others', async () => {
  const { log, run } = await hold(20);
  let out = 0;
  let most = 0;
  const target = targetOf(async ({ id }) => {
    out += 1;
    most = Math.max(most, out);
    await new Promise((resume) => setTimeout(resume, 5));
    out -= 1;
    if (id === 'i3') throw new TargetError({ kind: 'schema', message: 'no entities' });
    return { id };
  });
  expect(await run({ target })).toBeNull();
  expect(most).toBe(4);
  expect(await outcomes(log, 20)).toEqual(Array.from({ length: 20 }, (_, at) => (at === 2 ? 'schema' : 'ok')));
  expect(await log.get('i3', 1)).toMatchObject({ message: 'no entities', attempts: 1 });
  await log.close();
});

test('an answer whose cost could not be logged is not kept: it would be free for whoever asks again', async () => {
  const { log, folder, run } = await hold(1);
  const target = targetOf(() => Promise.resolve('an answer'));
  const append = vi.spyOn(log, 'append').mockRejectedValue(new Error('the process was killed'));
  await expect(run({ target, options: { cacheFolder: folder } })).rejects.toThrow('the process was killed');
  append.mockRestore();
  await run({ target, options: { cacheFolder: folder } });
  expect(await log.get('i1', 1)).toMatchObject({ outcome: 'answered', cached: false, cost: 0.5 });
  await log.close();
});

test('attempts that failed before an outcome are kept with it, of this round and of those before', async () => {
  const { log, run } = await hold(2);
  const causes = ['server', 'server', 'schema'] as const;
  let calls = 0;
  const target = targetOf(({ id }) => {
    const kind = id === 'i1' ? causes[calls++] : undefined;
    if (kind !== undefined) throw new TargetError({ kind, message: `call ${calls}` });
    return Promise.resolve('an answer');
  });
  await run({ target });
  expect(await log.get('i1', 1)).toMatchObject({
    outcome: 'failed',
    kind: 'schema',
    attempts: 3,
    tries: [
      { kind: 'server', message: 'call 1' },
      { kind: 'server', message: 'call 2' },
    ],
  });
  expect(await log.get('i2', 1)).not.toHaveProperty('tries');
  await run({ target, options: { onlyFailed: true } });
  const entry = await log.get('i1', 1);
  expect(entry).toMatchObject({ outcome: 'answered', attempts: 1 });
  expect(entry?.tries?.map(({ message }) => message)).toEqual(['call 1', 'call 2', 'call 3']);
  // The first outcome's time is remembered, not that of the answer.
  expect(log.known('i1', 1)!.began).toBeLessThanOrEqual(Date.parse(entry!.startedAt));
  await log.close();
});

test('a second round asks for nothing that has an outcome', async () => {
  const { log, run } = await hold(5);
  let calls = 0;
  const target = targetOf(() => Promise.resolve((calls += 1)));
  await run({ target });
  await run({ target });
  expect(calls).toBe(5);
  await log.close();
});

test('no further item is begun once the budget is spent; those in hand come to their end', async () => {
  const { log, run } = await hold(20);
  // Each answer costs 0.5: with one at a time, the fourth reaches the budget.
  const stopped = await run({ target: targetOf(() => Promise.resolve(1)), budget: new Budget({ cost: 2 }), most: 1 });
  expect(stopped?.by).toBe('budget');
  expect(log.size).toBe(4);
  await log.close();
});

test('outcomes come in the order of the dataset, whichever is known first, with those of earlier rounds; not of repeats', async () => {
  const { log, run } = await hold(5);
  const target = targetOf(({ id, repeat }) =>
    new Promise((resume) => setTimeout(resume, id === 'i1' ? 30 : 1)).then(() => `${id}.${repeat}`),
  );
  const ids: string[] = [];
  await run({ target, ids: ['i2', 'i4'] }, ids);
  expect(ids).toEqual(['i2', 'i4']);
  await run({ target, repeats: 2, options: { limit: 4 } }, ids);
  expect(ids.slice(2)).toEqual(['i1', 'i2', 'i3', 'i4']);
  expect(log.size).toBe(8);
  await log.close();
});

test('where nobody takes the outcomes any more no further item is begun, and those in hand come to their end', async () => {
  const { log, generate } = await hold(100);
  const target = targetOf(() => new Promise((resume) => setTimeout(resume, 5)).then(() => 1));
  for await (const { item } of generate({ target, most: 2 })) if (item.id === 'i1') break;
  const { size } = log;
  expect(size).toBeLessThan(10);
  await new Promise((resume) => setTimeout(resume, 30));
  expect(log.size).toBe(size);
  await log.close();
});

test('when no call can succeed the run ends, and items without an answer have no outcome', async () => {
  const { log, run } = await hold(10);
  const target = targetOf(({ id }) =>
    id === 'i2'
      ? Promise.reject(new TargetError({ kind: 'access', message: 'HTTP 401: bad key' }))
      : Promise.resolve(1),
  );
  await expect(run({ target, most: 1 })).rejects.toThrow('no call can succeed: HTTP 401: bad key');
  expect(await outcomes(log, 10)).toEqual(['ok', ...Array.from({ length: 9 }, () => '-')]);
  await log.close();
});

test('a stop lets answers on their way arrive; an abort gives them up without an outcome', async () => {
  const { log, run } = await hold(10);
  const stop = new AbortController();
  const target = targetOf(async ({ id }) => {
    if (id === 'i2') stop.abort();
    await new Promise((resume) => setTimeout(resume, 20));
    return 1;
  });
  expect(await run({ target, most: 2, options: { stop: stop.signal } })).toEqual({
    by: 'interrupt',
    text: 'the same command resumes it',
  });
  expect(await outcomes(log, 3)).toEqual(['ok', 'ok', '-']);

  const abort = new AbortController();
  const hanging = targetOf((_, signal) => {
    setTimeout(() => abort.abort(), 10);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new TargetError({ kind: 'aborted', message: 'given up' })));
    });
  });
  expect((await run({ target: hanging, options: { abort: abort.signal, stop: abort.signal } }))?.by).toBe('interrupt');
  expect(log.size).toBe(2);
  await log.close();
});

test('an output that cannot be scored is a failure of kind schema, with what it said and what it cost', async () => {
  const { log, run } = await hold(2);
  await run({
    target: targetOf(({ id }) => Promise.resolve(id === 'i1' ? { entities: 'none' } : { entities: [] })),
    plan: await planFor('graph/openspec', []),
  });
  expect(await log.get('i1', 1)).toMatchObject({
    outcome: 'failed',
    kind: 'schema',
    message: 'the output cannot be scored: output.entities: expected a list, found "none"',
    raw: '{"entities":"none"}',
    cost: 0.5,
  });
  expect(await outcomes(log, 2)).toEqual(['schema', 'ok']);
  await log.close();
});

test('answers come from the cache without a call or a cost; repeats are asked each by itself', async () => {
  const first = await hold(3);
  const options = { cacheFolder: first.folder };
  const asked: string[] = [];
  const target = targetOf(({ id, repeat }) => {
    asked.push(`${id}.${repeat}`);
    return Promise.resolve(`${id}.${repeat}`);
  });
  await first.run({ target, repeats: 2, most: 1, options });
  expect(asked).toEqual(['i1.1', 'i1.2', 'i2.1', 'i2.2', 'i3.1', 'i3.2']);
  const second = await hold(3);
  const budget = new Budget({});
  await second.run({ target, repeats: 2, budget, options });
  expect(asked).toHaveLength(6);
  expect(await second.log.get('i2', 2)).toMatchObject({ output: 'i2.2', cached: true, cost: 0, attempts: 0 });
  expect(budget.spent.calls).toBe(0);
  await first.log.close();
  await second.log.close();
});
