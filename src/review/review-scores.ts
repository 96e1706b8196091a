import { hash } from 'node:crypto';

import { isRecord } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import { scoreIdOf, traceIdsOf } from '../experiment/run/item-trace.ts';
import type { WantedConfig } from '../langfuse/client/score-configs.ts';
import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type { ReviewItemRecord } from '../store/review-records.ts';
import { contentOf } from './content.ts';
import { fieldOf, partsOf } from './questions.ts';
import { type ReviewLine, reviewLines } from './review-lines.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** Langfuse takes no longer text as a value; the comment has all of it. */
const LONGEST_TEXT = 500;
const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/;

/** One person's answer to one question of one item, as a score on the item's trace. */
export interface ReviewScore {
  /** Made of review, item, person and question: the same again is the same score. */
  readonly id: string;
  readonly traceId: string;
  readonly name: string;
  readonly dataType: 'NUMERIC' | 'BOOLEAN' | 'CATEGORICAL' | 'TEXT';
  readonly value: number | string;
  readonly comment: string | null;
  readonly reviewer: string;
  readonly source: 'ANNOTATION';
  readonly metadata: Readonly<Record<string, string>>;
}

/** A trace that is made for an item whose answer came from none that is known. */
export interface ReviewTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly output: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export function reviewScores(snapshot: ReviewSnapshot): {
  readonly scores: readonly ReviewScore[];
  readonly traces: readonly ReviewTrace[];
} {
  const items = new Map(snapshot.items.map((item) => [keyOf(item.caseId, item.system, item.language), item]));
  const seen = new Map<string, number>();
  const scored = new Set<ReviewItemRecord>();
  const scores = reviewLines(snapshot).flatMap((line) => {
    const item = items.get(keyOf(line.case_id, line.system, line.language));
    if (item === undefined) return [];
    scored.add(item);
    const who = JSON.stringify([item.id, line.reviewer, line.role, line.field, line.part]);
    const times = (seen.get(who) ?? 0) + 1;
    seen.set(who, times);
    return [scoreOf(snapshot, item, line, times)];
  });
  const traces = [...scored].filter((item) => givenTrace(item) === null).map((item) => traceOf(snapshot, item));
  return { scores, traces };
}

function scoreOf(snapshot: ReviewSnapshot, item: ReviewItemRecord, line: ReviewLine, times: number): ReviewScore {
  const { review, form } = snapshot;
  const { reviewer, role, field, part, value, text, because } = line;
  const traceId = traceOfItem(snapshot, item);
  const declared = fieldOf(form, field);
  // A place in a text cannot be a name: every claim would be a separate kind of score.
  const name = scoreName(field, declared?.type === 'items' ? null : part);
  const isLong = declared?.type === 'text' && typeof value === 'string' && value.length > LONGEST_TEXT;
  const comment = because ?? line.note ?? (isLong ? value : text);
  return {
    id: scoreIdOf(traceId, JSON.stringify([review.id, item.id, reviewer, role, field, part, times])),
    traceId,
    name,
    ...valueOf(value, declared, part),
    comment,
    reviewer,
    source: 'ANNOTATION',
    metadata: {
      review: review.name,
      reviewer,
      role,
      item: item.id,
      case: item.caseId,
      field,
      ...(part === null ? {} : { part }),
      ...(line.at === null ? {} : { at: line.at }),
      // The comment has something else then.
      ...(text === null || comment === text ? {} : { text }),
      ...(isLong && comment !== value ? { value } : {}),
    },
  };
}

function valueOf(
  value: ReviewLine['value'],
  declared: ReviewField | null,
  part: string | null,
): Pick<ReviewScore, 'dataType' | 'value'> {
  if (typeof value === 'number') return { dataType: 'NUMERIC', value };
  if (declared?.type === 'checklist' && part !== null && declared.notApplicable.includes(part))
    return { dataType: 'CATEGORICAL', value: typeof value === 'boolean' ? (value ? 'yes' : 'no') : value };
  if (typeof value === 'boolean')
    return declared?.type === 'items'
      ? { dataType: 'CATEGORICAL', value: NOTHING }
      : { dataType: 'BOOLEAN', value: value ? 1 : 0 };
  return declared?.type === 'text'
    ? { dataType: 'TEXT', value: shorten(value, LONGEST_TEXT - 1) }
    : { dataType: 'CATEGORICAL', value };
}

