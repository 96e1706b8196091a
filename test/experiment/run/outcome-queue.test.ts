import { expect, test } from 'vitest';

import { OutcomeQueue } from '../../../src/experiment/run/outcome-queue.ts';
import type { ItemOutcome } from '../../../src/experiment/run/scorer.ts';
import { answered } from './entries.ts';

function outcome(id: string): ItemOutcome {
  return { item: { id, input: null }, entry: answered(id, null), read: null };
}

async function idsOf(queue: OutcomeQueue): Promise<string[]> {
  return Array.fromAsync(queue, ({ item }) => item.id);
}

test('outcomes come in the order in which they were put in, whichever is known first; those without one are skipped', async () => {
  const queue = new OutcomeQueue();
  const slow = Promise.withResolvers<ItemOutcome>();
  await queue.put(() => slow.promise);
  await queue.put(() => Promise.resolve(null));
  await queue.put(() => Promise.resolve(outcome('second')));
  queue.end();
  const ids = idsOf(queue);
  slow.resolve(outcome('first'));
  expect(await ids).toEqual(['first', 'second']);
});

test('a fault ends the reading; whoever puts in is not held up by a reader that has left', async () => {
  const broken = new OutcomeQueue();
  broken.end(new Error('no key'));
  await expect(idsOf(broken)).rejects.toThrow('no key');
  const left = new OutcomeQueue();
  await left.put(() => Promise.resolve(outcome('only')));
  for await (const { item } of left) {
    expect(item.id).toBe('only');
    break;
  }
  for (let number = 0; number < 3000; number += 1) await left.put(() => Promise.resolve(null));
});
