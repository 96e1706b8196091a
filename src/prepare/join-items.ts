import type { Item } from '../data/item.ts';

/** Several items as one: the record of the first stands for all, and `parts` names every one of them. */
export function joinItems(items: readonly Item[], end: number, text: string): Item {
  return { ...items[0]!, end, text, parts: items.flatMap((item) => item.parts ?? [item.index]) };
}

/**
 * Joins each span to the one before it in the list where both have one label and the test says so. The end is the last
 * one's and the texts are strung together: only for reproducing programs that did so.
 */
export function joinRuns(items: readonly Item[], joins: (last: Item, item: Item) => boolean): Item[] {
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const placed = last !== undefined && last.start >= 0 && item.start >= 0;
    if (placed && last.label === item.label && joins(last, item)) run?.push(item);
    else runs.push([item]);
  }
  return runs.map((run) =>
    run.length === 1 ? run[0]! : joinItems(run, run.at(-1)!.end, run.map(({ text }) => text).join('')),
  );
}
