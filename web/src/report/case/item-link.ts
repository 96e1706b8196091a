/**
 * The address of an item: what the page shows now, with that item selected.
 *
 * @example itemHref('#view=cases&case=J001', '0.gold.span.3') // '#view=cases&case=J001&item=0.gold.span.3'
 */
export function itemHref(hash: string, key: string | null): string {
  const state = new URLSearchParams(hash.replace(/^#/, ''));
  if (key === null) state.delete('item');
  else state.set('item', key);
  return `#${state.toString()}`;
}
