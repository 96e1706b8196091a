import type { QueueEntry } from '../../../src/review/api.ts';

type Queue = readonly QueueEntry[];

/** Where to go on: the next that is not done after this one, then from the beginning; null where all are done. */
export function nextOpen(queue: Queue, after: string | null): string | null {
  const place = queue.findIndex(({ item }) => item === after);
  const round = [...queue.slice(place + 1), ...queue.slice(0, place + 1)];
  return round.find(({ item, state }) => state !== 'done' && item !== after)?.item ?? openAt(queue, after);
}

/** The one before or after; null at either end. */
export function neighbour(queue: Queue, item: string, step: 1 | -1): string | null {
  const place = queue.findIndex((entry) => entry.item === item);
  return place < 0 ? null : (queue[place + step]?.item ?? null);
}

export function withState(queue: Queue, item: string, state: QueueEntry['state']): Queue {
  return queue.map((entry) => (entry.item === item && entry.state !== state ? { ...entry, state } : entry));
}

export function doneCount(queue: Queue): number {
  return queue.filter(({ state }) => state === 'done').length;
}

function openAt(queue: Queue, item: string | null): string | null {
  return queue.some((entry) => entry.item === item && entry.state !== 'done') ? item : null;
}
