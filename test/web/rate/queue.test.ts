import { expect, test } from 'vitest';

import type { QueueEntry } from '../../../src/review/api.ts';
import { doneCount, neighbour, nextOpen, withState } from '../../../web/src/rate/queue.ts';

function queue(...states: readonly QueueEntry['state'][]): readonly QueueEntry[] {
  return states.map((state, index) => ({ item: `i${index + 1}`, kind: 'answer', title: '', state }));
}

test('work begins at the first item that is not done', () => {
  expect(nextOpen(queue('done', 'begun', 'open'), null)).toBe('i2');
});

test('after an item comes the next open one, and after the last what was left out before', () => {
  expect(nextOpen(queue('open', 'done', 'done', 'open'), 'i2')).toBe('i4');
  expect(nextOpen(queue('open', 'done', 'done'), 'i3')).toBe('i1');
});

test('where nothing else is open one stays, and where all is done there is nothing', () => {
  expect(nextOpen(queue('done', 'begun'), 'i2')).toBe('i2');
  expect(nextOpen(queue('done', 'done'), 'i2')).toBeNull();
  expect(nextOpen([], null)).toBeNull();
});

test('neighbours end with the queue', () => {
  const three = queue('open', 'open', 'open');
  expect([neighbour(three, 'i2', 1), neighbour(three, 'i3', 1), neighbour(three, 'i1', -1)]).toEqual([
    'i3',
    null,
    null,
  ]);
  expect(neighbour(three, 'gone', 1)).toBeNull();
});

test('an item that is done counts', () => {
  expect(doneCount(withState(queue('open', 'done'), 'i1', 'done'))).toBe(2);
});
