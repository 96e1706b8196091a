import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import { bm25, splitPassages } from '../experiment/passages.ts';
import type { ItemsField } from '../recipe/review-section.ts';
import { findQuote } from '../text/quote.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { contentWords } from '../text/words.ts';
import type { ContentPassage, ProposedItem } from './content.ts';
import { LONGEST_ANSWER, MOST_THINGS } from './questions.ts';

/** What a system reports about itself or its confidence: it would unblind systems, or lead the reviewer. */
const KEPT_BACK =
  /^(?:_.*|id|temp_id|.*confidence|.*score|probability|likelihood|logprobs?|model|system|detector|engine|recognizer|annotator|acceptable_types|(?:source|target)(?:_.*)?|start|end|.*offset.*)$/i;
const LONGEST_FACT = 500;

interface Under {
  readonly name: string;
  readonly text: string;
}

/** What is put before a reviewer to be labelled: sentences of the text under review, or what the system found. */
export function proposedItems(
  field: ItemsField,
  under: Under | null,
  predicted: readonly Item[],
  passages: readonly ContentPassage[],
): ProposedItem[] {
  const items = field.from === 'sentences' ? sentences(under) : predicted.map((item, at) => ofSystem(item, at, under));
  if (items.length > MOST_THINGS)
    throw new UsageError(
      `an answer has ${items.length} things to label, and ${MOST_THINGS} are the most that one item can have`,
      'leave that answer out, or cut it',
    );
  if (field.passages === 0 || passages.length === 0 || items.length === 0) return items;
  const near = suggestPassages(
    items.map(({ text }) => text),
    passages.map(({ text }) => text),
    field.passages,
  );
  return items.map((item, at) => ({
    ...item,
    passages: (near[at] ?? []).flatMap((index) => passages[index]?.id ?? []),
  }));
}

function sentences(under: Under | null): ProposedItem[] {
  if (under === null) return [];
  return sentenceSpans(under.text).map(({ start, end }, at) => ({
    id: `s${at + 1}`,
    start,
    end,
    text: under.text.slice(start, end).slice(0, LONGEST_ANSWER),
    kind: null,
    facts: {},
    passages: [],
  }));
}

function ofSystem(item: Item, at: number, under: Under | null): ProposedItem {
  const place = placeOf(item, under);
  return {
    id: `p${at + 1}`,
    start: place?.start ?? -1,
    end: place?.end ?? -1,
    text: wordsOf(item, place === null || under === null ? '' : under.text.slice(place.start, place.end)),
    kind: item.label === '' ? null : item.label,
    facts: factsOf(item),
    passages: [],
  };
}

/** Items have their places in the text of the case; a quote or a name without one is where it first stands. */
function placeOf(item: Item, under: Under | null): { readonly start: number; readonly end: number } | null {
  if (under?.name !== 'text' || item.kind === 'relationship') return null;
  if (item.start >= 0 && item.end > item.start && item.end <= under.text.length) return item;
  return findQuote(under.text, item.text);
}

/** Never nothing: what has no words could not be answered either. */
function wordsOf(item: Item, inText: string): string {
  if (item.kind === 'relationship') return `${item.source ?? '?'} → ${item.label} → ${item.target ?? '?'}`;
  const words = [item.text, inText, item.label].find((text) => text.trim() !== '') ?? '(no words)';
  return words.slice(0, LONGEST_ANSWER);
}

/** Plain facts in words; what the item's words or kind already show is not repeated. */
function factsOf({ fields, source, target, text, label }: Item): Record<string, string> {
  const facts: [string, string][] = [];
  if (source !== null) facts.push(['source', source]);
  if (target !== null) facts.push(['target', target]);
  for (const [key, value] of Object.entries(fields)) {
    if (KEPT_BACK.test(key) || value === text || value === label || value === '') continue;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      facts.push([key, shorten(String(value), LONGEST_FACT)]);
  }
  return Object.fromEntries(facts);
}

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
