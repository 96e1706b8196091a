/** Pieces of shown text carry the place at which they begin; a named character stands for one. Null beside a text. */
function textPlace(node: Node, offset: number): number | null {
  if (node instanceof Text) {
    const piece = node.parentElement?.closest<HTMLElement>('[data-from]');
    return piece == null ? null : startOf(piece) + (piece.dataset['named'] === undefined ? offset : 0);
  }
  if (!(node instanceof Element)) return null;
  // The border of an element, as after a double click at the end of a line: the child that it points at, or the end.
  const next = node.childNodes[offset];
  const piece =
    next instanceof Element ? (next.matches('[data-from]') ? next : next.querySelector('[data-from]')) : null;
  if (piece instanceof HTMLElement) return startOf(piece);
  const last = [...node.querySelectorAll<HTMLElement>('[data-from]')].at(-1);
  if (last === undefined) return null;
  return startOf(last) + (last.dataset['named'] === undefined ? (last.textContent?.length ?? 0) : 1);
}

/** What of a text is selected within an element, with its place; null unless the selection begins and ends in it. */
export function selectedText(frame: Element, text: string): { readonly text: string; readonly start: number } | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!frame.contains(range.startContainer) || !frame.contains(range.endContainer)) return null;
  const start = textPlace(range.startContainer, range.startOffset);
  const end = textPlace(range.endContainer, range.endOffset);
  return start === null || end === null || start >= end ? null : { text: text.slice(start, end), start };
}

function startOf(piece: HTMLElement): number {
  return Number(piece.dataset['from']);
}

/** The words selected in one block of the shown text. */
export function selectedWords(block: string, text: string): ReturnType<typeof selectedText> {
  const frame = document.querySelector(`[data-block="${CSS.escape(block)}"]`);
  return frame === null ? null : selectedText(frame, text);
}
