import type { AgreementFigure } from '../review/api.ts';
import { agreementFigures } from '../review/agreement-figures.ts';
import { reviewedItems } from '../review/committed-work.ts';
import { conflictsOf } from '../review/conflicts.ts';
import { judgeFigures } from '../review/judge-agreement.ts';
import type { MissingReviews } from '../review/missing-reviews.ts';
import { partsOf } from '../review/questions.ts';
import type { ReviewSnapshot } from '../review/snapshot.ts';
import { VERSION } from '../score/version.ts';
import { EVALUATION_FORMAT } from './evaluation-json.ts';
import {
  bullets,
  cell,
  Footnotes,
  left,
  type Page,
  type PageBlock,
  type PageCell,
  paragraph,
  right,
  table,
} from './evaluation-page.ts';
import { agreementBlocks, conflictBlocks, judgeBlocks, missingBlocks } from './evaluation-people.ts';
import { type AnswerFigure, type QuestionFigures, questionFigures } from './evaluation-review-figures.ts';
import { count, counted, figure, quantities } from '../text/figures.ts';
import { safeJson } from './safe-json.ts';

/** What people said in a review that no recipe scores: the answers themselves. */
export interface ReviewSummary {
  readonly review: { readonly name: string; readonly task: string; readonly title: string; readonly seed: number };
  readonly items: { readonly cases: number; readonly answers: number };
  readonly questions: readonly QuestionFigures[];
  readonly agreement: readonly AgreementFigure[];
  readonly judge: ReturnType<typeof judgeFigures>;
  readonly conflicts: { readonly open: number; readonly decided: number };
  readonly missing: readonly MissingReviews[];
}

export function reviewSummary(snapshot: ReviewSnapshot): ReviewSummary {
  const { review, form, items } = snapshot;
  const conflicts = conflictsOf(snapshot);
  const decided = conflicts.filter(({ decision }) => decision !== null).length;
  return {
    review: { name: review.name, task: review.task, title: form.title, seed: review.seed },
    items: {
      cases: items.filter(({ kind }) => kind === 'case').length,
      answers: items.filter(({ kind }) => kind === 'answer').length,
    },
    questions: questionFigures(snapshot),
    agreement: agreementFigures(snapshot),
    judge: judgeFigures(snapshot),
    conflicts: { open: conflicts.length - decided, decided },
    missing: missingAnswers(snapshot),
  };
}

/** The summary for machines: no time, no path. */
export function reviewSummaryJson(summary: ReviewSummary): string {
  return safeJson({ format: EVALUATION_FORMAT, assay: VERSION, ...summary });
}

/** Answers that people were asked for and have not committed, by question and system. */
function missingAnswers(snapshot: ReviewSnapshot): MissingReviews[] {
  const { form } = snapshot;
  return Object.entries(form.fields).flatMap(([question, field]) => {
    if (field.optional) return [];
    const parts = field.type === 'items' ? [null] : partsOf(field);
    const own = reviewedItems(snapshot).filter((one) => one.asked(question).people > 0);
    const bySystem = Map.groupBy(own, ({ item }) => (field.of === 'case' ? null : item.system));
    return [...bySystem].flatMap(([system, items]) => {
      const expected = items.reduce((sum, one) => sum + one.asked(question).people * parts.length, 0);
      const given = items.reduce(
        (sum, { done }) =>
          sum + done.reduce((n, work) => n + parts.filter((part) => work.answer(question, part) !== null).length, 0),
        0,
      );
      const people = field.by.map((group) => form.people[group]?.title ?? group);
      return given >= expected ? [] : [{ question, title: field.title, system, given, expected, people }];
    });
  });
}

