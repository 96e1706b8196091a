import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { InputError, UsageError } from '../data/problems.ts';
import { readText } from '../data/read-file.ts';
import { sha256Of } from '../data/sha256-of.ts';
import { errorCode } from '../data/source.ts';
import { log } from '../stats/double-double.ts';
import { compareText } from '../text/compare.ts';
import type { Span } from '../text/span.ts';
import { words, wordSpans } from '../text/words.ts';

const MOST_FILES = 20_000;
const MOST_BYTES = 64 << 20;

/** The .txt and .md files in and below a folder, sorted by path, with a hash of them all. Links are not followed. */
export async function readTextFolder(given: string, folder: string, most = MOST_BYTES) {
  const root = resolve(folder, given);
  const texts: { name: string; text: string }[] = [];
  let bytes = 0;
  for (const file of textFiles(root, given)) {
    const { text } = await readText(file, most);
    bytes += Buffer.byteLength(text);
    const message = `the texts are longer than ${most >> 20} MiB`;
    if (bytes > most) throw new InputError([{ file: root, line: null, message, next: 'name a folder of fewer' }]);
    texts.push({ name: relative(root, file).replaceAll('\\', '/'), text });
  }
  texts.sort((a, b) => compareText(a.name, b.name));
  if (!texts.some(({ text }) => text.trim() !== ''))
    throw new UsageError(`${given} holds no text: no .txt or .md file in it or below it`, 'links are not followed');
  return { texts, hash: sha256Of(JSON.stringify(texts.map(({ name, text }) => [name, sha256Of(text)]))) };
}

/** Not read by `recursive`, which follows links to folders. */
function textFiles(folder: string, given: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTDIR') throw new UsageError(`${given} is a file, expected a folder of texts`);
    throw new UsageError(`cannot read the folder ${given} (${code})`, 'paths start from the folder of the experiment');
  }
  const files = entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return textFiles(path, given);
    return entry.isFile() && /\.(?:txt|md)$/i.test(entry.name) ? [path] : [];
  });
  if (files.length > MOST_FILES) throw new UsageError(`${given} holds more than ${MOST_FILES} texts`);
  return files;
}

/** In words; the overlap is shared with the passage before. */
type PassageSettings = Readonly<Record<'size' | 'overlap', number>>;

/** Passages of `size` words: 'a b c d e' with size 3 and overlap 1 gives 'a b c' and 'c d e'. */
export function splitPassages(text: string, settings: PassageSettings): string[] {
  return passageSpans(text, settings).map(({ start, end }) => text.slice(start, end));
}

export function passageSpans(text: string, { size, overlap }: PassageSettings): Span[] {
  const spans = wordSpans(text, 'whitespace');
  const passages: Span[] = [];
  for (let from = 0; from < spans.length; from += size - overlap) {
    const to = Math.min(from + size, spans.length);
    passages.push({ start: spans[from]!.start, end: spans[to - 1]!.end });
    if (to === spans.length) break;
  }
  return passages;
}

/**
 * Okapi BM25. A text's score is the sum over the words of the query, each as often as it is in the query, of
 *
 *   ln(1 + (N - n + 0.5) / (n + 0.5)) · tf / (tf + k1 · (1 - b + b · length / mean length))
 *
 * with N texts, n of which have the word, which is tf times in this one; lengths in words. Robertson and Zaragoza
 * (2009), The Probabilistic Relevance Framework: BM25 and Beyond, with the 1 inside the logarithm that keeps it
 * positive, as Lucene has it. Words are runs of letters, marks and digits in lower case and composed form, so any script
 * that separates its words will do. `k1` sets how soon further occurrences of a word stop counting, `b` how much
 * long texts are held back: 0 not at all, 1 in proportion. `search` gives the best texts, each by its place, best first and
 * of equal scores the earlier; those that share no word with the query are not among them.
 *
 * @example bm25(['tea with milk', 'milk'], { k1: 1.2, b: 0.75 }).search('tea', 1)[0]?.index // 0
 */
export function bm25(texts: readonly string[], { k1, b }: Readonly<Record<'k1' | 'b', number>>) {
  /** By word: text, count, text, count, … */
  const postings = new Map<string, number[]>();
  const lengths = new Float64Array(texts.length);
  let total = 0;
  for (const [index, text] of texts.entries()) {
    const found = searchWords(text);
    lengths[index] = found.length;
    total += found.length;
    for (const [word, { length: count }] of Map.groupBy(found, itself)) {
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [index, count]);
      else list.push(index, count);
    }
  }
  const mean = total / texts.length;
  return {
    search(query: string, most: number): { readonly index: number; readonly score: number }[] {
      const scores = new Map<number, number>();
      for (const [word, { length: times }] of Map.groupBy(searchWords(query), itself)) {
        const list = postings.get(word) ?? [];
        const having = list.length / 2;
        const weight = log(1 + (texts.length - having + 0.5) / (having + 0.5));
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

const itself = (word: string): string => word;

function searchWords(text: string): string[] {
  return words(text.normalize('NFC').toLowerCase(), 'unicode');
}
