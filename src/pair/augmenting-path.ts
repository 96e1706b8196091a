// Weights, prices, gains and distances are pairs of whole numbers, compared first by `major` (credit and similarity) and
// then by `minor` (the number of pairs and the preference): one number has no room for all four.

export class GoldNode<E> {
  readonly arcs: Arc<E>[] = [];
  chosen: Arc<E> | undefined;
  /** What its best arc is worth after the price at the other end; 0 for one that stays alone. */
  gainMajor = 0;
  gainMinor = 0;
}

export class PredictedNode<E> {
  chosen: Arc<E> | undefined;
  /** What the others lose if its partner has to give it up; 0 while it is free. */
  priceMajor = 0;
  priceMinor = 0;
  /** What is lost on the best way here from the gold item being placed; Infinity: not reached. */
  distanceMajor = Infinity;
  distanceMinor = 0;
  /** The last step of that way. */
  via: Arc<E> | undefined;
  /** Its place in the queue of the search; -1 if it is not queued. */
  place = -1;
}

interface Arc<E> {
  readonly edge: E;
  readonly gold: GoldNode<E>;
  readonly predicted: PredictedNode<E>;
  readonly major: number;
  readonly minor: number;
}

/**
 * Adds one gold item to an optimal assignment of those before it, and keeps it optimal. The item takes a predicted one,
 * whose partner takes another, and so on until somebody finds a free one or stays alone: of all such chains the one that
 * loses least (Dijkstra's search).
 *
 * Between calls holds, for every arc of a placed item: gain + price >= weight, with equality where the arc is chosen. So
 * no distance is negative, and none that matters exceeds the gain at the start.
 */
export function placeGold<E>(start: GoldNode<E>): void {
  for (const { predicted, major, minor } of start.arcs) {
    const [gainMajor, gainMinor] = [major - predicted.priceMajor, minor - predicted.priceMinor];
    if (less(start.gainMajor, start.gainMinor, gainMajor, gainMinor))
      [start.gainMajor, start.gainMinor] = [gainMajor, gainMinor];
  }
  // To leave the item alone loses its whole gain: a chain has to be better than that.
  let [endMajor, endMinor] = [start.gainMajor, start.gainMinor];
  let end: PredictedNode<E> | undefined;
  const queue: PredictedNode<E>[] = [];
  const reached: PredictedNode<E>[] = [];
  const settled: PredictedNode<E>[] = [];
  let gold = start;
  let [fromMajor, fromMinor] = [0, 0];
  for (;;) {
    for (const arc of gold.arcs) {
      const { predicted } = arc;
      const major = fromMajor + gold.gainMajor + predicted.priceMajor - arc.major;
      const minor = fromMinor + gold.gainMinor + predicted.priceMinor - arc.minor;
      if (!less(major, minor, endMajor, endMinor)) continue;
      if (!less(major, minor, predicted.distanceMajor, predicted.distanceMinor)) continue;
      if (predicted.distanceMajor === Infinity) reached.push(predicted);
      predicted.distanceMajor = major;
      predicted.distanceMinor = minor;
      predicted.via = arc;
      if (predicted.chosen === undefined) [endMajor, endMinor, end] = [major, minor, predicted];
      else enqueue(queue, predicted);
    }
    const closest = dequeue(queue);
    if (closest?.chosen === undefined) break;
    fromMajor = closest.distanceMajor;
    fromMinor = closest.distanceMinor;
    if (!less(fromMajor, fromMinor, endMajor, endMinor)) break;
    settled.push(closest);
    gold = closest.chosen.gold;
    if (less(fromMajor + gold.gainMajor, fromMinor + gold.gainMinor, endMajor, endMinor)) {
      endMajor = fromMajor + gold.gainMajor;
      endMinor = fromMinor + gold.gainMinor;
      end = closest;
    }
  }

  // What the chain loses is taken from the gains along the ways searched and added to the prices.
  start.gainMajor -= endMajor;
  start.gainMinor -= endMinor;
  for (const predicted of settled) {
    const major = endMajor - predicted.distanceMajor;
    const minor = endMinor - predicted.distanceMinor;
    predicted.priceMajor += major;
    predicted.priceMinor += minor;
    if (predicted.chosen === undefined) continue;
    predicted.chosen.gold.gainMajor -= major;
    predicted.chosen.gold.gainMinor -= minor;
  }
  // The predicted items along the chain go to their new partners, from its end to its start.
  if (end?.chosen !== undefined) end.chosen.gold.chosen = undefined;
  let arc = end?.via;
  while (arc !== undefined) {
    const givenUp: PredictedNode<E> | undefined = arc.gold.chosen?.predicted;
    arc.gold.chosen = arc;
    arc.predicted.chosen = arc;
    arc = givenUp?.via;
  }
  for (const predicted of reached) {
    predicted.distanceMajor = Infinity;
    predicted.place = -1;
  }
}

/** Whether the first of two (major, minor) pairs is smaller. */
function less(major: number, minor: number, thanMajor: number, thanMinor: number): boolean {
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}

// A binary heap of predicted items by distance, closest first. Each knows its place, so that it can move up when a
// shorter way to it is found.

/** Adds an item, or moves it up after its distance fell. */
function enqueue<E>(queue: PredictedNode<E>[], node: PredictedNode<E>): void {
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

/** Removes the closest item and returns it. */
function dequeue<E>(queue: PredictedNode<E>[]): PredictedNode<E> | undefined {
  const closest = queue[0];
  const last = queue.pop();
  if (closest === undefined || last === undefined) return undefined;
  closest.place = -1;
  if (last === closest) return closest;
  // The last one goes on top, and down to where it belongs.
  let place = 0;
  for (;;) {
    const left = queue[2 * place + 1];
    const right = queue[2 * place + 2];
    const child = left !== undefined && right !== undefined && nearer(right, left) ? right : left;
    if (child === undefined || !nearer(child, last)) break;
    const below = child.place;
    queue[place] = child;
    child.place = place;
    place = below;
  }
  queue[place] = last;
  last.place = place;
  return closest;
}

function nearer<E>(a: PredictedNode<E>, b: PredictedNode<E>): boolean {
  return less(a.distanceMajor, a.distanceMinor, b.distanceMajor, b.distanceMinor);
}
