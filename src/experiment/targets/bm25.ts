import { words } from '../../text/words.ts';

export interface Bm25Settings {
  /** How soon further occurrences of a word stop counting. */
  readonly k1: number;
  /** How much long texts are held back: 0 not at all, 1 in proportion. */
  readonly b: number;
}

export interface Found {
  /** Which of the texts, from 0. */
  readonly index: number;
  readonly score: number;
}

export interface Bm25 {
  /** The best texts for a query, best first; those that share no word with it are not among them. */
  search(query: string, most: number): Found[];
}

/**
 * Okapi BM25. A text's score is the sum over the words of the query, each as often as it is in the query, of
 *
 *   ln(1 + (N - n + 0.5) / (n + 0.5)) · tf / (tf + k1 · (1 - b + b · length / mean length))
 *
 * with N texts, n of which have the word, which is tf times in this one; lengths in words. Robertson and Zaragoza
 * (2009), The Probabilistic Relevance Framework: BM25 and Beyond, with the 1 inside the logarithm that keeps it
 * positive, as Lucene has it. Words are runs of letters, marks and digits in lower case and composed form, so any script
 * that puts something between words will do. Of equal scores the earlier text goes first.
 *
 * @example bm25(['tea with milk', 'milk'], { k1: 1.2, b: 0.75 }).search('tea', 1)[0]?.index // 0
 */
export function bm25(texts: readonly string[], { k1, b }: Bm25Settings): Bm25 {
  /** By word: text, count, text, count, … */
  const postings = new Map<string, number[]>();
  const lengths = new Float64Array(texts.length);
  let total = 0;
  for (const [index, text] of texts.entries()) {
    const found = searchWords(text);
    lengths[index] = found.length;
    total += found.length;
    for (const [word, count] of counted(found)) {
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [index, count]);
      else list.push(index, count);
    }
  }
  const mean = total / texts.length;

  return {
    search(query, most) {
      const scores = new Map<number, number>();
      for (const [word, times] of counted(searchWords(query))) {
        const list = postings.get(word) ?? [];
        const having = list.length / 2;
        const weight = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
        for (let at = 0; at < list.length; at += 2) {
          const index = list[at]!;
          const tf = list[at + 1]!;
          const share = tf / (tf + k1 * (1 - b + (b * lengths[index]!) / mean));
          scores.set(index, (scores.get(index) ?? 0) + times * weight * share);
        }
      }
      return [...scores]
        .map(([index, score]) => ({ index, score }))
        .sort((x, y) => y.score - x.score || x.index - y.index)
        .slice(0, most);
    },
  };
}

function searchWords(text: string): string[] {
  return words(text.normalize('NFC').toLowerCase(), 'unicode');
}

function counted(found: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
