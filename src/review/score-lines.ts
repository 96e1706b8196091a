import type { ServerScore } from '../langfuse/client/answers.ts';
import { compareNatural } from '../text/compare.ts';
import type { ReviewLine } from './review-lines.ts';
import { NOTHING, type ScoredQuestion, scoredQuestions, traceOfItem } from './review-scores.ts';
import type { ReviewSnapshot } from './snapshot.ts';

interface ScoredLines {
  readonly lines: readonly ReviewLine[];
  /** Annotations on traces of the review that are answers to none of its questions. */
  readonly others: number;
}

/**
 * The answers that scores on the traces of a review hold: those that were sent there from it, as they were, and those that
 * people gave in Langfuse by the same configs, under the id of their author. What has been sent for another review of the
 * same items is left alone.
 */
export function linesOfScores(snapshot: ReviewSnapshot, scores: readonly ServerScore[]): ScoredLines {
  const items = new Map(snapshot.items.map((item) => [item.id, item]));
  const byTrace = new Map(snapshot.items.map((item) => [traceOfItem(snapshot, item), item]));
  const questions = new Map(scoredQuestions(snapshot.form).map((one) => [one.config.name, one]));
  let others = 0;
  const lines = scores.flatMap((score): ReviewLine[] => {
    const { metadata, name, source, subject } = score;
    if (source !== 'ANNOTATION') return [];
    const review = textAt(metadata, 'review');
    if (review !== null && review !== snapshot.review.name) return [];
    const item = items.get(textAt(metadata, 'item') ?? '') ?? byTrace.get(subject?.traceId ?? subject?.id ?? '');
    const question = questions.get(name);
    const value = question === undefined ? null : answerOf(question, score);
    if (item === undefined || question === undefined || value === null) {
      others += 1;
      return [];
    }
    const { caseId: case_id, system, language } = item;
    const role = textAt(metadata, 'role') === 'adjudicator' ? 'adjudicator' : 'reviewer';
    const isThing = question.declared.type === 'items';
    return [
      {
        case_id,
        system,
        language,
        reviewer: textAt(metadata, 'reviewer') ?? score.authorUserId ?? 'unknown',
        role,
        field: question.field,
        part: isThing ? textAt(metadata, 'part') : question.part,
        value,
        text: isThing ? (textAt(metadata, 'text') ?? (value === false ? null : score.comment)) : null,
        because: role === 'adjudicator' && hasReason(question, score) ? score.comment : null,
        at: textAt(metadata, 'at') ?? score.timestamp,
      },
    ];
  });
  const fields = Object.keys(snapshot.form.fields);
  const placeOf = ({ case_id, system, language, role, reviewer, field, part }: ReviewLine): string =>
    [
      case_id,
      system ?? '',
      language ?? '',
      role === 'adjudicator' ? 1 : 0,
      reviewer,
      fields.indexOf(field),
      part ?? '',
    ].join('\0');
  return { lines: lines.toSorted((a, b) => compareNatural(placeOf(a), placeOf(b))), others };
}

/** The comment of an adjudicator's score is the reason, unless it is the text itself. */
function hasReason({ declared }: ScoredQuestion, { metadata, value }: ServerScore): boolean {
  if (declared.type === 'items') return value === NOTHING || textAt(metadata, 'text') !== null;
  return declared.type !== 'text' || textAt(metadata, 'value') !== null;
}

function answerOf({ declared, config }: ScoredQuestion, score: ServerScore): ReviewLine['value'] | null {
  const { value, dataType, metadata, comment } = score;
  if (dataType !== config.dataType) return null;
  if (declared.type === 'scale') return typeof value === 'number' ? value : null;
  if (dataType === 'BOOLEAN') return value === true || value === 1;
  if (typeof value !== 'string') return null;
  switch (declared.type) {
    case 'checklist':
      return value === 'yes' ? true : value === 'no' ? false : value;
    case 'items':
      return value === NOTHING && !Object.hasOwn(declared.labels, NOTHING) ? false : value;
    case 'text':
      return textAt(metadata, 'value') ?? (isCutOf(value, comment) ? comment : value);
    case 'choice':
      return value;
  }
}

/** Whether a text is the beginning of the comment, with the sign of an omission at its end. */
function isCutOf(value: string, comment: string | null): comment is string {
  return comment !== null && value.endsWith('…') && comment.startsWith(value.slice(0, -1));
}

function textAt(metadata: ServerScore['metadata'], key: string): string | null {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return typeof value === 'string' ? value : null;
}
