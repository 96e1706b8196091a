import { makeItem, type Item } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import { makeCriterion } from '../../pair/criterion.ts';
import { makePairer } from '../../pair/pair.ts';

/** A labelled stretch of a text, as one annotator marked it. */
export interface AnnotatedSpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** A document with the spans of each annotator: a list, which may be empty, or null where one did not annotate it. */
export interface SpanDocument {
  readonly id: string;
  readonly spans: readonly (readonly AnnotatedSpan[] | null)[];
  /** With it, overlap is counted in characters and not in UTF-16 units. */
  readonly text?: string | null;
}

export interface SpanMatchOptions {
  /** `exact`: the same place; `overlap`: any character in common; `iou`: common characters / all characters ≥ threshold. */
  readonly match?: 'exact' | 'overlap' | 'iou';
  /** For `iou`; 0.5 unless it is said. */
  readonly threshold?: number;
  /** False: a match may have different labels. */
  readonly labels?: boolean;
}

/** How many spans of two annotators match, one to one, so that as much as possible is matched; the order of the two does not matter. */
export type CountMatches = (a: readonly Item[], b: readonly Item[], text: string | null) => number;

export function spanMatcher({ match = 'exact', threshold = 0.5, labels = true }: SpanMatchOptions): CountMatches {
  if (!(threshold > 0 && threshold <= 1))
    throw new UsageError(
      `threshold ${threshold}: expected a share above 0 and up to 1`,
      'for any overlap: match: "overlap"',
    );
  const criterion = makeCriterion('match', {
    gate: labels ? ['label'] : [],
    similarity: match === 'exact' ? 'exact' : 'iou',
    threshold: match === 'overlap' ? 0 : threshold,
  });
  const pairer = makePairer({ accept: [criterion], assign: 'optimal', ties: 'content', partial: 1, unit: 'item' });
  return (a, b, text) => pairer.pair(a, b, undefined, text).pairs.length;
}

/** Spans as items for pairing; one without a place is refused. */
export function spanItems(spans: readonly AnnotatedSpan[], place: string): Item[] {
  return spans.map(({ start, end, label }, index) => {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start)
      throw new UsageError(
        `${place}: the span ${start}..${end} is no stretch of a text`,
        'start and end are offsets, end after start',
      );
    return makeItem({ kind: 'span', index, label, start, end });
  });
}
