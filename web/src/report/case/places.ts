import type { LedgerItem } from '../../../../src/score/ledger.ts';

/** The place of an item in the text of its case. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** `words`: it has no given place and is shown where its words first occur. */
  readonly by: 'place' | 'words';
}

interface Found {
  readonly place: Place | null;
  readonly astray: string | null;
}

/** What is looked for by its words where it has no place. */
const QUOTES: ReadonlySet<string> = new Set(['object', 'span', 'entity']);
/** A hostile case has thousands of quotes and a long text: beyond this many nothing is looked for. */
const MOST_SEARCHES = 2000;

/** Finds items in one text. With `search`, those without a place by their words. */
export class PlaceFinder {
  readonly #text: string | null;
  readonly #search: boolean;
  readonly #found = new Map<string, Place | null>();

  constructor(text: string | null, search: boolean) {
    this.#text = text;
    this.#search = search;
  }

  placeOf(kind: string, { start, end, text }: LedgerItem): Found {
    if (this.#text === null) return { place: null, astray: null };
    if (start !== undefined && end !== undefined) return placeWithin(this.#text, start, end);
    const place = this.#search && QUOTES.has(kind) && text.trim() !== '' ? this.#byWords(this.#text, text) : null;
    return { place, astray: null };
  }

  #byWords(within: string, words: string): Place | null {
    const known = this.#found.get(words);
    if (known !== undefined) return known;
    if (this.#found.size >= MOST_SEARCHES) return null;
    const start = within.indexOf(words);
    const place = start < 0 ? null : { start, end: start + words.length, by: 'words' as const };
    this.#found.set(words, place);
    return place;
  }
}

/** A place that lies outside the text is not bent until it fits; one that cuts a character in two takes it whole. */
export function placeWithin(text: string, start: number, end: number): Found {
  const astray = (why: string): Found => ({ place: null, astray: `its place, ${start} to ${end}, ${why}` });
  if (!Number.isInteger(start) || !Number.isInteger(end)) return astray('is not one of whole characters');
  if (start < 0 || end > text.length) return astray(`lies outside the text of ${text.length} characters`);
  if (start >= end) return astray('holds no characters');
  return {
    place: { start: cuts(text, start) ? start - 1 : start, end: cuts(text, end) ? end + 1 : end, by: 'place' },
    astray: null,
  };
}

function cuts(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
