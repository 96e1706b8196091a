/** A source of numbers that is the same every time: a linear congruential generator (Numerical Recipes). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  happens(share: number): boolean {
    return this.next() < share;
  }
}

const SUBJECTS = [
  'I',
  'my sister',
  'the neighbour',
  'our baker',
  'an old friend',
  'the new teacher',
  'a visitor',
  'my uncle',
];
const VERBS = [
  'noticed',
  'carried',
  'forgot',
  'painted',
  'watched',
  'repaired',
  'avoided',
  'finished',
  'wanted',
  'cooked',
];
const ADJECTIVES = [
  'warm',
  'narrow',
  'heavy',
  'quiet',
  'broken',
  'bright',
  'sour',
  'dusty',
  'empty',
  'gentle',
  'early',
  'late',
];
const NOUNS = [
  'bridge',
  'kettle',
  'garden',
  'letter',
  'window',
  'harbour',
  'blanket',
  'orchard',
  'lantern',
  'market',
  'saddle',
  'cellar',
];
const ENDS = [
  'before breakfast',
  'after the rain',
  'near the station',
  'for two hours',
  'without a word',
  'on Tuesday',
  'in the dark',
  'with both hands',
];

/** A thing that is told of: three words. */
export function thing(chance: Chance): string {
  return `${chance.one(ADJECTIVES)} ${chance.one(ADJECTIVES)} ${chance.one(NOUNS)}`;
}

export function sentence(chance: Chance, about: string = thing(chance)): string {
  return `${chance.one(SUBJECTS)} ${chance.one(VERBS)} the ${about} ${chance.one(ENDS)}.`;
}

export function paragraph(chance: Chance, sentences: number): string {
  return Array.from({ length: sentences }, () => sentence(chance)).join(' ');
}
