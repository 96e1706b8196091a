import type { AgreementFigure } from '../review/api.ts';
import type { Evaluation } from '../review/evaluation.ts';
import {
  cell,
  Footnotes,
  left,
  type PageBlock,
  type PageCell,
  type PageTone,
  paragraph,
  right,
  table,
} from './evaluation-page.ts';
import { count, counted, figure, levelText } from '../text/figures.ts';

export const NOBODY = 'Nobody has answered yet: there are no reviews.';

/** How far people agree, question by question. */
export function agreementBlocks(agreement: readonly AgreementFigure[]): PageBlock[] {
  if (agreement.length === 0) return [paragraph(NOBODY)];
  return [
    paragraph(
      'Over the answers as they were committed, before any decision of an adjudicator. A coefficient is 1 where all say the same and about 0 where they agree no more than chance would have it. A target is met where the whole interval lies above it.',
    ),
    agreementTable('How far people agree, question by question', agreement),
  ];
}

export function agreementTable(caption: string, agreement: readonly AgreementFigure[]): PageBlock {
  const notes = new Footnotes();
  return table(
    caption,
    [
      left('question'),
      left('what'),
      left('coefficient'),
      right('value'),
      right('interval'),
      right('n'),
      right('raters'),
      left('target'),
    ],
    agreement
      .filter(isNews)
      .map((one) => [
        questionName(one),
        one.title,
        one.coefficient,
        ...coefficientCells(one, notes),
        count(one.n),
        count(one.raters),
        targetCell(one),
      ]),
    notes.list(),
  );
}

/** Of a question that nobody has answered the whole says it all. */
function isNews({ part, raters }: AgreementFigure): boolean {
  return part === null || raters > 0;
}

function questionName({ field, part }: AgreementFigure): string {
  return part === null ? field : `${field}: ${part}`;
}

function coefficientCells(one: AgreementFigure, notes: Footnotes): PageCell[] {
  const marks = one.notes.map((text) => ` ${notes.mark(text)}`);
  if (one.value === null) {
    const why = notes.mark(one.undefined ?? 'no reason was given');
    return [cell(`undefined ${why}`, { tone: 'quiet' }), cell(`none ${why}`, { tone: 'quiet' })];
  }
  const { value, interval, target } = one;
  const between =
    interval === null
      ? cell(`none ${notes.mark(`no interval: ${one.noInterval ?? 'no reason was given'}`)}`, { tone: 'quiet' })
      : cell(`${figure(interval.low)} to ${figure(interval.high)}`, {
          bar: { value, low: interval.low, high: interval.high, ends: [-1, 1], aim: target },
        });
  return [cell(`${figure(value)}${marks.join('')}`), between];
}

function targetCell({ target, met }: AgreementFigure): PageCell {
  if (target === null) return cell('none stated', { tone: 'quiet' });
  const [word, tone]: readonly [string, PageTone] =
    met === null ? ['cannot tell', 'warn'] : met ? ['met', 'good'] : ['not met', 'bad'];
  return cell(`> ${target}: ${word}`, { tone });
}

/** A coefficient in a sentence. */
export function coefficientSentence(one: AgreementFigure, things: string): string {
  const on = `on ${count(one.n)} ${things} by ${counted(one.raters, 'person', 'people')}`;
  if (one.value === null) return `${one.coefficient} is undefined: ${one.undefined ?? 'no reason was given'}.`;
  const sure =
    one.interval === null
      ? `no interval: ${one.noInterval ?? 'no reason was given'}`
      : `${levelText(one.interval.level)} interval ${figure(one.interval.low)} to ${figure(one.interval.high)}`;
  const target = one.target === null ? '' : ` The target, above ${one.target}, ${targetWords(one.met)}.`;
  return `${one.coefficient} is ${figure(one.value)} (${sure}), ${on}.${target}`;
}

function targetWords(met: boolean | null): string {
  if (met === null) return 'can neither be said to be met nor not to be met';
  return met ? 'is met' : 'is not met';
}

/** What a complete evaluation would still need. */
export function missingBlocks(missing: Evaluation['missing'], asked: boolean): PageBlock[] {
  if (missing.length === 0) return [paragraph('Nothing: everybody whom the form wants has answered every question.')];
  const open = missing.reduce((sum, { given, expected }) => sum + expected - given, 0);
  return [
    paragraph(
      `${counted(open, 'answer is', 'answers are')} still to come${asked ? '' : ', since nobody has answered yet'}. What rests on them is undefined or preliminary.`,
    ),
    table(
      'Answers that are still missing',
      [
        left('question'),
        left('what is asked'),
        left('of'),
        right('given'),
        right('wanted'),
        right('missing'),
        left('from'),
      ],
      missing.map(({ question, title, system, given, expected, people }) => [
        question,
        title,
        system ?? 'the case itself',
        count(given),
        count(expected),
        cell(count(expected - given), { tone: 'warn' }),
        people.join(', '),
      ]),
    ),
  ];
}

export function conflictBlocks({ open, decided }: Evaluation['conflicts'], asked: boolean): PageBlock[] {
  if (!asked) return [paragraph(NOBODY)];
  if (open + decided === 0) return [paragraph('There are none: nowhere do answers differ that go to an adjudicator.')];
  return [
    paragraph(
      `${counted(open, 'conflict is', 'conflicts are')} open and ${count(decided)} decided by adjudicators. ${open === 0 ? 'Every figure is after adjudication.' : 'An open claim counts by the share of its votes; all else that is open counts neither way until it is decided.'}`,
    ),
  ];
}

/** How far a model agrees with people: never a part of any other figure. */
export function judgeBlocks(judge: Evaluation['judge']): PageBlock[] {
  if (judge.length === 0) return [paragraph('No model was asked: every figure of people’s judgement is of people.')];
  const notes = new Footnotes();
  return [
    paragraph(
      'A model is no person: nothing that it said is part of any figure above. This is how far it agrees with what people settled on; a figure expires when the model or its prompt changes.',
    ),
    table(
      'Agreement of the model with people',
      [
        left('question'),
        left('model'),
        left('coefficient'),
        right('value'),
        right('interval'),
        right('n'),
        left('state'),
      ],
      judge.map((one) => [
        questionName(one),
        one.model,
        one.coefficient,
        ...coefficientCells(one, notes),
        count(one.n),
        one.expired === null ? cell('in force', { tone: 'good' }) : cell(`expired: ${one.expired}`, { tone: 'warn' }),
      ]),
      notes.list(),
    ),
  ];
}
