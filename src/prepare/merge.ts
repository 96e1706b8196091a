import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { codePointLength } from '../text/characters.ts';
import { compareText } from '../text/compare.ts';
import { DisjointSets } from '../text/disjoint-sets.ts';
import { byPieces, type PiecedSpan, stretchesOf, placeOfPieces, textAt } from '../text/pieces.ts';
import type { Span } from '../text/span.ts';
import { onSide, prepareRule, sideParam } from './step.ts';

const GAP = /^[\s\p{P}]*$/u;

/**
 * Neighbours of one label become one span; its text is the slice of the document, never a concatenation. Spans in pieces
 * are neighbours if a piece of the one is a neighbour of a piece of the other, and keep the pieces that have none.
 */
export const merge = prepareRule({
  name: 'merge',
  about: 'neighbours of one label with at most a small gap become one span; the text is the slice',
  params: z.strictObject({
    gap: z.number().int().min(0).default(1).describe('longest gap, in characters of white space or punctuation'),
    side: sideParam.default('predicted'),
    labels: z.array(z.string()).default([]).describe('only these labels; none listed: all'),
  }),
  step({ gap, side, labels }) {
    const wanted = labels.length === 0 ? null : new Set(labels);
    return (given) => {
      const { id, text } = given;
      const joins = (end: number, start: number): boolean => {
        // A character is one or two UTF-16 units.
        if (start - end > 2 * gap) return false;
        if (text === null)
          throw new UsageError(
            `case ${id} has no text: merge cannot see what lies between its spans`,
            'give the texts with --cases, or leave the spans as they are: --set prepare.merge=off',
          );
        if (start <= end) return true;
        const between = text.slice(end, start);
        return GAP.test(between) && codePointLength(between) <= gap;
      };
      return onSide(given, side, (items) => {
        const sorted = items.toSorted(byContent);
        const groups = new DisjointSets();
        // Neighbours are looked for within a label, whatever lies between.
        const last = new Map<string, Run>();
        const runs: Run[] = [];
        for (const { at, start, end } of piecesInOrder(sorted)) {
          const { label } = sorted[at]!;
          if (start < 0 || (wanted !== null && !wanted.has(label))) continue;
          const run = last.get(label);
          if (run !== undefined && joins(run.end, start)) {
            groups.join(run.at, at);
            run.end = Math.max(run.end, end);
          } else {
            const next = { at, start, end };
            last.set(label, next);
            runs.push(next);
          }
        }
        const together = Map.groupBy(sorted.keys(), (at) => groups.rootOf(at));
        if (text === null || together.size === items.length) return items;
        const runsOf = Map.groupBy(runs, ({ at }) => groups.rootOf(at));
        return Array.from(together, ([root, places]) => {
          const place = placeOfPieces(runsOf.get(root) ?? []);
          const group = places.map((at) => sorted[at]!);
          return group.length === 1 || place === null ? group[0]! : joined(group, place, textAt(text, place));
        });
      });
    };
  },
});

/** A stretch that neighbours make together, and one of the items that it is of. */
interface Run extends Span {
  readonly at: number;
  end: number;
}

/** The pieces of items in text order, each with the position of its item. */
function piecesInOrder(items: readonly Item[]): readonly Readonly<Run>[] {
  const pieces = items.flatMap((item, at) => stretchesOf(item).map(({ start, end }) => ({ at, start, end })));
  return items.every(({ fragments }) => fragments === undefined) ? pieces : pieces.sort(byPieces);
}

/** Document order, with a total order among equals so that the input's order never shows. */
function byContent(a: Item, b: Item): number {
  return (
    byPieces(a, b) ||
    compareText(a.label, b.label) ||
    (a.fields === b.fields ? 0 : compareText(JSON.stringify(a.fields), JSON.stringify(b.fields))) ||
    a.index - b.index
  );
}

/** Several items as one: the record of the first stands for all, and `parts` names every one of them. */
function joined(items: readonly Item[], place: PiecedSpan, text: string): Item {
  const { fragments: _, ...first } = items[0]!;
  return { ...first, ...place, text, parts: items.flatMap((one) => one.parts ?? [one.index]) };
}

/**
 * Joins each span to the one before it in the list if both have one label and the test passes. The end is the last
 * one's and the texts are strung together: only for reproducing programs that did so.
 */
function joinRuns(items: readonly Item[], joins: (last: Item, item: Item) => boolean): Item[] {
  const runs: Item[][] = [];
  for (const item of items) {
    const last = runs.at(-1)?.at(-1);
    const isNext = last !== undefined && last.start >= 0 && item.start >= 0 && last.label === item.label;
    if (isNext && joins(last, item)) runs.at(-1)!.push(item);
    else runs.push([item]);
  }
  return runs.map((run) => {
    const [first] = run;
    const isWhole = run.every(({ fragments }) => fragments === undefined);
    const whole = { start: first!.start, end: run.at(-1)!.end };
    const place = isWhole ? whole : (placeOfPieces(run.flatMap(stretchesOf)) ?? whole);
    return run.length === 1 ? first! : joined(run, place, run.map(({ text }) => text).join(''));
  });
}

/**
 * Merging as a published program did it: in the order of the input, compared only with the one directly before, whatever
 * its label, the end taken from the next even where that is earlier, and the text a concatenation. Kept to reproduce
 * published figures.
 */
export const mergeInOrder = prepareRule({
  name: 'merge-in-order',
  about: 'reproduces a published program: merges in input order, text concatenated; prefer merge',
  params: z.strictObject({
    labels: z.array(z.string()).describe('labels whose spans are merged'),
    slack: z.number().int().default(1).describe('largest distance from the end of one to the start of the next'),
  }),
  readsOrder: true,
  step: ({ labels, slack }) => {
    const joins = (last: Item, item: Item): boolean => labels.includes(item.label) && last.end >= item.start - slack;
    return (given) => onSide(given, 'predicted', (items) => joinRuns(items, joins));
  },
});

/**
 * Sorted by start, same-label neighbours become one when the next text is empty, begins in lower case or with a mark
 * of the list. The text is a concatenation, as in the published program this reproduces.
 */
export const mergeContinued = prepareRule({
  name: 'merge-continued',
  about: 'reproduces a published program: joins a neighbour whose text looks like a continuation; prefer merge',
  params: z.strictObject({
    gap: z.number().int().default(1).describe('largest distance from the end of one to the start of the next'),
    starts: z
      .array(z.string())
      .default([' ', '.', ',', '-'])
      .describe('beginnings of a text that continues the one before'),
  }),
  readsOrder: true,
  step({ gap, starts }) {
    const joins = (last: Item, { start, text }: Item): boolean => {
      const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
      const isSmall = first === first.toLowerCase() && first !== first.toUpperCase();
      return start - last.end <= gap && (text === '' || starts.includes(first) || isSmall);
    };
    const byStart = (a: Item, b: Item): number => a.start - b.start;
    return (given) => onSide(given, 'predicted', (items) => joinRuns(items.toSorted(byStart), joins));
  },
});
