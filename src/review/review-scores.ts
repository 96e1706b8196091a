import { isRecord } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import { scoreIdOf, traceIdsOf } from '../experiment/run/item-trace.ts';
import type { ReviewField } from '../recipe/review-section.ts';
import type { ReviewItemRecord } from '../store/review-records.ts';
import { fieldOf } from './questions.ts';
import { NOTHING, scoreName } from './review-configs.ts';
import type { ReviewLine } from './review-line.ts';
import { reviewLines } from './review-lines.ts';
import { contentOf } from './content.ts';
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

/** The scores of a review, and the traces that have to be made for them. */
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

/** The value in the type that all answers to the question have. */
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

/** The trace that the scores of an item are on. */
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
