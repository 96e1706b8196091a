import { taskTitle } from '../recipe/task-title.ts';
import { agreementFigures } from '../review/agreement-figures.ts';
import { conflictCounts } from '../review/conflicts.ts';
import { type Evaluation, missingAnswers } from '../review/evaluation.ts';
import { judgeFigures } from '../review/judge-agreement.ts';
import type { ReviewSnapshot } from '../review/snapshot.ts';
import { VERSION } from '../score/version.ts';
import { count, plural, figure } from '../text/figures.ts';
import { type Document, numberColumns, type Piece, type Table, termList, present } from './document.ts';
import { noticeSection } from './evaluation.ts';
import { EVALUATION_FORMAT } from './evaluation-files.ts';
import { agreementSection, isAnswered, openSections } from './evaluation-people.ts';
import { Footnotes, bracketedInterval, lacking } from './evaluation-values.ts';
import { type AnswerFigure, type QuestionFigures, questionFigures } from './review-figures.ts';
import { safeJson } from './safe-json.ts';

/** The answers to a review that no recipe scores. */
interface ReviewSummary extends Pick<Evaluation, 'agreement' | 'judge' | 'conflicts' | 'missing'> {
  readonly review: { readonly name: string; readonly task: string; readonly title: string; readonly seed: number };
  readonly items: { readonly cases: number; readonly answers: number };
  readonly questions: readonly QuestionFigures[];
}

export function reviewSummary(snapshot: ReviewSnapshot): ReviewSummary {
  const { review, form, items } = snapshot;
  return {
    review: { name: review.name, task: review.task, title: form.title, seed: review.seed },
    items: {
      cases: items.filter(({ kind }) => kind === 'case').length,
      answers: items.filter(({ kind }) => kind === 'answer').length,
    },
    questions: questionFigures(snapshot),
    agreement: agreementFigures(snapshot),
    judge: judgeFigures(snapshot),
    conflicts: conflictCounts(snapshot),
    missing: missingAnswers(snapshot),
  };
}

/** The summary for programs: no time, no path. */
export function reviewSummaryJson(summary: ReviewSummary): string {
  return safeJson({ format: EVALUATION_FORMAT, assay: VERSION, ...summary });
}

/** The same for readers, in the sections of the summary of an evaluation. */
export function reviewDocument(summary: ReviewSummary): Document {
  const { review, items, questions, conflicts, missing } = summary;
  const answered = isAnswered(summary);
  const what = present([
    items.cases > 0 && plural(items.cases, 'case'),
    items.answers > 0 && plural(items.answers, 'answer'),
  ]).join(' and ');
  return {
    title: `Review summary: ${review.name}`,
    about: `${review.title}. ${what} under review; task ${taskTitle(review.task)}, seed ${review.seed}.`,
    sections: [
      noticeSection(
        present([
          !answered && 'nobody has committed an answer yet: nothing has a value',
          missing.length > 0 && answered && 'answers are still missing: every figure is preliminary',
          conflicts.open !== 0 &&
            `${plural(conflicts.open, 'conflict is', 'conflicts are')} open: what they are about counts neither way`,
        ]),
      ),
      {
        title: 'Answers of reviewers',
        blocks: [...Map.groupBy(questions, ({ question }) => question).values()].map(questionTable),
      },
      agreementSection(summary),
      ...openSections(summary),
      { title: 'How to read this', on: 'page', blocks: [termList(HOW_TO_READ)] },
    ],
  };
}

/** One row a label, tick or dimension; one column a system. */
function questionTable(own: readonly QuestionFigures[]): Table {
  const notes = new Footnotes();
  const { question, title, type, rows } = own[0]!;
  const cells = rows.map((row, at) => [
    row.name === null ? 'all together' : `${row.title} (${row.name})`,
    ...own.map((one) => answerPiece(one.rows[at]!, notes)),
  ]);
  const systems = own.map(({ system }) => system ?? 'the case itself');
  const unsettled = own.map((one, at) =>
    one.unsettled === 0 ? [] : [`${systems[at]!}: ${count(one.unsettled)} not settled, in no share`],
  );
  return {
    lead: `${question}: ${title}`,
    columns: [{ title: type === 'scale' ? 'dimension' : 'answer', shrinks: true }, ...numberColumns(...systems)],
    rows: cells,
    remarks: [...notes.list(), ...unsettled.flat()],
    continues: true,
  };
}

function answerPiece(one: AnswerFigure, notes: Footnotes): Piece {
  const { kind, value, interval, noInterval, n } = one;
  if (value === null) return lacking('undefined', one.undefined, notes);
  const isShare = kind === 'share';
  const range = [null, isShare ? 1 : null] as const;
  const share = isShare ? `${count(one.count)} of ${count(n)}: ` : '';
  const why = interval === null ? ` ${notes.mark(`no interval: ${noInterval ?? 'no reason was given'}`)}` : '';
  return {
    text: `${share}${figure(value, { range })}${bracketedInterval({ interval, range })}, n ${count(n)} in ${plural(one.items, 'item')}${why}`,
    bar: isShare && interval !== null ? { value, interval, ends: [0, 1], aim: null } : null,
  };
}

const HOW_TO_READ = [
  [
    'a of n: share (low to high)',
    'how often a label is the settled one, after adjudication; in brackets the 95 % bootstrap interval over items',
  ],
  ['mean (low to high), n', 'over the ratings as they were given, of which there are n'],
  ['not settled', 'reviewers are divided, or too few have answered'],
  ['undefined', 'there is no value, which is not 0; the reason is below the table'],
] as const;
