/**
 * What of a text is selected within an element, as the text itself has it: with the characters that are shown by name and
 * without the names of bars. Null where the selection does not begin and end in it.
 */
export function copiedText(frame: HTMLElement, text: string): string | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!frame.contains(range.commonAncestorContainer)) return null;
  const start = placeOf(range.startContainer, range.startOffset);
  const end = placeOf(range.endContainer, range.endOffset);
  return start === null || end === null || start >= end ? null : text.slice(start, end);
}

/** Pieces of shown text carry the place at which they begin. */
function placeOf(node: Node, offset: number): number | null {
  if (node instanceof Text) {
    const piece = node.parentElement?.closest<HTMLElement>('[data-from]');
    if (piece == null) return null;
    return Number(piece.dataset['from']) + (piece.dataset['named'] === undefined ? offset : 0);
  }
  if (!(node instanceof Element)) return null;
  const next = node.childNodes[offset];
  const within = next instanceof Element ? firstPiece(next) : null;
  if (within !== null) return Number(within.dataset['from']);
  const last = [...node.querySelectorAll<HTMLElement>('[data-from]')].at(-1);
  if (last === undefined) return null;
  return Number(last.dataset['from']) + (last.dataset['named'] === undefined ? (last.textContent?.length ?? 0) : 1);
}

function firstPiece(element: Element): HTMLElement | null {
  const piece = element.matches('[data-from]') ? element : element.querySelector('[data-from]');
  return piece instanceof HTMLElement ? piece : null;
}
