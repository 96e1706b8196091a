import { readVector, vectorNorm, type Vocabulary, vectorRoom } from './vocabulary.ts';

/** A mention as its trigrams, the rarest first. Alias a has score Σ weight · count in a / norm of a. */
export interface QueryVector {
  readonly trigrams: Int32Array;
  /** count · idf² / norm: what a trigram that is once in an alias adds, before the division by the alias's norm. */
  readonly weights: Float64Array;
  /** From this trigram on: the length of the rest of the query's vector, which is 1 as a whole. */
  readonly restNorms: Float64Array;
  /** From this trigram on: the sum of the weights. */
  readonly restWeights: Float64Array;
  /** Length of the vector before it was made 1. */
  readonly norm: number;
  /** How often one trigram is in the mention, at most. */
  readonly maxTf: number;
}

const encoder = new TextEncoder();

/** Null where no trigram of the mention is in the vocabulary. */
export function queryVector(vocabulary: Vocabulary, mention: string): QueryVector | null {
  const bytes = encoder.encode(mention);
  const room = vectorRoom(bytes.length);
  const maxTf = readVector(vocabulary, bytes, 0, bytes.length, room);
  if (maxTf === 0) return null;
  const norm = vectorNorm(vocabulary, room);
  const { idf } = vocabulary;
  // Trigrams of one idf in the order of their numbers: the same mention is always added up in the same order.
  const order = Array.from({ length: room.length }, (_, at) => at).sort(
    (a, b) => idf[room.trigrams[b]!]! - idf[room.trigrams[a]!]! || a - b,
  );
  const weights = new Float64Array(order.length);
  const restNorms = new Float64Array(order.length + 1);
  const restWeights = new Float64Array(order.length + 1);
  let squares = 0;
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const count = room.counts[order[at]!]!;
    const own = idf[room.trigrams[order[at]!]!]!;
    weights[at] = (count * own * own) / norm;
    squares += (count * own) ** 2;
    restNorms[at] = Math.sqrt(squares) / norm;
    restWeights[at] = restWeights[at + 1]! + weights[at]!;
  }
  return {
    trigrams: Int32Array.from(order, (at) => room.trigrams[at]!),
    weights,
    restNorms,
    restWeights,
    norm,
    maxTf,
  };
}