/** The page of such a review; built of the same parts as the report of an evaluation. */
export function reviewPage(summary: ReviewSummary): Page {
  const { review, items, questions, agreement, conflicts, missing, judge } = summary;
  const asked = agreement.some(({ raters }) => raters > 0);
  const sections: readonly (readonly [string, readonly PageBlock[]])[] = [
    ['Before you read the numbers', bullets(noticesOf(summary, asked))],
    ['What people said', questionBlocks(questions)],
    ['Agreement of people', agreementBlocks(agreement)],
    ['What is still missing from reviewers', missingBlocks(missing, asked)],
    ['Conflicts', conflictBlocks(conflicts, asked)],
    ['The model judge', judgeBlocks(judge)],
    ['How to read this', bullets(HOW_TO_READ)],
  ];
  const what = [
    ...(items.cases > 0 ? [counted(items.cases, 'case')] : []),
    ...(items.answers > 0 ? [counted(items.answers, 'answer')] : []),
  ].join(' and ');
  return {
    title: `Review summary: ${review.name}`,
    lead: [`${review.title}.`, `${what} under review; task ${review.task}, seed ${review.seed}.`],
    sections: sections.filter(([, blocks]) => blocks.length > 0).map(([title, blocks]) => ({ title, blocks })),
  };
}

function noticesOf({ conflicts, missing }: ReviewSummary, asked: boolean): string[] {
  return [
    ...(asked ? [] : ['nobody has committed an answer yet: nothing has a value']),
    ...(missing.length === 0 || !asked ? [] : ['answers are still missing: every figure is preliminary']),
    ...(conflicts.open === 0
      ? []
      : [`${counted(conflicts.open, 'conflict is', 'conflicts are')} open: what they are about counts neither way`]),
  ];
}

function questionBlocks(questions: readonly QuestionFigures[]): PageBlock[] {
  const byQuestion = Map.groupBy(questions, ({ question }) => question);
  return [...byQuestion.values()].map((own) => questionTable(own));
}

/** One row a label, tick or dimension; one column a system. */
function questionTable(own: readonly QuestionFigures[]): PageBlock {
  const notes = new Footnotes();
  const [first] = own;
  if (first === undefined) return paragraph('Nothing was asked.');
  const unsettled = own
    .filter((one) => one.unsettled > 0)
    .map((one) => `${systemOf(one)}: ${count(one.unsettled)} not settled, in no share`);
  const made = table(
    `${first.question}: ${first.title}`,
    [left(first.type === 'scale' ? 'dimension' : 'answer'), ...own.map((one) => right(systemOf(one)))],
    first.rows.map((row, at) => [
      row.name === null ? 'all together' : `${row.title} (${row.name})`,
      ...own.map((one) => answerCell(one.rows[at]!, notes)),
    ]),
  );
  return { ...made, notes: [...notes.list(), ...unsettled] };
}

function systemOf({ system }: QuestionFigures): string {
  return system ?? 'the case itself';
}

function answerCell(one: AnswerFigure, notes: Footnotes): PageCell {
  if (one.value === null)
    return cell(`undefined ${notes.mark(one.undefined ?? 'no reason was given')}`, { tone: 'quiet' });
  const { interval, value } = one;
  const isShare = one.kind === 'share';
  const range = { range: [null, isShare ? 1 : null] } as const;
  const between = interval === null ? '' : ` (${quantities(interval.low, interval.high, range).join(' to ')})`;
  const why = interval === null ? ` ${notes.mark(`no interval: ${one.noInterval ?? 'no reason was given'}`)}` : '';
  const text = isShare
    ? `${count(one.count)} of ${count(one.n)}: ${figure(value)}${between}, n ${count(one.n)} in ${counted(one.items, 'item')}${why}`
    : `${figure(value, range)}${between}, n ${count(one.n)} in ${counted(one.items, 'item')}${why}`;
  const bar =
    isShare && interval !== null
      ? { value, low: interval.low, high: interval.high, ends: [0, 1] as const, aim: null }
      : null;
  return cell(text, { bar });
}

const HOW_TO_READ = [
  {
    term: 'a of n: share (low to high)',
    text: 'how often a label is the settled one, after adjudication; in brackets the 95 % bootstrap interval over items',
  },
  { term: 'mean (low to high), n', text: 'over the ratings as they were given, of which there are n' },
  { term: 'not settled', text: 'people are divided, or too few have answered' },
  { term: 'undefined', text: 'there is no value, which is not 0; the reason stands below the table' },
] as const;
