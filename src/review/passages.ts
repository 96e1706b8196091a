import { isRecord } from '../data/record-fields.ts';
import { bm25, splitPassages } from '../experiment/passages.ts';
import { contentWords } from '../text/words.ts';

/** What most search engines use, untuned. */
const SETTINGS = { k1: 1.2, b: 0.75 };
/** In words: about what fits beside a claim and can be read at a glance. */
const LONGEST = 120;
const OVERLAP = 30;
const BLANK_LINE = /\r?\n[^\S\n]*\r?\n\s*|\u2029/u;
const TEXT_KEYS = ['text', 'content', 'page_content', 'passage', 'snippet'] as const;
const SOURCE_KEYS = ['source', 'title', 'name', 'id', 'url'] as const;

interface CutPassage {
  readonly source: string | null;
  readonly text: string;
}

interface CutPassages {
  readonly passages: readonly CutPassage[];
  /** How many entries hold no text that could be shown. */
  readonly unreadable: number;
}

/**
 * For each claim the places of the passages that share most words with it (BM25), best first, at most so many; none if
 * they share nothing but words such as `in` and `the`. A suggestion where to look, and no judgement.
 *
 * @example suggestPassages(['Ghee calms vata'], ['Salt is heating', 'Vata is calmed by ghee'], 3) // [[1]]
 */
export function suggestPassages(claims: readonly string[], passages: readonly string[], most: number): number[][] {
  if (passages.length === 0 || most <= 0) return claims.map(() => []);
  const index = bm25(passages, SETTINGS);
  return claims.map((claim) => index.search(contentWords(claim).join(' '), most).map(({ index: place }) => place));
}

/**
 * What a system retrieved, as passages to be shown: a text (cut at blank lines), a list of texts, or of objects with a
 * text and a source; also such a list written as JSON into a cell. Long ones are cut into pieces that overlap.
 *
 * @example cutPassages('One.\n\nTwo.').passages // [{ source: null, text: 'One.' }, { source: null, text: 'Two.' }]
 */
export function cutPassages(retrieved: unknown): CutPassages {
  const entries = entriesOf(retrieved);
  const passages: CutPassage[] = [];
  let unreadable = 0;
  for (const entry of entries) {
    const found = passageOf(entry);
    if (found === null) unreadable += 1;
    else for (const text of pieces(found.text)) passages.push({ source: found.source, text });
  }
  return { passages, unreadable };
}

function entriesOf(retrieved: unknown): readonly unknown[] {
  if (retrieved === null || retrieved === undefined) return [];
  if (Array.isArray(retrieved)) return retrieved;
  if (typeof retrieved !== 'string') return [retrieved];
  return listIn(retrieved) ?? [retrieved];
}

function listIn(text: string): readonly unknown[] | null {
  if (!/^\s*\[/u.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function passageOf(entry: unknown): CutPassage | null {
  if (typeof entry === 'string') return { source: null, text: entry };
  if (!isRecord(entry)) return null;
  const text = firstText(entry, TEXT_KEYS);
  if (text === null) return null;
  const metadata = entry['metadata'];
  const source = firstText(entry, SOURCE_KEYS) ?? (isRecord(metadata) ? firstText(metadata, SOURCE_KEYS) : null);
  return { source, text };
}

function firstText(record: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(record, key) ? record[key] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

function pieces(text: string): string[] {
  return text.split(BLANK_LINE).flatMap((part) => splitPassages(part, { size: LONGEST, overlap: OVERLAP }));
}
