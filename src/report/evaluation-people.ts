import type { AgreementFigure, Overview } from '../review/api.ts';
import type { Evaluation } from '../review/evaluation.ts';
import { count, plural, figure, levelText } from '../text/figures.ts';
import { type Block, numberColumns, type Piece, type Section, type Table } from './document.ts';
import { Footnotes, lacking } from './evaluation-values.ts';

export const NOBODY = 'Nobody has answered yet: there are no reviews.';
/** Rows of missing answers on a terminal. */
const MISSING_SHOWN = 20;

/** What an evaluation, and a review that no recipe scores, show of reviewers. */
type Reviewed = Pick<Evaluation, 'agreement' | 'missing' | 'conflicts' | 'judge'>;

export function isAnswered({ agreement }: Reviewed): boolean {
  return agreement.some(({ raters }) => raters > 0);
}

/** How far reviewers agree, question by question. */
export function agreementSection({ agreement }: Reviewed): Section {
  const title = 'Agreement of people';
  if (agreement.length === 0) return { title, on: 'page', blocks: [{ text: NOBODY }] };
  // Of a question that nobody has answered, the figure of the whole is enough.
  const answered = agreement.filter(({ part, raters }) => part === null || raters > 0);
  return {
    title,
    blocks: [
      {
        text: 'Over the answers as they were committed, before any decision of an adjudicator. A coefficient is 1 if all give the same answer and about 0 if they agree no more often than by chance. A target is met if the whole interval is above it.',
        on: 'page',
      },
      { ...agreementTable(answered.filter(({ part }) => part === null)), on: 'terminal' },
      { ...agreementTable(answered), lead: 'Inter-annotator agreement by question', on: 'page' },
    ],
  };
}

export function agreementTable(agreement: readonly AgreementFigure[]): Table {
  const notes = new Footnotes();
  const rows = agreement.map((one) => [
    questionName(one),
    one.title,
    one.coefficient,
    one.coefficient.replace(/^.*’s? /, ''),
    ...coefficientCells(one, notes),
    count(one.n),
    count(one.raters),
    targetPiece(one),
  ]);
  return {
    columns: [
      { title: 'question', shrinks: true },
      { title: 'what', on: 'page' },
      { title: 'coefficient', on: 'page' },
      { title: '', on: 'terminal', shrinks: true },
      ...numberColumns('value', 'interval', 'n'),
      { title: 'raters', align: 'right', drop: 1 },
      { title: 'target' },
    ],
    rows,
    remarks: notes.list(),
  };
}

function questionName({ field, part }: AgreementFigure): string {
  return part === null ? field : `${field}: ${part}`;
}

function coefficientCells(one: AgreementFigure, notes: Footnotes): Piece[] {
  const { value, interval, target } = one;
  if (value === null) return [lacking('undefined', one.undefined, notes), lacking('none', one.undefined, notes)];
  const marks = one.notes.map((text) => ` ${notes.mark(text)}`);
  const between =
    interval === null
      ? lacking('none', `no interval: ${one.noInterval ?? 'no reason was given'}`, notes)
      : {
          text: `${figure(interval.low)} to ${figure(interval.high)}`,
          bar: { value, interval, ends: [-1, 1] as const, aim: target },
        };
  return [{ text: `${figure(value)}${marks.join('')}` }, between];
}

function targetPiece({ target, met }: AgreementFigure): Piece {
  if (target === null) return { text: 'none stated', tone: 'quiet' };
  if (met === null) return { text: `> ${target}: inconclusive`, tone: 'warn' };
  return met ? { text: `> ${target}: met`, tone: 'good' } : { text: `> ${target}: not met`, tone: 'bad' };
}

