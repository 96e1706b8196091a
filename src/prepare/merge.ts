import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { codePointLength } from '../text/characters.ts';
import { compareText } from '../text/compare.ts';
import { joinItems } from './join-items.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep, sideParam } from './step.ts';

const params = z.strictObject({
  /** Longest gap, in characters of white space or punctuation, over which neighbours become one. */
  gap: z.number().int().min(0).default(1),
  side: sideParam.default('predicted'),
  /** Only these labels; none means all. */
  labels: z.array(z.string()).default([]),
});

const GAP = /^[\s\p{P}]*$/u;

/** Neighbours of one label become one span; its text is the slice of the document, never a concatenation. */
export const merge = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'merge',
  about: 'neighbours of one label with at most a small gap become one span; the text is the slice',
  params,
  step({ gap, side, labels }) {
    const wanted = labels.length === 0 ? null : new Set(labels);
    return (given) =>
      onSide(given, side, (items) => (items.length < 2 ? items : merged(items, given.text, given.id, gap, wanted)));
  },
});

interface Run {
  readonly items: Item[];
  end: number;
}

function merged(
  items: readonly Item[],
  text: string | null,
  caseId: string,
  gap: number,
  wanted: ReadonlySet<string> | null,
): readonly Item[] {
  const out: Item[] = [];
  /** Where the last span of each label stands in `out`: neighbours are looked for within a label, whatever lies between. */
  const last = new Map<string, number>();
  /** Runs of more than one, by the place of their first. */
  const runs = new Map<number, Run>();
  for (const item of items.toSorted(byPlace)) {
    if (item.start < 0 || (wanted !== null && !wanted.has(item.label))) {
      out.push(item);
      continue;
    }
    const at = last.get(item.label);
    const end = at === undefined ? -1 : (runs.get(at)?.end ?? out[at]!.end);
    if (at === undefined || !joins(end, item, text, gap, caseId)) {
      last.set(item.label, out.length);
      out.push(item);
      continue;
    }
    const run = runs.get(at);
    if (run === undefined) runs.set(at, { items: [out[at]!, item], end: Math.max(end, item.end) });
    else {
      run.items.push(item);
      run.end = Math.max(end, item.end);
    }
  }
  if (text === null || runs.size === 0) return items;
  for (const [at, run] of runs) out[at] = joinItems(run.items, run.end, text.slice(out[at]!.start, run.end));
  return out;
}

function joins(end: number, item: Item, text: string | null, gap: number, caseId: string): boolean {
  // A character is one or two UTF-16 units.
  if (item.start - end > 2 * gap) return false;
  if (text === null) {
    throw new UsageError(
      `case ${caseId} has no text: merge cannot see what lies between its spans`,
      'give the texts with --cases, or leave the spans as they are: --set prepare.merge=off',
    );
  }
  if (item.start <= end) return true;
  const between = text.slice(end, item.start);
  return GAP.test(between) && codePointLength(between) <= gap;
}

/** Document order, with a total order among equals so that the input's order never shows. */
function byPlace(a: Item, b: Item): number {
  return (
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.label, b.label) ||
    (a.fields === b.fields ? 0 : compareText(JSON.stringify(a.fields), JSON.stringify(b.fields))) ||
    a.index - b.index
  );
}
