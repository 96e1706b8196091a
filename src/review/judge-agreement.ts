import type { ReviewField } from '../recipe/review-section.ts';
import type { Rating } from '../stats/agreement/rating.ts';
import type { Judgement } from '../store/review-records.ts';
import { plural } from '../text/figures.ts';
import { agreementOfUnits, COHEN, type RatedUnit, WEIGHTED_COHEN } from './agreement-figures.ts';
import type { AgreementFigure } from './api.ts';
import { proposedFor } from './content.ts';
import { claimsOf, isRating, outcomeOf } from './outcomes.ts';
import { cellFault, isAnswerList, partsOf } from './questions.ts';
import { type ReviewedItem, reviewedItems } from './review-work.ts';
import { partOf, partsOfList, proposedById } from './segments.ts';
import type { ReviewSnapshot } from './snapshot.ts';

export interface JudgeFigure extends AgreementFigure {
  readonly model: string;
  /** Why it does not apply to the model and prompt in use now; null for that one. */
  readonly expired: string | null;
}

/**
 * Cohen's kappa between a model's answers and what people settled on (agreed, by majority, adjudicated, or by the one
 * person asked), for each question that a model was asked; on a scale with quadratic weights. What people left open, and
 * claims that the model or people cut differently, are not compared and are counted in the notes. Only the model and prompt
 * that answered last have a figure: one of an earlier model or prompt has expired.
 *
 * No other figure includes answers of a model.
 */
export function judgeFigures(snapshot: ReviewSnapshot, { quick = false } = {}): JudgeFigure[] {
  const byField = Map.groupBy(
    snapshot.judgements.toSorted((a, b) => b.seq - a.seq),
    ({ field }) => field,
  );
  return Object.entries(snapshot.form.fields).flatMap(([name, field]) => {
    const [newest, ...older] = byField.get(name) ?? [];
    if (field.type === 'text' || newest === undefined) return [];
    const judges = Map.groupBy([newest, ...older], ({ judge }) => judge).values();
    return [...judges].map((judgements) => figureOf(snapshot, name, field, judgements, newest, quick ? 200 : 1000));
  });
}

/** `judgements` are those of one model and prompt, newest first. */
function figureOf(
  snapshot: ReviewSnapshot,
  name: string,
  field: ReviewField,
  judgements: readonly Judgement[],
  newest: Judgement,
  resamples: number,
): JudgeFigure {
  const { judge, model, promptHash } = judgements[0]!;
  const coefficient = field.type === 'scale' ? WEIGHTED_COHEN : COHEN;
  const shared = {
    field: name,
    part: null,
    title: field.title,
    coefficient: coefficient.name,
    raters: 2,
    target: null,
    met: null,
    growth: [],
    model,
  };
  if (judge !== newest.judge) {
    const changed = [
      ...(model === newest.model ? [] : ['the model']),
      ...(promptHash === newest.promptHash ? [] : ['the prompt']),
    ];
    const expired = `${changed.join(' and ') || 'the settings'} ${changed.length === 1 ? 'has' : 'have'} changed`;
    const why = `it has expired: ${expired}`;
    return {
      ...shared,
      value: null,
      undefined: why,
      n: 0,
      interval: null,
      noInterval: 'there is no value',
      expired,
      notes: [],
    };
  }
  const { units, left } = compareAnswers(snapshot, name, field, judgements.toReversed());
  const agreement = agreementOfUnits(units, coefficient, { resamples, ...pointsOf(field) });
  return {
    ...shared,
    ...agreement,
    undefined: units.length === 0 ? 'people have settled nothing that the model answered' : agreement.undefined,
    noInterval: agreement.interval === null ? (agreement.noInterval ?? 'there is no value') : null,
    expired: null,
    notes: [
      `on ${plural(units.length, 'item')}`,
      ...(left > 0 ? [`of the model’s answers ${left} have nothing settled to be compared with, and leave`] : []),
      ...agreement.notes,
    ],
  };
}

const MOST_POINTS = 1000;

/** Weights count the steps of the scale, also over points that nobody gave. */
function pointsOf(field: ReviewField): { readonly categories?: readonly number[] } {
  if (field.type !== 'scale' || field.to - field.from > MOST_POINTS) return {};
  return { categories: Array.from({ length: field.to - field.from + 1 }, (_, at) => field.from + at) };
}

/** People's outcomes beside the model's answers, item by item; the last answer of the model to a question holds. */
function compareAnswers(
  snapshot: ReviewSnapshot,
  name: string,
  field: ReviewField,
  judgements: readonly Judgement[],
): { readonly units: readonly RatedUnit[]; readonly left: number } {
  const byItem = Map.groupBy(judgements, ({ itemId }) => itemId);
  const units: RatedUnit[] = [];
  let left = 0;
  for (const [place, reviewed] of reviewedItems(snapshot).entries()) {
    const answers = answersTo(snapshot, reviewed, field, byItem.get(reviewed.item.id) ?? []);
    if (answers.size === 0) continue;
    const settled = settledOn(snapshot, reviewed, name, field);
    const rows = [...answers].flatMap(([part, rating]) => {
      const outcome = settled.get(part) ?? null;
      return outcome === null ? [] : [[outcome, rating]];
    });
    left += answers.size - rows.length;
    if (rows.length > 0) units.push({ place, at: '', rows });
  }
  return { units, left };
}

function settledOn(
  snapshot: ReviewSnapshot,
  { item }: ReviewedItem,
  name: string,
  field: ReviewField,
): Map<string | null, Rating | null> {
  if (field.type === 'items') return new Map(claimsOf(snapshot, item.id, name).map(({ part, label }) => [part, label]));
  return new Map(
    partsOf(field).map((part) => {
      const { value } = outcomeOf(snapshot, item.id, name, part);
      return [part, cellFault(snapshot.form, { field: name, part, value }) === null ? value : null];
    }),
  );
}

/** Of things: a model labels a whole list at once, or thing by thing, by place or by the id of what was proposed. */
function answersTo(
  { form }: ReviewSnapshot,
  { item }: ReviewedItem,
  { type }: ReviewField,
  judgements: readonly Judgement[],
): Map<string | null, Rating> {
  const answers = new Map<string | null, Rating>();
  for (const judgement of judgements) {
    const { field, part, value } = judgement;
    const proposed = proposedById(type === 'items' ? proposedFor(item, field) : []);
    if (type === 'items' && isAnswerList(value)) {
      const parts = partsOfList(value, proposed);
      for (const [at, { label }] of value.entries()) if (label !== null) answers.set(parts[at]!, label);
    } else if (type === 'items' && part !== null && isRating(value)) {
      const { kind: _, ...thing } = proposed.get(part) ?? {};
      answers.set('id' in thing ? partOf({ ...thing, label: null, from: [thing.id] }, proposed) : part, value);
    } else if (type !== 'items' && isRating(value) && cellFault(form, judgement) === null) answers.set(part, value);
  }
  return answers;
}
