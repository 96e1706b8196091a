import type { Direction } from '../measure/measure.ts';

/** Words for what one wants less of, as used in names of measures and fields. */
const LESS = new Set(
  'unsupported hallucination hallucinations hallucinated error errors missed misses latency redundancy redundant cost costs violation violations spurious failed failure failures toxicity ungrounded incorrect wrong leak leaks leakage overextraction wer cer mae mse rmse fpr fnr missrate falsefinds'.split(
    ' ',
  ),
);
/** And for what one wants more of. */
const MORE = new Set(
  'precision recall f1 accuracy coverage agreement faithfulness correct correctness completeness relevance supported grounded groundedness quality hits kappa rouge rouge1 rouge2 rougel bleu successrate'.split(
    ' ',
  ),
);
/** Words that may invert another: such a name is too vague to contradict it. Of scores, how far they spread. */
const TURNING = new Set(
  'no not non without free avoided avoidance reduction reduced saved less fewer lack lacking drop gap attack attacks attacker jailbreak injection adversarial std sd se stderr variance deviation spread'.split(
    ' ',
  ),
);
/** What is only clear together: a `rate` may be of anything, and so may `false`. */
const TOGETHER: readonly (readonly [RegExp, string])[] = [
  [/over_extraction/, 'overextraction'],
  [/(?<![^_])(?:miss|fp|fn)_rate(?![^_])/, 'missrate'],
  [/(?<![^_])false_(?:positive|negative|alarm)s?(?![^_])/, 'falsefinds'],
  [/(?<![^_])success_rate(?![^_])/, 'successrate'],
  // An answer that names a risk is a good one: only the risk itself is something to have less of.
  [/^risk(?:_rate|_score)?$/, 'missrate'],
];

/** Which way the words of a name point; null where they say nothing, or both. */
export function directionOfWords(name: string): Direction | null {
  const plain = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, '_');
  const words = TOGETHER.reduce((text, [phrase, word]) => text.replace(phrase, word), plain).split('_');
  if (words.some((word) => TURNING.has(word))) return null;
  const less = words.some((word) => LESS.has(word));
  const more = words.some((word) => MORE.has(word));
  return less === more ? null : less ? 'lower' : 'higher';
}
