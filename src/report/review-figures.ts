import type { Sureness } from '../measure/results.ts';
import type { ReviewField } from '../recipe/review-section.ts';
import { claimsOf, committedRatings, outcomeOf } from '../review/outcomes.ts';
import { partsOf } from '../review/questions.ts';
import { type ReviewedItem, reviewedItems } from '../review/review-work.ts';
import type { ReviewSnapshot } from '../review/snapshot.ts';
import type { Rating } from '../stats/agreement/rating.ts';
import { bootstrap } from '../stats/bootstrap.ts';

/** What people said to one question about one system's answers, or about the cases (system null). */
export interface QuestionFigures {
  readonly question: string;
  readonly title: string;
  readonly type: ReviewField['type'];
  readonly system: string | null;
  readonly rows: readonly AnswerFigure[];
  /** Answers on which people are divided, or too few have said anything: in no share. */
  readonly unsettled: number;
}

/** The share of a label or tick among what is settled, or the mean of the ratings given. */
export interface AnswerFigure extends Sureness {
  readonly kind: 'share' | 'mean';
  /** A label, a tick or a dimension by its name; null for a scale as a whole. */
  readonly name: string | null;
  readonly title: string;
  readonly value: number | null;
  readonly undefined: string | null;
  /** How often the label was given, of `n`; for a mean both are the number of ratings. */
  readonly count: number;
  readonly n: number;
  /** What is resampled. */
  readonly items: number;
}

/** One item's share of a sum. */
interface Part {
  readonly sum: number;
  readonly n: number;
}

const RESAMPLES = 2000;

/** Every question that can be counted, system by system, over committed answers and after adjudication. */
export function questionFigures(snapshot: ReviewSnapshot): QuestionFigures[] {
  const reviewed = reviewedItems(snapshot);
  return Object.entries(snapshot.form.fields).flatMap(([question, field]) => {
    if (field.type === 'text') return [];
    const items = reviewed.filter(({ item }) => item.kind === field.of && asksIn(field, item.language));
    const bySystem = Map.groupBy(items, ({ item }) => (field.of === 'case' ? null : item.system));
    return [...bySystem].map(([system, own]) => ({
      question,
      title: field.title,
      type: field.type,
      system,
      ...figuresOf(snapshot, question, field, own),
    }));
  });
}

function asksIn({ languages }: ReviewField, language: string | null): boolean {
  return languages.length === 0 || (language !== null && languages.includes(language));
}

type CountedField = Exclude<ReviewField, { readonly type: 'text' }>;

function figuresOf(
  snapshot: ReviewSnapshot,
  question: string,
  field: CountedField,
  items: readonly ReviewedItem[],
): Pick<QuestionFigures, 'rows' | 'unsettled'> {
  switch (field.type) {
    case 'scale':
      return { rows: scaleRows(question, field, items), unsettled: 0 };
    case 'choice': {
      const settled = items.map(({ item }) => [outcomeOf(snapshot, item.id, question, null)]);
      return labelRows(
        settled.map((own) => own.filter(({ raters, how }) => raters > 0 || how === 'adjudicated')),
        field.options,
      );
    }
    case 'items': {
      const settled = items.map(({ item }) =>
        claimsOf(snapshot, item.id, question).map(({ label }) => ({ value: label })),
      );
      return labelRows(settled, field.labels);
    }
    case 'checklist':
      return tickRows(snapshot, question, field.items, items);
  }
}

type Titles = Readonly<Record<string, { readonly title: string }>>;

/** One row a label; an answer of null is not settled. */
function labelRows(
  settled: readonly (readonly { readonly value: Rating | null }[])[],
  labels: Titles,
): Pick<QuestionFigures, 'rows' | 'unsettled'> {
  const given = settled.map((own) => own.flatMap(({ value }) => (value === null ? [] : [String(value)])));
  const unsettled = settled.flat().filter(({ value }) => value === null).length;
  const rows = Object.entries(labels).map(([name, { title }]) =>
    figure(
      'share',
      name,
      title,
      given.map((own) => ({ sum: own.filter((label) => label === name).length, n: own.length })),
      'nothing is settled yet',
    ),
  );
  return { rows, unsettled };
}

function tickRows(
  snapshot: ReviewSnapshot,
  question: string,
  ticks: Titles,
  items: readonly ReviewedItem[],
): Pick<QuestionFigures, 'rows' | 'unsettled'> {
  let unsettled = 0;
  const rows = Object.entries(ticks).map(([name, { title }]) => {
    const parts = items.map(({ item }): Part => {
      const { value, raters, how } = outcomeOf(snapshot, item.id, question, name);
      if (value === null && (raters > 0 || how === 'adjudicated')) unsettled += 1;
      return typeof value === 'boolean' ? { sum: Number(value), n: 1 } : { sum: 0, n: 0 };
    });
    return figure('share', name, title, parts, 'nothing is settled yet, or it applies nowhere');
  });
  return { rows, unsettled };
}

function scaleRows(
  question: string,
  field: Extract<ReviewField, { readonly type: 'scale' }>,
  items: readonly ReviewedItem[],
): AnswerFigure[] {
  const parts = partsOf(field);
  const of = (wanted: readonly (string | null)[], name: string | null, title: string): AnswerFigure =>
    figure(
      'mean',
      name,
      title,
      items.map((reviewed) => {
        const ratings = wanted
          .flatMap((part) => committedRatings(reviewed, question, part))
          .filter((one) => typeof one === 'number');
        return { sum: ratings.reduce((sum, one) => sum + one, 0), n: ratings.length };
      }),
      'nobody has rated it yet',
    );
  const dimensions = parts.flatMap((part) =>
    part === null
      ? []
      : [of([part], part, Object.hasOwn(field.dimensions, part) ? field.dimensions[part]!.title : part)],
  );
  return [of(parts, null, field.title), ...dimensions];
}

/** Σ sums / Σ ns over the items; its interval from resamples of whole items, whose parts hang together. */
function figure(
  kind: AnswerFigure['kind'],
  name: string | null,
  title: string,
  all: readonly Part[],
  nothing: string,
): AnswerFigure {
  const parts = all.filter(({ n }) => n > 0);
  const sum = (own: readonly Part[], of: (part: Part) => number): number =>
    own.reduce((total, one) => total + of(one), 0);
  const n = sum(parts, (part) => part.n);
  const found = bootstrap(parts, {
    resamples: RESAMPLES,
    statistic: (drawn) => sum(drawn, (part) => part.sum) / sum(drawn, (part) => part.n),
  });
  const { low, high, level, method, value, note } = found;
  return {
    kind,
    name,
    title,
    value,
    undefined: value === null ? nothing : null,
    interval: low === null || high === null ? null : { low, high, level, method },
    noInterval:
      low === null || high === null ? (value === null ? 'there is no value' : (note ?? 'no reason was given')) : null,
    count: kind === 'share' ? sum(parts, (part) => part.sum) : n,
    n,
    items: parts.length,
  };
}
