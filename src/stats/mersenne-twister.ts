const SIZE = 624;
const SHIFT = 397;

/**
 * MT19937 (Matsumoto and Nishimura 1998), seeded as numpy's RandomState seeds it with a whole number, so that the same
 * seed gives the same numbers here and there. Example: seed 42 begins 1608637542, 3421126067. A list of numbers seeds it as
 * Python's own random module does (init_by_array). Example: [42] begins 2746317213, 478163327.
 */
export class MersenneTwister {
  readonly #state = new Uint32Array(SIZE);
  /** The state's next 624 numbers, tempered. */
  readonly #ready = new Uint32Array(SIZE);
  #next = SIZE;

  constructor(seed: number | readonly number[]) {
    if (typeof seed === 'number') this.#state.set(seededState(seed));
    else this.#mix(seed);
  }

  #mix(key: readonly number[]): void {
    const state = this.#state;
    state.set(seededState(19650218));
    let at = 1;
    const change = (factor: number, added: number): void => {
      const before = state[at - 1]!;
      state[at] = (state[at]! ^ Math.imul(before ^ (before >>> 30), factor)) + added;
      at += 1;
      if (at < SIZE) return;
      state[0] = state[SIZE - 1]!;
      at = 1;
    };
    for (let step = 0; step < Math.max(SIZE, key.length); step += 1)
      change(1664525, key[step % key.length]! + (step % key.length));
    for (let step = 1; step < SIZE; step += 1) change(1566083941, -at);
    state[0] = 0x80000000;
  }

  /** The next of the whole numbers from 0 to 2³² − 1. */
  uint32(): number {
    if (this.#next === SIZE) this.#refill();
    const drawn = this.#ready[this.#next]!;
    this.#next += 1;
    return drawn;
  }

  /** A whole number from 0 to n − 1: masked and drawn again while too large, as numpy's RandomState.randint does. */
  below(n: number): number {
    const last = n - 1;
    if (last === 0) return 0;
    const mask = maskOf(last);
    let drawn = this.uint32() & mask;
    while (drawn > last) drawn = this.uint32() & mask;
    return drawn;
  }

  /** Draws n numbers from 0 to n − 1 and adds 1 to `times` of each: how often a resample holds each of n units. */
  resample(times: Float64Array | Int16Array, n: number): void {
    const last = n - 1;
    if (last === 0) {
      times[0]! += 1;
      return;
    }
    const mask = maskOf(last);
    const ready = this.#ready;
    let next = this.#next;
    for (let left = n; left > 0;) {
      if (next === SIZE) {
        this.#refill();
        next = 0;
      }
      const drawn = ready[next]! & mask;
      next += 1;
      if (drawn > last) continue;
      times[drawn]! += 1;
      left -= 1;
    }
    this.#next = next;
  }

  #refill(): void {
    const state = this.#state;
    const ready = this.#ready;
    for (let at = 0; at < SIZE; at += 1) {
      const after = at + 1 === SIZE ? 0 : at + 1;
      const far = at + SHIFT < SIZE ? at + SHIFT : at + SHIFT - SIZE;
      const mixed = (state[at]! & 0x80000000) | (state[after]! & 0x7fffffff);
      const made = state[far]! ^ (mixed >>> 1) ^ (-(mixed & 1) & 0x9908b0df);
      state[at] = made;
      let drawn = made ^ (made >>> 11);
      drawn ^= (drawn << 7) & 0x9d2c5680;
      drawn ^= (drawn << 15) & 0xefc60000;
      ready[at] = drawn ^ (drawn >>> 18);
    }
    this.#next = 0;
  }
}

/** The state from which the numbers of a seed are made. */
export function seededState(seed: number): Uint32Array {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new RangeError(`seed ${seed}: expected a whole number from 0 to 4294967295`);
  const state = new Uint32Array(SIZE);
  state[0] = seed;
  for (let at = 1; at < SIZE; at += 1) {
    const before = state[at - 1]!;
    state[at] = Math.imul(1812433253, before ^ (before >>> 30)) + at;
  }
  return state;
}

/** The smallest 2ᵏ − 1 that is not below `last`. */
export function maskOf(last: number): number {
  if (last > 0x7fffffff) throw new RangeError(`${last + 1} is more than can be drawn from`);
  return 0xffffffff >>> Math.clz32(last);
}