function traceOf({ review }: ReviewSnapshot, item: ReviewItemRecord): ReviewTrace {
  const { traceId, rootId } = traceIdsOf(review.id, item.id, 1);
  const { blocks, under } = contentOf(item);
  const { kind, caseId, system, language } = item;
  return {
    traceId,
    spanId: rootId,
    name: `review ${review.name}`,
    input: Object.fromEntries(
      blocks.filter(({ name }) => name !== under || under === 'text').map(({ name, text }) => [name, text]),
    ),
    output: under === 'text' ? null : (blocks.find(({ name }) => name === under)?.text ?? null),
    metadata: {
      review: review.name,
      item: item.id,
      kind,
      case: caseId,
      ...(system === null ? {} : { system }),
      ...(language === null ? {} : { language }),
    },
  };
}

export function traceOfItem({ review }: Pick<ReviewSnapshot, 'review'>, item: ReviewItemRecord): string {
  return givenTrace(item) ?? traceIdsOf(review.id, item.id, 1).traceId;
}

/** The trace of the answer itself, if its source has one. */
function givenTrace({ hidden }: ReviewItemRecord): string | null {
  const traceId = isRecord(hidden) ? hidden['traceId'] : undefined;
  return typeof traceId === 'string' && TRACE_ID.test(traceId) ? traceId : null;
}

/** A case by itself is asked about once, whatever the language of its answers. */
function keyOf(caseId: string, system: string | null, language: string | null): string {
  return JSON.stringify(system === null ? [caseId] : [caseId, system, language]);
}

/** Langfuse takes no longer names. */
const LONGEST_NAME = 35;
const LONGEST_DESCRIPTION = 500;
const NAME_HASH = 6;

/** What stands for an answer that is no label: that there is nothing on a stretch. */
export const NOTHING = 'false';

/** A question, or the part of one, whose answers are scores of one name. */
export interface ScoredQuestion {
  readonly field: string;
  /** Null for a question that is answered as a whole, and for things: the places of claims are no names. */
  readonly part: string | null;
  readonly declared: ReviewField;
  readonly config: WantedConfig;
}

/** All questions of a form with the config of their scores: one name, one type. */
export function scoredQuestions(form: ReviewSection): ScoredQuestion[] {
  return Object.entries(form.fields).flatMap(([field, declared]) =>
    (declared.type === 'items' ? [null] : partsOf(declared)).map((part) => ({
      field,
      part,
      declared,
      config: configOf(field, part, declared),
    })),
  );
}

function configOf(field: string, part: string | null, declared: ReviewField): WantedConfig {
  const { title, help } = declared;
  const base = {
    name: scoreName(field, part),
    minValue: null,
    maxValue: null,
    categories: null,
    description: shorten([title, help].filter((text) => text !== '').join(' '), LONGEST_DESCRIPTION),
  };
  switch (declared.type) {
    case 'scale':
      return { ...base, dataType: 'NUMERIC', minValue: declared.from, maxValue: declared.to };
    case 'choice':
      return { ...base, dataType: 'CATEGORICAL', categories: numbered(Object.keys(declared.options)) };
    case 'checklist':
      return part !== null && declared.notApplicable.includes(part)
        ? { ...base, dataType: 'CATEGORICAL', categories: TICKS }
        : { ...base, dataType: 'BOOLEAN' };
    case 'items':
      return {
        ...base,
        dataType: 'CATEGORICAL',
        categories: numbered([...new Set([...Object.keys(declared.labels), NOTHING])]),
      };
    case 'text':
      return { ...base, dataType: 'TEXT' };
  }
}

const TICKS = [
  { label: 'yes', value: 1 },
  { label: 'no', value: 0 },
  { label: 'na', value: 2 },
] as const;

function numbered(labels: readonly string[]): { readonly label: string; readonly value: number }[] {
  return labels.map((label, value) => ({ label, value }));
}

/** A name that Langfuse takes for a config; a long one is cut, and told apart by a hash of the whole. */
export function scoreName(field: string, part: string | null): string {
  const whole = part === null ? `review_${field}` : `review_${field}.${part}`;
  if (whole.length <= LONGEST_NAME) return whole;
  return `${whole.slice(0, LONGEST_NAME - NAME_HASH - 1)}_${hash('sha256', whole).slice(0, NAME_HASH)}`;
}
