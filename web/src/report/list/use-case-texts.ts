import { useEffect, useMemo, useState } from 'preact/hooks';

import { faultText } from '../../fault-text.ts';
import { pageOf, type ReportSource } from '../source.ts';
import { casePreview, type PreviewPiece } from './case-preview.ts';
import { searchWords } from './search-words.ts';
import { TextSearch } from './text-search.ts';

/** What a search has found so far. */
export interface TextFound {
  readonly words: readonly string[];
  /** 1 at the rows whose texts have the words; null without words. */
  readonly rows: Uint8Array | null;
  /** How much is searched. */
  readonly share: number;
  readonly fault: string | null;
}

const NOTHING = { words: [], rows: null, share: 1, fault: null };
/** The list changes no more often than this while a search goes on. */
const SHOWN_EVERY_MS = 150;

/** Until a new search has found anything the list stays as it was. `prepare` is for somebody who is about to search. */
export function useTextSearch(source: ReportSource, search = ''): TextFound & { readonly prepare: () => void } {
  const texts = useMemo(() => new TextSearch(source), [source]);
  const [found, setFound] = useState<TextFound>(NOTHING);
  useEffect(() => {
    const words = searchWords(search);
    if (words.length === 0) {
      setFound(NOTHING);
      return undefined;
    }
    let [live, last] = [true, 0];
    const rows = new Uint8Array(source.head.cases);
    const show = (share: number, fault: string | null): void => {
      if (live) setFound({ words, rows, share, fault });
    };
    const progress = (share: number): boolean => {
      if (share === 1 || performance.now() - last > SHOWN_EVERY_MS) {
        show(share, null);
        last = performance.now();
      }
      return live;
    };
    texts.search(words, rows, progress).catch((fault: unknown) => show(1, faultText(fault)));
    return () => {
      live = false;
    };
  }, [texts, search]);
  const prepare = (): void => void texts.search([], new Uint8Array(), () => true).catch(() => undefined);
  return useMemo(() => ({ ...found, prepare }), [found, texts]);
}

type Preview = readonly PreviewPiece[];
const MOST_PREVIEWS = 5000;

/** Previews of the rows in view: their pages are decompressed as one comes to them. */
export function usePreviews(
  source: ReportSource,
  rows: Int32Array,
  run: number,
  words: readonly string[],
): (row: number) => Preview | undefined {
  const held = useMemo(() => new Map<number, Preview>(), [source, run, words]);
  const [, setTurn] = useState(0);
  useEffect(() => {
    const { pages, detailsUntil } = source.head;
    const missing = [...rows].filter((row) => !held.has(row) && row < (detailsUntil ?? Infinity));
    const page = missing[0] === undefined ? null : pageOf(pages, missing[0]);
    if (page === null) return undefined;
    let live = true;
    const show = async (): Promise<void> => {
      const cases = await source.page(page);
      if (!live) return;
      if (held.size > MOST_PREVIEWS) held.clear();
      for (const row of missing) {
        const detail = pageOf(pages, row) === page ? cases[row - (pages[page] ?? 0)] : undefined;
        if (detail !== undefined) held.set(row, casePreview(detail, run, words));
      }
      // The next page comes after these are drawn.
      setTurn((turn) => turn + 1);
    };
    // A page that cannot be read is reported where one of its cases is opened.
    show().catch(() => undefined);
    return () => {
      live = false;
    };
  });
  return (row) => held.get(row);
}
