import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';

const TEXTS = ['abcdefghijklmnopqrstuvwxyz é ', 'ab"c\\de/f\nghé€łij\u007fk\tlmnopqrs '];
const LABELS = ['A', 'B', 'Ü', '__proto__', 'AB', 'ö'];

/** Recipes over spans, each with lines that are laid over it. */
export const SPAN_SETTINGS: readonly (readonly [string, ...string[]])[] = [
  ['pii/strict'],
  ['pii/exact'],
  ['pii/partial'],
  ['pii/iou'],
  ['pii/semeval'],
];

/** Documents whose spans overlap, repeat and compete in all ways, in any order; some have none. */
export function spanDocuments(count: number, seed: number, labels = 3): string {
  const random = new MersenneTwister(seed);
  const lines = Array.from({ length: count }, (_, at) => {
    const text = TEXTS[at % 2]!.repeat(2);
    const dense = 4 + random.below(50);
    const longest = 1 + random.below(12);
    const list = (): object[] =>
      Array.from({ length: random.below(9) }, () => {
        const start = random.below(dense);
        const end = Math.min(start + 1 + random.below(longest), text.length);
        const quote = random.below(2) === 0 ? {} : { text: text.slice(start, end) };
        return { start, end, label: LABELS[random.below(labels)], ...quote };
      });
    const gold = list();
    const copied = gold.filter(() => random.below(2) === 0);
    const line = JSON.stringify({ id: `d${at}`, text, gold, predicted: [...copied, ...list()] });
    // There are several ways to write one character.
    return at % 3 === 0 ? line.replaceAll('é', '\\u00e9').replaceAll('/', '\\/') : line;
  });
  return `${lines.join('\n')}\n`;
}
