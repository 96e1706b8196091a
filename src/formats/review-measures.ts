import { isRecord } from '../data/record-fields.ts';
import { directionOfWords } from './direction-of-words.ts';
import type { Direction } from '../measure/measure.ts';
import { buildMeasures } from '../measure/measures.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Described, ReviewField, ReviewSection } from '../recipe/review-section.ts';
import { formatOf } from './case-formats.ts';

/** Items that people's answers are, and the descriptions of the measures over them. */
const SIDES = [
  { kind: 'review', suffix: '', when: 'as people gave them' },
  { kind: 'outcome', suffix: '_settled', when: 'after adjudication' },
] as const;
type SideOf = (typeof SIDES)[number];

const HEADING = 'What reviewers said';

/** Questions of a form that no measure of the recipe is about: the form itself gives them their measures. */
export function openQuestions(plan: Plan, form: ReviewSection): string[] {
  const measured = new Set([
    ...questionsIn(plan.resolved['measure']),
    ...(formatOf(plan).questions?.(plan, form) ?? []),
  ]);
  return Object.keys(form.fields).filter((name) => !measured.has(name) && form.fields[name]?.type !== 'text');
}

/** What `where: { question: […] }` names, however deep. */
function questionsIn(params: unknown): string[] {
  if (!isRecord(params)) return [];
  return Object.entries(params).flatMap(([key, value]) =>
    key === 'question' && Array.isArray(value) ? value.map(String) : questionsIn(value),
  );
}

/**
 * The plan with the measures that a form gives by itself, each as people answered and after adjudication (`_settled`): the
 * mean of a scale, the share of each option of a choice, of each label of things, and of what is ticked. A measure of the
 * recipe goes before one of the same name.
 */
export function withReviewMeasures(plan: Plan, form: ReviewSection, questions: readonly string[]): Plan {
  if (questions.length === 0) return plan;
  const known = new Set(plan.measures.map(({ name }) => name));
  const wanted = questions.flatMap((name) => measuresOf(name, form.fields[name]!)).filter(([name]) => !known.has(name));
  const { measures, params } = buildMeasures(Object.fromEntries(wanted), null);
  return {
    ...plan,
    measures: [...plan.measures, ...measures],
    resolved: {
      ...plan.resolved,
      review: form,
      measure: { ...(isRecord(plan.resolved['measure']) ? plan.resolved['measure'] : {}), ...params },
    },
    variant: async (change) => withReviewMeasures(await plan.variant(change), form, questions),
  };
}

function measuresOf(question: string, field: ReviewField): [string, object][] {
  switch (field.type) {
    case 'scale': {
      const about = `mean of the ratings (${field.title})`;
      const range = [field.from, field.to];
      return meansOf(question, Object.keys(field.dimensions), {
        about,
        direction: better(question, field.better),
        range,
      });
    }
    case 'checklist': {
      const about = `ticked / ticked or not (${field.title})`;
      return meansOf(question, Object.keys(field.items), { about, direction: 'higher', range: [0, 1] });
    }
    case 'choice':
      return sharesOf(question, field.options, field.title);
    case 'items':
      return sharesOf(question, field.labels, field.title);
    case 'text':
      return [];
  }
}

interface MeanWords {
  readonly about: string;
  readonly direction: 'higher' | 'lower';
  readonly range: readonly number[];
}

/** Of the whole question and, where it has parts, of each. */
function meansOf(question: string, parts: readonly string[], words: MeanWords): [string, object][] {
  return SIDES.flatMap(({ kind, suffix, when }) =>
    [null, ...parts].map((part): [string, object] => [
      `${question}${part === null ? '' : `_${part}`}${suffix}`,
      {
        of: 'field-mean',
        kind,
        where: { question: [question], ...(part === null ? {} : { part: [part] }) },
        field: 'value',
        by: 'none',
        heading: HEADING,
        nothing: nobody(question, kind),
        ...words,
        about: `${words.about}, ${when}`,
      },
    ]),
  );
}

function sharesOf(question: string, options: Readonly<Record<string, Described>>, title: string): [string, object][] {
  return SIDES.flatMap(({ kind, suffix, when }) =>
    Object.entries(options).map(([option, thing]): [string, object] => [
      `${question}_${option.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_')}${suffix}`,
      {
        of: 'ratio',
        over: { kind, where: { question: [question], option: [option] }, field: 'given' },
        under: { kind, where: { question: [question] }, field: 'given' },
        direction: better(option, thing.better),
        range: [0, 1],
        by: 'none',
        heading: HEADING,
        nothing: nobody(question, kind),
        about: `answers ${option} / all answers (${title}), ${when}`,
      },
    ]),
  );
}

/** The form's direction, else the one that the name implies: less is better of what is wrong. */
function better(name: string, said: Direction | undefined): Direction {
  return said ?? directionOfWords(name) ?? 'higher';
}

function nobody(question: string, kind: SideOf['kind']): string {
  return kind === 'review' ? `nobody has answered ${question}` : `no answer to ${question} is settled`;
}
