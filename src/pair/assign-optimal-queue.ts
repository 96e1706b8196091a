import type { PredictedNode } from './assign-optimal-graph.ts';
import type { Edge } from './edge.ts';

/*
 * A binary heap of predicted items by distance, nearest first. Each knows its place, so that it can
 * move up when a shorter way to it is found.
 */

/** Adds an item, or moves it up after its distance fell. */
export function enqueue<E extends Edge>(queue: PredictedNode<E>[], node: PredictedNode<E>): void {
  let place = node.place === -1 ? queue.length : node.place;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = queue[above];
    if (parent === undefined || !nearer(node, parent)) break;
    queue[place] = parent;
    parent.place = place;
    place = above;
  }
  queue[place] = node;
  node.place = place;
}

/** Removes the nearest item and returns it. */
export function dequeue<E extends Edge>(queue: PredictedNode<E>[]): PredictedNode<E> | undefined {
  const nearest = queue[0];
  const last = queue.pop();
  if (nearest === undefined || last === undefined) return undefined;
  nearest.place = -1;
  if (last !== nearest) sink(queue, last);
  return nearest;
}

/** Puts `node` on top, in place of what was there, and lets it down to where it belongs. */
function sink<E extends Edge>(queue: PredictedNode<E>[], node: PredictedNode<E>): void {
  let place = 0;
  for (;;) {
    const left = queue[2 * place + 1];
    const right = queue[2 * place + 2];
    const child = left !== undefined && right !== undefined && nearer(right, left) ? right : left;
    if (child === undefined || !nearer(child, node)) break;
    const below = child.place;
    queue[place] = child;
    child.place = place;
    place = below;
  }
  queue[place] = node;
  node.place = place;
}

function nearer(a: PredictedNode, b: PredictedNode): boolean {
  return (
    a.distanceMajor < b.distanceMajor || (a.distanceMajor === b.distanceMajor && a.distanceMinor < b.distanceMinor)
  );
}
