import { z } from 'zod';

import { PLAIN_CONSULT } from '../recipe/consult-section.ts';
import type { Evaluation } from '../review/evaluation.ts';

const resolved = z.looseObject({
  consult: z
    .looseObject({
      truth: z.string(),
      question: z.string(),
      claims: z.string(),
      ticks: z.string(),
      languages: z.array(z.string()).min(1),
    })
    .default(PLAIN_CONSULT),
  prepare: z.record(z.string(), z.unknown()),
  measure: z.record(z.string(), z.unknown()),
  primary: z.array(z.string()).nullable().default([]),
  review: z.unknown().optional(),
});
const asked = z.looseObject({ question: z.array(z.string()).optional() }).optional();
const measureForm = z.looseObject({
  kind: z.string().nullable().optional(),
  about: z.string().optional(),
  heading: z.string().optional(),
  over: z.looseObject({ kind: z.string().optional(), where: asked }).optional(),
  where: asked,
  by: z.union([z.string(), z.looseObject({ labels: z.array(z.string()).default([]) })]).optional(),
});
const reviewForm = z.looseObject({ fields: z.record(z.string(), z.unknown()) });
const classNames = z.looseObject({ classes: z.record(z.string(), z.unknown()) });
const leaveOut = z.looseObject({ rule: z.literal('leave-out-gold'), labels: z.array(z.string()) });

/** What the report of an evaluation has to know of its recipe. A part that reads otherwise is taken as not given. */
export interface EvaluationRecipe {
  readonly truth: string;
  /** The questions by which experts give the class and annotators label claims. */
  readonly classQuestion: string;
  readonly claimsQuestion: string;
  /** Whether a question is put to anybody, as far as is known: a custom form may not have it. */
  asks(question: string): boolean;
  readonly ticksQuestion: string;
  readonly languages: readonly string[];
  readonly primary: readonly string[];
  readonly hasForm: boolean;
  /** Names of the classes in the order of the recipe. */
  readonly classes: readonly string[];
  /** Classes that leave the denominator of accuracy. */
  readonly leftOut: readonly string[];
  readonly measures: ReadonlyMap<string, MeasureFacts>;
}

export interface MeasureFacts {
  readonly kind: string | null;
  readonly about: string | null;
  /** The heading under which the recipe wants it listed. */
  readonly heading: string | null;
  /** The question of the form whose answers it is made of; null where people are not asked. */
  readonly question: string | null;
  /** The labels that it has values for, in the order of the recipe. */
  readonly labels: readonly string[];
}

export function evaluationRecipe({ systems }: Pick<Evaluation, 'systems'>): EvaluationRecipe {
  const parsed = resolved.safeParse(systems[0]?.run.manifest.recipe.resolved);
  const nothing: z.infer<typeof resolved> = { consult: PLAIN_CONSULT, prepare: {}, measure: {}, primary: [] };
  const { consult, prepare, measure, primary, review } = parsed.success ? parsed.data : nothing;
  const questions = reviewForm.safeParse(review);
  const names = classNames.safeParse(prepare['read-class']);
  return {
    truth: consult.truth,
    classQuestion: consult.question,
    claimsQuestion: consult.claims,
    ticksQuestion: consult.ticks,
    asks: (question) => !questions.success || Object.hasOwn(questions.data.fields, question),
    languages: consult.languages,
    primary: primary ?? [],
    hasForm: review !== null && review !== undefined,
    classes: names.success ? Object.keys(names.data.classes) : [],
    leftOut: Object.values(prepare).flatMap((rule) => {
      const found = leaveOut.safeParse(rule);
      return found.success ? found.data.labels : [];
    }),
    measures: new Map(Object.entries(measure).map(([name, form]) => [name, measureFacts(form, consult)])),
  };
}

/** Whether it is what people answered to a question whose measures are the form's own. */
function isAnswer(kind: string | undefined): boolean {
  return kind === 'review' || kind === 'outcome';
}

/** Kinds of things that people give, with the question they give them by. */
function measureFacts(
  given: unknown,
  { claims, ticks }: { readonly claims: string; readonly ticks: string },
): MeasureFacts {
  const form = measureForm.safeParse(given);
  if (!form.success) return { kind: null, about: null, heading: null, question: null, labels: [] };
  const { about, heading = null, by, where, over } = form.data;
  const kind = form.data.kind ?? form.data.over?.kind;
  const asking = where ?? (isAnswer(kind) ? over?.where : undefined);
  const question = kind === 'claim' ? claims : kind === 'tick' ? ticks : (asking?.question?.[0] ?? null);
  return {
    kind: kind ?? null,
    about: about === undefined || about === '' ? null : about,
    heading,
    question,
    labels: typeof by === 'object' ? by.labels : [],
  };
}
