import type { ReviewField } from '../recipe/review-section.ts';
import type { Rating } from '../stats/agreement/rating.ts';
import type { Judgement } from '../store/review-records.ts';
import type { FigureOptions } from './agreement-figures.ts';
import type { AgreementFigure } from './api.ts';
import { type ReviewedItem, reviewedItems } from './review-work.ts';
import { proposedFor } from './content.ts';
import { claimsOf, outcomeOf } from './outcomes.ts';
import { cellFault, fieldOf, isAnswerList, partsOf } from './questions.ts';
import { agreementOfUnits, COHEN, type RatedUnit, WEIGHTED_COHEN } from './rated-units.ts';
import { partOf, partsOfList, type ProposedById, proposedById } from './segments.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { isRating } from './vote.ts';

/** How far a model agrees with people on one question. */
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
export function judgeFigures(snapshot: ReviewSnapshot, { quick = false }: FigureOptions = {}): JudgeFigure[] {
  const byField = Map.groupBy(snapshot.judgements, ({ field }) => field);
  return Object.keys(snapshot.form.fields).flatMap((name) => {
    const field = fieldOf(snapshot.form, name)!;
    const said = byField.get(name) ?? [];
    if (field.type === 'text' || said.length === 0) return [];
    const newest = said.reduce((last, one) => (one.seq > last.seq ? one : last));
    const judges = [...Map.groupBy(said, ({ judge }) => judge).values()];
    const lastOf = (own: readonly Judgement[]): number => Math.max(...own.map(({ seq }) => seq));
    return judges
      .toSorted((a, b) => lastOf(b) - lastOf(a))
      .map((own) => figureOf(snapshot, name, field, own, newest, quick));
  });
}

function figureOf(
  snapshot: ReviewSnapshot,
  name: string,
  field: ReviewField,
  said: readonly Judgement[],
  newest: Judgement,
  quick: boolean,
): JudgeFigure {
  const [{ model, promptHash }] = [said[0]!];
  const expired = said[0]!.judge === newest.judge ? null : whyExpired({ model, promptHash }, newest);
  const { units, items, left } = compared(snapshot, name, field, said);
  const coefficient = field.type === 'scale' ? WEIGHTED_COHEN : COHEN;
  const found =
    expired === null
      ? agreementOfUnits(units, coefficient, { resamples: quick ? 200 : 1000, ...pointsOf(field) })
      : { value: null, undefined: `it has expired: ${expired}`, n: 0, interval: null, noInterval: null, notes: [] };
  return {
    field: name,
    part: null,
    title: field.title,
    coefficient: coefficient.name,
    value: found.value,
    undefined:
      units.length === 0 && expired === null ? 'people have settled nothing that the model answered' : found.undefined,
    n: found.n,
    raters: 2,
    interval: found.interval,
    noInterval: found.interval === null ? (found.noInterval ?? 'there is no value') : null,
    target: null,
    met: null,
    growth: [],
    model,
    expired,
    notes: [
      ...(expired === null ? [`on ${items} ${items === 1 ? 'item' : 'items'}`] : []),
      ...(left > 0 && expired === null
        ? [`of the model’s answers ${left} have nothing settled to be compared with, and leave`]
        : []),
      ...found.notes,
    ],
  };
}

const MOST_POINTS = 1000;

/** Weights count the steps of the scale, also over points that nobody gave. */
function pointsOf(field: ReviewField): { readonly categories?: readonly number[] } {
  if (field.type !== 'scale' || field.to - field.from > MOST_POINTS) return {};
  return { categories: Array.from({ length: field.to - field.from + 1 }, (_, at) => field.from + at) };
}

function whyExpired(before: Pick<Judgement, 'model' | 'promptHash'>, now: Judgement): string {
  if (before.model === now.model)
    return before.promptHash === now.promptHash ? 'the settings have changed' : 'the prompt has changed';
  return before.promptHash === now.promptHash ? 'the model has changed' : 'the model and the prompt have changed';
}

interface Compared {
  readonly units: readonly RatedUnit[];
  readonly items: number;
  readonly left: number;
}

/** People's outcomes beside the model's answers, item by item; the last answer of the model to a question holds. */
function compared(snapshot: ReviewSnapshot, name: string, field: ReviewField, said: readonly Judgement[]): Compared {
  const byItem = Map.groupBy(
    said.toSorted((a, b) => a.seq - b.seq),
    ({ itemId }) => itemId,
  );
  const units: RatedUnit[] = [];
  let left = 0;
  for (const reviewed of reviewedItems(snapshot)) {
    const own = byItem.get(reviewed.item.id);
    if (own === undefined) continue;
    const answers =
      field.type === 'items'
        ? labelsOf(reviewed, name, own)
        : ratingsOf(own.filter((one) => cellFault(snapshot.form, one) === null));
    const settled = settledOn(snapshot, reviewed, name, field);
    const rows = [...answers].flatMap(([part, rating]) => {
      const outcome = settled.get(part) ?? null;
      return outcome === null ? [] : [[outcome, rating]];
    });
    left += answers.size - rows.length;
    if (rows.length > 0) units.push({ at: '', rows });
  }
  return { units, items: units.length, left };
}

function settledOn(
  snapshot: ReviewSnapshot,
  { item }: ReviewedItem,
  name: string,
  field: ReviewField,
): Map<string | null, Rating | null> {
  if (field.type === 'items')
    return new Map(claimsOf(snapshot, item.id, name).map((claim) => [claim.part, claim.label]));
  return new Map(
    partsOf(field).map((part) => {
      const { value } = outcomeOf(snapshot, item.id, name, part);
      return [part, cellFault(snapshot.form, { field: name, part, value }) === null ? value : null];
    }),
  );
}

function ratingsOf(said: readonly Judgement[]): Map<string | null, Rating> {
  return new Map(said.flatMap(({ part, value }) => (isRating(value) ? [[part, value]] : [])));
}

/** A model labels a whole list at once, or thing by thing: by place, or by the id of what was proposed. */
function labelsOf({ item }: ReviewedItem, name: string, said: readonly Judgement[]): Map<string | null, Rating> {
  const proposed = proposedById(proposedFor(item, name));
  const labels = new Map<string | null, Rating>();
  for (const { part, value } of said) {
    if (isAnswerList(value)) {
      const parts = partsOfList(value, proposed);
      for (const [at, { label }] of value.entries()) if (label !== null) labels.set(parts[at]!, label);
    } else if (part !== null && isRating(value)) labels.set(placeOfProposed(part, proposed), value);
  }
  return labels;
}

function placeOfProposed(part: string, proposed: ProposedById): string {
  const one = proposed.get(part);
  return one === undefined ? part : partOf({ ...one, label: null, from: [one.id] }, proposed);
}
