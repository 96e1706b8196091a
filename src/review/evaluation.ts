import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { z } from 'zod';

import { compareSystems, type CompareSystemsOptions, type SystemRun } from '../compare/compare-systems.ts';
import type { Comparison } from '../compare/comparison.ts';
import { UsageError } from '../data/problems.ts';
import type { ReadFile } from '../data/read-rows.ts';
import { storedDigest } from '../data/stored-digest.ts';
import { harmless, visible } from '../data/visible.ts';
import type { CaseReviews, OpenedSystems, SystemAnswers, SystemFiles } from '../formats/case-format.ts';
import { openSystems } from '../formats/case-formats.ts';
import { openQuestions, withReviewMeasures } from '../formats/review-measures.ts';
import { PLAIN_CONSULT } from '../recipe/consult-section.ts';
import type { Plan } from '../recipe/plan.ts';
import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import { agreementFigures } from './agreement-figures.ts';
import type { AgreementFigure } from './api.ts';
import { answersWanted } from './assignments.ts';
import { type ReviewedItem, reviewedItems } from './review-work.ts';
import { conflictCounts } from './conflicts.ts';
import { consultReviews } from './consult-reviews.ts';
import { judgeFigures } from './judge-agreement.ts';
import { partsOf } from './questions.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** Everything that the summary of an evaluation shows. */
export interface Evaluation {
  /** What a person called it. */
  readonly name?: string;
  readonly recipe: { readonly name: string; readonly about: string };
  readonly systems: readonly SystemRun[];
  /** Paired differences between systems; null with one system. */
  readonly comparison: Comparison | null;
  readonly agreement: readonly AgreementFigure[];
  /** How far a model agrees with people: kept apart, since it is no person. */
  readonly judge: ReturnType<typeof judgeFigures>;
  /** Whose word the class of a case is, and how many cases there are; null if cases have no class. */
  readonly truth: 'experts' | 'given' | null;
  readonly cases: number;
  /** Cases whose class is left out of accuracy, with the reason. */
  readonly withoutClass: readonly { readonly caseId: string; readonly because: string }[];
  readonly conflicts: { readonly open: number; readonly decided: number };
  readonly missing: readonly MissingReviews[];
  /** What was noticed of the reviews and let pass, one sentence each. */
  readonly notices: readonly string[];
  /** Columns of the cases that do not slice. */
  readonly leftColumns: readonly string[];
}

export interface ReviewInput {
  readonly snapshot: ReviewSnapshot;
  /** Named in the manifest of each run, since they change numbers. */
  readonly files: readonly ReadFile[];
  readonly notices: readonly string[];
}

const NO_SECTION = { ...PLAIN_CONSULT, languages: [] };

/** What people said as the cases need it, and the plan with the measures that their form gives. */
export function reviewedPlan(
  plan: Plan,
  given: ReviewInput | null,
): { readonly plan: Plan; readonly reviews: CaseReviews | null } {
  if (given === null) return { plan, reviews: null };
  const { snapshot, files } = given;
  const questions = openQuestions(plan, snapshot.form);
  return {
    plan: withReviewMeasures(plan, snapshot.form, questions),
    reviews: { settled: consultReviews(snapshot, plan.consult ?? NO_SECTION, questions), files },
  };
}

/** Scores every system, with the reviews if there are any, and gathers what a reader has to know beside the numbers. */
export async function evaluate(
  opened: OpenedSystems,
  given: ReviewInput | null,
  options: CompareSystemsOptions,
): Promise<Evaluation> {
  const { plan, reviews } = reviewedPlan(opened.plan, given);
  const snapshot = given?.snapshot ?? null;
  const answers = snapshot === null ? opened.held : await opened.hold();
  const { systems, comparison } = await compareSystems({ ...opened, plan }, reviews, options);
  const truth = opened.truth?.(reviews) ?? null;
  return {
    ...(options.name === undefined ? {} : { name: options.name }),
    recipe: { name: plan.name, about: plan.about },
    systems,
    comparison,
    agreement: snapshot === null ? [] : agreementFigures(snapshot),
    judge: snapshot === null ? [] : judgeFigures(snapshot),
    truth: truth?.by ?? null,
    cases: answers?.[0]?.cases.rows.length ?? systems[0]?.run.measures.cases.total ?? 0,
    withoutClass: truth?.without ?? [],
    conflicts: snapshot === null ? { open: 0, decided: 0 } : conflictCounts(snapshot),
    missing: answers === null ? [] : missingReviews(plan, answers, snapshot),
    notices: given?.notices ?? [],
    leftColumns: opened.leftColumns,
  };
}

/** The same of files that are read by the recipe's format. */
export async function evaluateSystems(
  plan: Plan,
  files: SystemFiles,
  reviews: ReviewInput | ReviewSnapshot | null,
  options: CompareSystemsOptions,
): Promise<Evaluation> {
  const given = reviews === null || 'snapshot' in reviews ? reviews : { snapshot: reviews, files: [], notices: [] };
  return evaluate(await openSystems(files, plan), given, options);
}

