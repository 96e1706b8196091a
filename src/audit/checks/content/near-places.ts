/** Boundaries that are farther apart are not the same ones. */
export const REACH = 5;
const WIDTH = 2 * REACH + 1;
/** Gold that is compared with one prediction: of hundreds that begin at one place any will do. */
const MOST_COMPARED = 64;

/** How far both ends of a prediction are from those of gold, as one number; no ends are farther apart than REACH. */
export function moveNumber(start: number, end: number): number {
  return (start + REACH) * WIDTH + end + REACH;
}

export function endsOf(move: number): { readonly start: number; readonly end: number } {
  return { start: Math.floor(move / WIDTH) - REACH, end: (move % WIDTH) - REACH };
}

export const EXACT = moveNumber(0, 0);
/** No gold that overlaps it has both ends within reach. */
export const UNMATCHED = -1;
/** At the same place as the prediction before. */
const AGAIN = -2;

/** Predictions that are off farther and farther, and by how much each; `way` is 1 if they are behind gold, -1 if before it. */
export type Drift = Readonly<{ way: 1 | -1; places: readonly number[]; shifts: readonly number[] }>;
/** A drift has so many predictions, and is off in so many different ways. */
const LEAST_DRIFT = { places: 3, shifts: 2 };

/** Pairs each predicted place of one case after another with the closest gold that overlaps it. */
export class NearPlaces {
  #gold: Int32Array = new Int32Array(128);
  #predicted: Int32Array = new Int32Array(128);
  #golds = 0;
  #moves: Int32Array = new Int32Array(64);
  #partners: Int32Array = new Int32Array(64);
  predictions = 0;

  clear(): void {
    this.#golds = this.predictions = 0;
  }

  /** In the order of starts, and of ends where these are equal; so for predictions. */
  addGold(start: number, end: number): void {
    this.#gold = withRoom(this.#gold, 2 * this.#golds + 2);
    this.#gold[2 * this.#golds] = start;
    this.#gold[2 * this.#golds + 1] = end;
    this.#golds += 1;
  }

  addPredicted(start: number, end: number): void {
    const at = this.predictions;
    this.#predicted = withRoom(this.#predicted, 2 * at + 2);
    this.#moves = withRoom(this.#moves, at + 1);
    this.#partners = withRoom(this.#partners, at + 1);
    this.#predicted[2 * at] = start;
    this.#predicted[2 * at + 1] = end;
    this.predictions += 1;
  }

  /** How far the prediction at a place of the list is from gold; UNMATCHED, or another negative number for a copy. */
  moveAt(at: number): number {
    return this.#moves[at]!;
  }

  startAt(at: number): number {
    return this.#predicted[2 * at]!;
  }

  endAt(at: number): number {
    return this.#predicted[2 * at + 1]!;
  }

  /** Where in the list of gold the gold of a prediction is that has some. */
  partnerAt(at: number): number {
    return this.#partners[at]!;
  }

  /** The gold of a prediction that has some. */
  goldAt(at: number): { readonly start: number; readonly end: number } {
    const gold = 2 * this.#partners[at]!;
    return { start: this.#gold[gold]!, end: this.#gold[gold + 1]! };
  }

  /** Returns how many different places are exactly those of gold. */
  pair(): number {
    const [gold, golds] = [this.#gold, this.#golds];
    let low = 0;
    let exact = 0;
    for (let at = 0; at < this.predictions; at += 1) {
      const start = this.#predicted[2 * at]!;
      const end = this.#predicted[2 * at + 1]!;
      if (at > 0 && start === this.startAt(at - 1) && end === this.endAt(at - 1)) {
        this.#moves[at] = AGAIN;
        continue;
      }
      while (low < golds && gold[2 * low]! < start - REACH) low += 1;
      let closest = 2 * REACH + 1;
      let move = UNMATCHED;
      let partner = -1;
      const last = Math.min(golds, low + MOST_COMPARED);
      for (let own = low; own < last && gold[2 * own]! <= start + REACH; own += 1) {
        const atStart = start - gold[2 * own]!;
        const atEnd = end - gold[2 * own + 1]!;
        const far = Math.abs(atStart) + Math.abs(atEnd);
        if (far >= closest || Math.abs(atEnd) > REACH) continue;
        if (gold[2 * own]! >= end || gold[2 * own + 1]! <= start) continue;
        closest = far;
        move = moveNumber(atStart, atEnd);
        partner = own;
        if (far === 0) break;
      }
      if (move === EXACT) exact += 1;
      this.#moves[at] = move;
      this.#partners[at] = partner;
    }
    return exact;
  }

  /** Returns predictions that are as long as gold and farther from it the later they stand; null if these are not the most. */
  drift(exact: number): Drift | null {
    const [after, before] = [this.#driftOf(1), this.#driftOf(-1)];
    const best = before.places.length > after.places.length ? before : after;
    const isDrift =
      best.places.length >= Math.max(LEAST_DRIFT.places, exact) && new Set(best.shifts).size >= LEAST_DRIFT.shifts;
    return isDrift ? best : null;
  }

  #driftOf(way: 1 | -1): Drift {
    const places: number[] = [];
    const shifts: number[] = [];
    let far = 0;
    for (let at = 0; at < this.predictions; at += 1) {
      if (this.#moves[at] === AGAIN) continue;
      const next = this.#shiftFrom(at, far, way);
      if (next < 0) continue;
      far = next;
      if (far === 0) continue;
      places.push(at);
      shifts.push(far);
    }
    return { way, places, shifts };
  }

  /** The smallest shift, from one on, that puts a prediction in the place of gold; -1 if none within reach does. */
  #shiftFrom(at: number, least: number, way: 1 | -1): number {
    const [start, end] = [this.startAt(at), this.endAt(at)];
    for (let shift = least; shift <= least + REACH; shift += 1)
      if (this.hasGold(start - way * shift, end - way * shift)) return shift;
    return -1;
  }

  hasGold(start: number, end: number): boolean {
    let [low, high] = [0, this.#golds];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#gold[2 * middle]! < start) low = middle + 1;
      else high = middle;
    }
    for (; low < this.#golds && this.#gold[2 * low] === start; low += 1)
      if (this.#gold[2 * low + 1] === end) return true;
    return false;
  }
}

function withRoom(list: Int32Array, length: number): Int32Array {
  if (length <= list.length) return list;
  const more = new Int32Array(2 * length);
  more.set(list);
  return more;
}
