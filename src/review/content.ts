import { z } from 'zod';

import { damagedCell } from '../store/cells.ts';
import type { ReviewItemRecord } from '../store/review-records.ts';

const text = z.string();

const proposedItem = z
  .object({
    id: text,
    /** UTF-16 place in the block under review; -1 if it has none. */
    start: z.number(),
    end: z.number(),
    text,
    /** What the system called it, if it did: a PII label, an entity type. */
    kind: text.nullable().default(null),
    /** Further facts in words: polarity, source and target of a relationship. */
    facts: z.record(text, text).default({}),
    /** Ids of the passages that share most words with it, best first: a suggestion, never a label. */
    passages: z.array(text).readonly().default([]),
  })
  .readonly();

const block = z.object({ name: text, title: text, text }).readonly();
const passage = z.object({ id: text, source: text.nullable(), text }).readonly();

/**
 * What of an item is put before a reviewer: nothing here names a system, a gold label or an automatic score, and whatever
 * else may have got into the content of an item stays behind.
 */
const content = z
  .object({
    /** Short words that tell items apart in a queue: the beginning of the text. */
    title: text.default(''),
    language: text.nullable().default(null),
    blocks: z.array(block).readonly().default([]),
    /** Name of the block that places (`start`, `end`) are in; null if absent. */
    under: text.nullable().default(null),
    /** By field of the type `items`: what is to be labelled. */
    proposed: z.record(text, z.array(proposedItem).readonly()).readonly().default({}),
    passages: z.array(passage).readonly().default([]),
  })
  .readonly();

export type ReviewContent = z.infer<typeof content>;
export type ContentBlock = z.infer<typeof block>;
export type ContentPassage = z.infer<typeof passage>;
export type ProposedItem = z.infer<typeof proposedItem>;
export type Proposed = Pick<ProposedItem, 'id' | 'start' | 'end' | 'text'> & Partial<Pick<ProposedItem, 'kind'>>;

const read = new WeakMap<object, ReviewContent>();

/** Read once for each record, which never changes. */
export function contentOf(item: Pick<ReviewItemRecord, 'content'>): ReviewContent {
  const known = read.get(item);
  if (known !== undefined) return known;
  const result = content.safeParse(item.content);
  if (!result.success) return damagedCell('content');
  read.set(item, result.data);
  return result.data;
}

export function proposedFor(item: Pick<ReviewItemRecord, 'content'>, field: string): readonly ProposedItem[] {
  const { proposed } = contentOf(item);
  return Object.hasOwn(proposed, field) ? proposed[field]! : [];
}

/** The text that places are in; null if absent. */
export function textUnderReview(item: Pick<ReviewItemRecord, 'content'>): string | null {
  const { blocks, under } = contentOf(item);
  return blocks.find(({ name }) => name === under)?.text ?? null;
}
