import { bm25, passageSpans } from '../experiment/passages.ts';
import type { ReviewText } from '../store/review-records.ts';
import { splitsPair } from '../text/characters.ts';
import { escapePattern } from '../text/escape-pattern.ts';
import { contentWords, words, wordSpans } from '../text/words.ts';
import { findQuote } from '../text/quote.ts';
import type { Span } from '../text/span.ts';
import type { TextHit, TextHits, TextPage, TextPlace } from './api.ts';
import type { ContentPassage } from './content.ts';

const STRETCH = { size: 80, overlap: 20 };
const SETTINGS = { k1: 1.2, b: 0.75 };
const HITS_A_PAGE = 10;
/** Further down nothing is found that was meant. */
const MOST_HITS = 200;
const LONGEST_QUERY = 400;
/** UTF-16 units of a page; the page ends at the last space before. */
const PAGE = 8000;
const PAGE_MARGIN = 400;
/** Of one answer: a system may have retrieved anything. */
const MOST_PASSAGES = 500;

/** The texts of a review, to be searched and read a page at a time. */
export interface SourceTexts {
  readonly texts: readonly { readonly id: string; readonly name: string; readonly pages: number }[];
  /** `retrieved` are places that are marked, of one answer. */
  search(query: string, skip: number, retrieved: readonly TextPlace[]): TextHits;
  /** Null if the text does not exist. A page before the first or after the last is the closest one. */
  page(id: string, page: number): Omit<TextPage, 'retrieved'> | null;
  /** The place of each passage in the texts, in order; null if none of them has it. White space does not count. */
  placesOf(passages: readonly ContentPassage[]): (TextPlace | null)[];
}

interface KnownText extends ReviewText {
  readonly id: string;
  readonly begins: readonly number[];
}

export function sourceTexts(given: readonly ReviewText[]): SourceTexts {
  const texts = given.map(({ name, text }, at): KnownText => ({ id: `t${at + 1}`, name, text, begins: pagesOf(text) }));
  const byId = new Map(texts.map((one) => [one.id, one]));
  const stretches = texts.flatMap((own) => passageSpans(own.text, STRETCH).map((span) => ({ own, span })));
  const index = bm25(
    stretches.map(({ own, span }) => own.text.slice(span.start, span.end)),
    SETTINGS,
  );
  return {
    texts: texts.map(({ id, name, begins }) => ({ id, name, pages: begins.length })),
    search(query, skip, retrieved) {
      const asked = query.slice(0, LONGEST_QUERY);
      const meant = contentWords(asked);
      const sought = meant.length > 0 ? meant : words(plain(asked), 'unicode');
      const marked = new Set(sought);
      const hits: TextHit[] = [];
      for (const { index: at } of index.search(sought.join(' '), MOST_HITS)) {
        const { own, span } = stretches[at]!;
        // The better of two that share words is enough.
        if (hits.some((hit) => hit.text === own.id && hit.start < span.end && span.start < hit.end)) continue;
        const excerpt = own.text.slice(span.start, span.end);
        const isRetrieved = retrieved.some(
          (place) => place.text === own.id && place.start < span.end && span.start < place.end,
        );
        hits.push({ ...placeIn(own, span), name: own.name, excerpt, marks: marksIn(excerpt, marked), isRetrieved });
      }
      const shown = hits.slice(skip, skip + HITS_A_PAGE);
      return { query: asked, total: hits.length, skip, hits: shown };
    },
    page(id, wanted) {
      const own = byId.get(id);
      if (own === undefined) return null;
      const page = Math.min(Math.max(0, wanted), own.begins.length - 1);
      const start = own.begins[page] ?? 0;
      const content = own.text.slice(start, own.begins[page + 1] ?? own.text.length);
      return { id, name: own.name, page, pages: own.begins.length, start, content };
    },
    placesOf: (passages) => passages.slice(0, MOST_PASSAGES).map((passage) => placeOf(passage, texts)),
  };
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function marksIn(excerpt: string, wanted: ReadonlySet<string>): Span[] {
  return wordSpans(excerpt, 'unicode').filter(({ start, end }) => wanted.has(plain(excerpt.slice(start, end))));
}

function placeIn({ id, begins }: KnownText, { start, end }: Span): TextPlace {
  return {
    text: id,
    page: Math.max(
      0,
      begins.findLastIndex((begin) => begin <= start),
    ),
    start,
    end,
  };
}

/** In the text that the passage names first, if it names one. */
function placeOf({ source, text }: ContentPassage, texts: readonly KnownText[]): TextPlace | null {
  const isNamed = ({ name }: KnownText): boolean => source !== null && source.includes(name);
  const ordered = [...texts.filter(isNamed), ...texts.filter((own) => !isNamed(own))];
  const loose = looseQuote(text);
  for (const find of [
    (own: KnownText) => findQuote(own.text, text.trim()),
    (own: KnownText) => spanOf(loose, own.text),
  ])
    for (const own of ordered) {
      const span = find(own);
      if (span !== null) return placeIn(own, span);
    }
  return null;
}

/** The words of a passage with any white space between them. */
function looseQuote(passage: string): RegExp | null {
  const pieces = words(passage, 'whitespace').map(escapePattern);
  return pieces.length === 0 ? null : new RegExp(pieces.join('\\s+'), 'u');
}

function spanOf(pattern: RegExp | null, text: string): Span | null {
  const found = pattern?.exec(text) ?? null;
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}

/** Pages end at a space, and never within a character. */
function pagesOf(text: string): number[] {
  const begins = [0];
  for (let at = PAGE; at < text.length; at = begins.at(-1)! + PAGE) {
    const near = text.slice(at - PAGE_MARGIN, at);
    const space = Math.max(near.lastIndexOf('\n'), near.lastIndexOf(' '));
    const end = space === -1 ? at : at - PAGE_MARGIN + space + 1;
    begins.push(splitsPair(text, end) ? end - 1 : end);
  }
  return begins;
}
