import type { Ends } from './svg/scale.ts';

/**
 * A report before it is Markdown or HTML. Both are made of this and of nothing else, so that they cannot say two things.
 * Holds text from data: whoever writes it out escapes it.
 */
export interface Page {
  readonly title: string;
  readonly lead: readonly string[];
  readonly sections: readonly PageSection[];
}

export interface PageSection {
  readonly title: string;
  readonly blocks: readonly PageBlock[];
}

export type PageBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly PageItem[] }
  | { readonly kind: 'code'; readonly title: string; readonly text: string }
  | PageTable;

/** A sentence of a list; with a term it says what that is. */
export interface PageItem {
  readonly term: string | null;
  readonly text: string;
}

/** The first cell of a row is its heading. */
export interface PageTable {
  readonly kind: 'table';
  readonly caption: string;
  readonly columns: readonly PageColumn[];
  readonly rows: readonly (readonly PageCell[])[];
  /** What the marks in the cells stand for: reasons, remarks. */
  readonly notes: readonly string[];
}

export interface PageColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
}

export interface PageCell {
  readonly text: string;
  readonly tone: PageTone | null;
  /** Drawn below the text where pictures can be drawn; it says no more than the text does. */
  readonly bar: IntervalPicture | null;
}

export type PageTone = 'good' | 'warn' | 'bad' | 'quiet';

/** A value with its interval on a stretch of numbers, and the value to aim at where there is one. */
export interface IntervalPicture {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly ends: Ends;
  readonly aim: number | null;
}

export function paragraph(text: string): PageBlock {
  return { kind: 'text', text };
}

/** Sentences one below the other; nothing where there are none. */
export function bullets(sentences: readonly (string | PageItem)[]): PageBlock[] {
  if (sentences.length === 0) return [];
  const items = sentences.map((one) => (typeof one === 'string' ? { term: null, text: one } : one));
  return [{ kind: 'list', items }];
}

export function cell(text: string, more: Partial<Omit<PageCell, 'text'>> = {}): PageCell {
  return { text, tone: more.tone ?? null, bar: more.bar ?? null };
}

export function left(title: string): PageColumn {
  return { title, align: 'left' };
}

export function right(title: string): PageColumn {
  return { title, align: 'right' };
}

/** A table of cells; plain strings are cells too. */
export function table(
  caption: string,
  columns: readonly PageColumn[],
  rows: readonly (readonly (string | PageCell)[])[],
  notes: readonly string[] = [],
): PageTable {
  return {
    kind: 'table',
    caption,
    columns,
    rows: rows.map((row) => row.map((one) => (typeof one === 'string' ? cell(one) : one))),
    notes,
  };
}

/** Remarks below a table, each said once however many cells it is of. */
export class Footnotes {
  readonly #texts: string[] = [];

  /** The mark that stands in the cell. */
  mark(text: string): string {
    const known = this.#texts.indexOf(text);
    if (known === -1) this.#texts.push(text);
    return `[${known === -1 ? this.#texts.length : known + 1}]`;
  }

  list(): string[] {
    return this.#texts.map((text, at) => `[${at + 1}] ${text}`);
  }
}
