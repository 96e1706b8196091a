/** Scrolls a pane so that an element in it is seen, and never the page around it. */
export function scrollPane(
  pane: Element | null | undefined,
  element: Element | null | undefined,
  margin: number,
): void {
  if (pane == null || element == null) return;
  const [outer, inner] = [pane.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top + margin) pane.scrollTop -= outer.top + margin - inner.top;
  else if (inner.bottom > outer.bottom - margin) pane.scrollTop += inner.bottom - outer.bottom + margin;
}
