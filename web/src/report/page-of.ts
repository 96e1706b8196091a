/** The last page that begins at or before the row; null where none does. `pages`: the first row of each. */
export function pageOf(pages: readonly number[], row: number): number | null {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pages[middle] ?? Infinity) <= row) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : low - 1;
}
