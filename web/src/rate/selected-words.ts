/** The words selected in one block of the shown text, with their place in it; null where nothing of it is selected. */
export function selectedWords(block: string, text: string): { readonly text: string; readonly start: number } | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const start = placeOf(range.startContainer, range.startOffset, block);
  const end = placeOf(range.endContainer, range.endOffset, block);
  if (start === null || end === null || start >= end) return null;
  return { text: text.slice(start, end), start };
}

/** Pieces of shown text carry the place at which they begin; a named character stands for one. */
function placeOf(node: Node, offset: number, block: string): number | null {
  const element = node instanceof Element ? node : node.parentElement;
  if (element?.closest(`[data-block="${CSS.escape(block)}"]`) == null) return null;
  const piece = element.closest('[data-from]') ?? element.querySelector('[data-from]');
  if (!(piece instanceof HTMLElement)) return null;
  const from = Number(piece.dataset['from']);
  if (node instanceof Text && piece.dataset['named'] === undefined) return from + offset;
  if (node instanceof Element) {
    // The border of an element, as after a double click at the end of a line: the child that it points at, or the end.
    const next = node.childNodes[offset];
    const nextPiece =
      next instanceof Element ? (next.matches('[data-from]') ? next : next.querySelector('[data-from]')) : null;
    if (nextPiece instanceof HTMLElement) return Number(nextPiece.dataset['from']);
    const last = [...node.querySelectorAll<HTMLElement>('[data-from]')].at(-1) ?? piece;
    return Number(last.dataset['from']) + (last.dataset['named'] === undefined ? (last.textContent?.length ?? 0) : 1);
  }
  return from;
}
