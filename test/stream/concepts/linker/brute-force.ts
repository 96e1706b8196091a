import { charTrigrams } from '../../../../src/stream/concepts/linker/vocabulary.ts';

/** Every alias with its cosine to a mention, worked out the plain way: no index, no order, no bounds. */
export function bruteForce(aliases: readonly string[], mention: string, minDf: number): Map<string, number> {
  const distinct = [...new Set(aliases)];
  const df = new Map<string, number>();
  for (const alias of distinct)
    for (const trigram of new Set(charTrigrams(alias))) df.set(trigram, (df.get(trigram) ?? 0) + 1);
  const vector = (text: string): Map<string, number> => {
    const weights = new Map<string, number>();
    for (const trigram of charTrigrams(text)) {
      const count = df.get(trigram) ?? 0;
      if (count < minDf || count === 0) continue;
      const idf = Math.log((1 + distinct.length) / (1 + count)) + 1;
      weights.set(trigram, (weights.get(trigram) ?? 0) + idf);
    }
    return weights;
  };
  const length = (weights: ReadonlyMap<string, number>): number =>
    Math.hypot(...[...weights.values()].map((weight) => weight));
  const query = vector(mention);
  const scores = new Map<string, number>();
  for (const alias of distinct) {
    const own = vector(alias);
    if (own.size === 0 || query.size === 0) continue;
    let dot = 0;
    for (const [trigram, weight] of query) dot += weight * (own.get(trigram) ?? 0);
    scores.set(alias, dot / length(own) / length(query));
  }
  return scores;
}