/** A coefficient in a sentence. */
export function coefficientSentence(one: AgreementFigure, things: string): string {
  if (one.value === null) return `${one.coefficient} is undefined: ${one.undefined ?? 'no reason was given'}.`;
  const interval =
    one.interval === null
      ? `no interval: ${one.noInterval ?? 'no reason was given'}`
      : `${levelText(one.interval.level)} interval ${figure(one.interval.low)} to ${figure(one.interval.high)}`;
  const met = one.met === null ? 'can neither be said to be met nor not to be met' : one.met ? 'is met' : 'is not met';
  const target = one.target === null ? '' : ` The target, above ${one.target}, ${met}.`;
  const raters = plural(one.raters, 'person', 'people');
  return `${one.coefficient} is ${figure(one.value)} (${interval}), on ${count(one.n)} ${things} by ${raters}.${target}`;
}

/** What a complete evaluation still needs, what reviewers have not settled, and how far a model agrees with them. */
export function openSections(reviewed: Reviewed): Section[] {
  return [
    { title: 'What is still missing from reviewers', blocks: missingBlocks(reviewed) },
    { title: 'Conflicts', blocks: [{ text: conflictSentence(reviewed) }] },
    { title: 'The model judge', blocks: judgeBlocks(reviewed) },
  ];
}

function missingBlocks({ missing, ...reviewed }: Reviewed): Block[] {
  if (missing.length === 0)
    return [{ text: 'Nothing: every reviewer whom the form asks for has answered every question.' }];
  const open = missing.reduce((sum, { given, expected }) => sum + expected - given, 0);
  const why = isAnswered({ missing, ...reviewed }) ? '' : ', since nobody has answered yet';
  return [
    {
      text: `${plural(open, 'answer is', 'answers are')} still to come${why}. What depends on them is undefined or preliminary.`,
    },
    {
      columns: [
        { title: 'question', shrinks: true },
        { title: 'what is asked', on: 'page' },
        { title: 'of', shrinks: true },
        ...numberColumns('given', 'wanted', 'missing'),
        { title: 'from', shrinks: true },
      ],
      rows: missing.map(({ question, title, system, given, expected, people }) => [
        question,
        title,
        system ?? 'the case itself',
        count(given),
        count(expected),
        { text: count(expected - given), tone: 'warn' },
        people.join(', '),
      ]),
      shown: MISSING_SHOWN,
    },
  ];
}

function conflictSentence({ conflicts: { open, decided }, ...reviewed }: Reviewed): string {
  if (!isAnswered({ conflicts: { open, decided }, ...reviewed })) return NOBODY;
  if (open + decided === 0) return 'None: no answers differ that go to an adjudicator.';
  const rest =
    open === 0
      ? 'Every figure is after adjudication.'
      : 'An open claim counts by the share of its votes; all else that is open counts neither way until it is decided.';
  return `${plural(open, 'conflict is', 'conflicts are')} open and ${count(decided)} decided by adjudicators. ${rest}`;
}

/** Never a part of any other figure. */
function judgeBlocks({ judge }: Reviewed): Block[] {
  if (judge.length === 0)
    return [{ text: 'No model was asked: every figure of human judgement is of people.', on: 'page' }];
  return [
    {
      text: 'A model is no person: none of its answers is part of any figure above. This is how far it agrees with what people settled on; a figure expires when the model or its prompt changes.',
    },
    judgeTable(judge),
  ];
}

export function judgeTable(judge: Overview['judge']): Table {
  const notes = new Footnotes();
  return {
    columns: [
      { title: 'question', shrinks: true },
      { title: 'model', shrinks: true },
      { title: 'coefficient' },
      ...numberColumns('value', 'interval', 'n'),
      { title: 'state', shrinks: true },
    ],
    rows: judge.map((one) => [
      questionName(one),
      one.model,
      one.coefficient,
      ...coefficientCells(one, notes),
      count(one.n),
      one.expired === null ? { text: 'in force', tone: 'good' } : { text: `expired: ${one.expired}`, tone: 'warn' },
    ]),
    remarks: notes.list(),
  };
}
