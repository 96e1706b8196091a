import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

import { wordFinder } from './search-words.ts';

/** As the style sheet calls it. */
const NAME = 'found-words';
/** Text of the case itself; what bars and tags are called is in between. */
const TEXT = '.marked [data-from]';
const MOST = 2000;

/** Marks what was searched for in the text of an open case, whatever bars it has: nothing in the page changes for it. */
export function useFoundMarks(place: RefObject<HTMLElement | null>, words: readonly string[]): void {
  useEffect(() => {
    const [own, finder] = [place.current, wordFinder(words)];
    if (own === null || finder === null || !('highlights' in CSS)) return undefined;
    const mark = (): void => void CSS.highlights.set(NAME, new Highlight(...rangesOf(own, finder)));
    // Texts are drawn as one comes to them.
    const watch = new MutationObserver(mark);
    watch.observe(own, { childList: true, subtree: true });
    mark();
    return () => {
      watch.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [place, words]);
}

/** A word may begin in one piece of the text and end in another. */
function rangesOf(place: HTMLElement, finder: RegExp): Range[] {
  const pieces = [...place.querySelectorAll(TEXT)].flatMap(({ firstChild: node }) => (node === null ? [] : [node]));
  const text = pieces.map(({ textContent }) => textContent ?? '').join('');
  const ranges: Range[] = [];
  let [piece, start] = [0, 0];
  for (const { 0: word, index } of text.matchAll(finder)) {
    const end = index + word.length;
    for (let at = index; at < end && ranges.length < MOST;) {
      while (start + lengthOf(pieces[piece]) <= at) start += lengthOf(pieces[piece++]);
      const [node, to] = [pieces[piece]!, Math.min(end, start + lengthOf(pieces[piece]))];
      const range = new Range();
      range.setStart(node, at - start);
      range.setEnd(node, to - start);
      ranges.push(range);
      at = to;
    }
  }
  return ranges;
}

function lengthOf(node: Node | undefined): number {
  return node?.textContent?.length ?? Infinity;
}
