/** A stretch that wants a lane; `room` is the end of what it needs, its name included. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly room: number;
}

/**
 * A lane for each stretch so that no two in a lane touch, 0 being closest to the text; null if `most` are full. The
 * shortest choose first: a stretch inside another is closer to the text.
 *
 * @example lanesOf([{ start: 0, end: 9, room: 9 }, { start: 2, end: 4, room: 4 }], 6) // [1, 0]
 */
export function lanesOf(stretches: readonly Stretch[], most: number): readonly (number | null)[] {
  const lanes: Lane[] = [];
  const found: (number | null)[] = stretches.map(() => null);
  const order = stretches
    .map((stretch, at) => ({ stretch, at }))
    .sort((a, b) => length(a.stretch) - length(b.stretch) || a.stretch.start - b.stretch.start || a.at - b.at);
  for (const { stretch, at } of order) {
    const to = Math.max(stretch.end, stretch.room);
    for (let lane = 0; lane < most; lane += 1) {
      const held = (lanes[lane] ??= new Lane());
      if (held.takes(stretch.start, to)) {
        found[at] = lane;
        break;
      }
    }
  }
  return found;
}

function length({ start, end }: Stretch): number {
  return end - start;
}

/** Stretches in order that do not overlap. */
class Lane {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  takes(start: number, end: number): boolean {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && (this.#ends[low - 1] ?? 0) > start) return false;
    if (low < this.#starts.length && (this.#starts[low] ?? 0) < end) return false;
    this.#starts.splice(low, 0, start);
    this.#ends.splice(low, 0, end);
    return true;
  }
}