/** What `review create` records of where the items come from. */
const originShape = z.looseObject({
  recipe: z.string(),
  set: z.array(z.string()).default([]),
  files: z.array(z.looseObject({ role: z.string(), name: z.string(), path: z.string().nullish(), sha256: z.string() })),
});
export type RecordedOrigin = z.infer<typeof originShape>;
type OriginFile = RecordedOrigin['files'][number];

export function originOf({ review }: ReviewSnapshot): RecordedOrigin | null {
  return originShape.safeParse(review.origin).data ?? null;
}

/** The path of the file now; refused if it is gone, or no longer what reviewers saw. Its flag, if any, names another. */
export async function originalFile({ name, path, sha256 }: OriginFile, flag?: string, example = ''): Promise<string> {
  const place = [path ?? name, name].find(holdsData);
  if (place === undefined)
    throw new UsageError(
      `${visible(name)}, of which the review was made, is not in ${harmless(resolve('.'))}`,
      `run it where the file is${flag === undefined ? '' : `, or name it with ${flag} ${example}`}`,
    );
  const now = await storedSha256(place);
  if (now === sha256) return place;
  throw new UsageError(
    `${harmless(place)} has changed since the review was made of it (sha256 ${sha256.slice(0, 12)}… then, ${now.slice(0, 12)}… now): reviewers judged other answers`,
    `restore the file${flag === undefined ? '' : `, or confirm that you want this one with ${flag}`}`,
  );
}

/** Whether a path holds what reviewers saw, as far as that can be known without reading a stream. */
export async function isOriginal(path: string, originals: readonly OriginFile[]): Promise<boolean> {
  if (path === '-' || !holdsData(path)) return true;
  const now = await storedSha256(path);
  return originals.some(({ sha256 }) => sha256 === now);
}

function holdsData(path: string): boolean {
  const entry = statSync(path, { throwIfNoEntry: false });
  return entry?.isFile() === true || entry?.isDirectory() === true;
}

async function storedSha256(path: string): Promise<string> {
  return (await storedDigest(path))?.sha256 ?? '';
}

/** One question about one system's answers (or about the cases): how many answers the form wants, and how many there are. */
interface MissingReviews {
  readonly question: string;
  readonly title: string;
  /** Null for what is asked of the case itself. */
  readonly system: string | null;
  readonly given: number;
  readonly expected: number;
  readonly people: readonly string[];
}

/** What a complete evaluation would still need, question by question; what nobody has to answer is left out. */
function missingReviews(
  { review: form }: Plan,
  files: readonly SystemAnswers[],
  snapshot: ReviewSnapshot | null,
): MissingReviews[] {
  if (form === null) return [];
  const reviewed = snapshot === null ? [] : reviewedItems(snapshot);
  return Object.entries(form.fields).flatMap(([question, field]): MissingReviews[] => {
    const raters = field.optional ? null : answersWanted(form, field);
    if (raters === null) return [];
    const parts = partsOf(field);
    const shared = { question, title: field.title, people: groupTitles(form, field) };
    const count = (items: readonly ReviewedItem[]): number => answersTo(items, question, parts);
    if (field.of === 'case') {
      const expected = (files[0]?.cases.rows.length ?? 0) * raters;
      const given = count(reviewed.filter(({ item }) => item.kind === 'case'));
      return given >= expected ? [] : [{ ...shared, system: null, given, expected }];
    }
    return files.flatMap(({ system, answers }) => {
      const asked = answers.rows.filter(
        ({ failed, language }) =>
          failed === null &&
          (field.languages.length === 0 || (language !== null && field.languages.includes(language))),
      );
      const expected = asked.length * raters * parts.length;
      const given = count(reviewed.filter(({ item }) => item.kind === 'answer' && item.system === system));
      return given >= expected ? [] : [{ ...shared, system, given, expected }];
    });
  });
}

/** The same of a review by itself: answers that reviewers were asked for and have not committed, by question and system. */
export function missingAnswers(snapshot: ReviewSnapshot): MissingReviews[] {
  const { form } = snapshot;
  return Object.entries(form.fields).flatMap(([question, field]) => {
    if (field.optional) return [];
    const parts = partsOf(field);
    const asked = reviewedItems(snapshot).filter((one) => one.asked(question).people > 0);
    const bySystem = Map.groupBy(asked, ({ item }) => (field.of === 'case' ? null : item.system));
    return [...bySystem].flatMap(([system, items]) => {
      const expected = items.reduce((sum, one) => sum + one.asked(question).people * parts.length, 0);
      const given = answersTo(items, question, parts);
      const people = groupTitles(form, field);
      return given >= expected ? [] : [{ question, title: field.title, system, given, expected, people }];
    });
  });
}

function groupTitles({ people }: ReviewSection, { by }: ReviewField): string[] {
  return by.map((group) => people[group]?.title ?? group);
}

function answersTo(items: readonly ReviewedItem[], question: string, parts: readonly (string | null)[]): number {
  const works = items.flatMap(({ done }) => done);
  return works.reduce((sum, work) => sum + parts.filter((part) => work.answer(question, part) !== null).length, 0);
}
