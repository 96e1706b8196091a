import { afterEach, describe, expect, it } from 'vitest';

import { type AdaptiveLimit, adaptiveLimit } from '../../../src/experiment/limits/adaptive-limit.ts';
import { callWithLimits, type CallPolicy, USUAL_POLICY } from '../../../src/experiment/limits/call-with-limits.ts';
import { startUnrulyServer, type UnrulyOptions, type UnrulyServer } from '../unruly-server.ts';
import { ask, throughAll } from './ask.ts';

const NEVER = new AbortController().signal;
const QUICK: CallPolicy = { ...USUAL_POLICY, backoffMs: 1 };

let server: UnrulyServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function started(options: UnrulyOptions): Promise<UnrulyServer> {
  server = await startUnrulyServer(options);
  return server;
}

function questions(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, at) => `[item ${name}${at}]`);
}

function call(url: string, question: string, limit: AdaptiveLimit) {
  return callWithLimits((signal) => ask(url, question, signal), limit, USUAL_POLICY, NEVER);
}

/** How many attempts each took. */
async function askAll(url: string, items: readonly string[], limit: AdaptiveLimit): Promise<number[]> {
  const attempts: number[] = [];
  await throughAll(items, 32, async (item) => {
    attempts.push((await call(url, item, limit)).attempts);
  });
  return attempts;
}

describe('against a server with a rate limit', () => {
  it.each(['ms', 'seconds'] as const)('no call arrives before the time that it was told in %s', async (says) => {
    const { url, stats } = await started({
      latencyMs: [60, 60],
      rate: { calls: 4, windowMs: says === 'ms' ? 800 : 400, says },
    });
    const limit = adaptiveLimit(8, 8);
    await Promise.all(questions(8, 'i').map((item) => call(url, item, limit)));
    const seen = Object.values((await stats()).contents)
      .flatMap((content) => content.seen)
      .sort((a, b) => a.at - b.at);
    const [burst, later] = [seen.slice(0, 8), seen.slice(8)];
    const refusals = burst.filter(({ outcome }) => outcome === 'limited');
    // Four, where the burst arrives at once; on a slow machine the bucket fills up again meanwhile.
    expect(refusals.length).toBeGreaterThanOrEqual(1);
    expect(later.length).toBeGreaterThanOrEqual(refusals.length);
    for (const { notBefore } of refusals) expect(later[0]!.at).toBeGreaterThanOrEqual(notBefore!);
    expect(seen.filter(({ outcome }) => outcome === 'answered')).toHaveLength(8);
  });

  it('finds its way: few calls are refused, nobody starves, and it recovers when the limit is lifted', async () => {
    const { url, stats, setRate } = await started({ latencyMs: [20, 20], rate: { calls: 10, windowMs: 200 } });
    const limit = adaptiveLimit(12);
    const attempts = await askAll(url, questions(100, 'a'), limit);
    const { outcomes } = await stats();
    expect(outcomes.answered).toBe(100);
    expect(outcomes.limited).toBeGreaterThan(0);
    // Usually about one in six; without adapting, every one of the twelve would be back for each that is let in.
    expect(outcomes.limited).toBeLessThan(100 / 2);
    expect(Math.max(...attempts)).toBeLessThanOrEqual(8);
    expect(limit.state().allowed).toBeLessThan(12);

    await setRate(null);
    // From one to twelve takes 1 + 2 + … + 11 = 66 answers, and up to 30 + 33 more around where it was refused last.
    expect(Math.max(...(await askAll(url, questions(130, 'b'), limit)))).toBe(1);
    expect(limit.state().allowed).toBe(12);
    expect((await stats()).outcomes.answered).toBe(230);
  });

  it('finds how many calls a server takes at once, though it is never told', async () => {
    const { url, stats } = await started({ latencyMs: [10, 10], mostAtOnce: 4 });
    const limit = adaptiveLimit(32);
    await askAll(url, questions(30, 'i'), limit);
    const { outcomes, contents } = await stats();
    expect(outcomes.answered).toBe(30);
    expect(Object.values(contents).every(({ paid }) => paid === 1)).toBe(true);
    expect(outcomes.crowded).toBeGreaterThan(0);
    // After the first burst, one or two for each time it tries whether five are taken by now.
    expect(outcomes.crowded).toBeLessThan(20);
    expect(limit.state().allowed).toBeLessThanOrEqual(6);
  });
});

it('against a server that misbehaves, every item is answered in the end, and the same way whatever the order', async () => {
  const options: UnrulyOptions = {
    passing: { 'rate-ms': 0.05, 'server-error': 0.1, unavailable: 0.05, dropped: 0.05, cut: 0.05 },
    retryAfterMs: 5,
    seed: 3,
  };
  const items = Array.from({ length: 200 }, (_, at) => `[item i${at}]`);
  const runs: unknown[] = [];
  for (const [list, workers] of [
    [items, 16],
    [items.toReversed(), 3],
  ] as const) {
    const own = await startUnrulyServer(options);
    const limit = adaptiveLimit(workers);
    const answers: [string, string][] = [];
    await throughAll(list, workers, async (item) => {
      const { value } = await callWithLimits((signal) => ask(own.url, item, signal), limit, QUICK, NEVER);
      answers.push([item, value]);
    });
    const { outcomes, contents } = await own.stats();
    await own.close();
    expect(Object.values(contents).every(({ paid, paidInPart }) => paid - paidInPart === 1)).toBe(true);
    runs.push({
      answers: answers.sort(([a], [b]) => (a < b ? -1 : 1)),
      outcomes,
      calls: Object.entries(contents)
        .map(([id, { calls }]) => `${id} ${calls}`)
        .sort(),
    });
  }
  expect(runs[1]).toEqual(runs[0]);
});
