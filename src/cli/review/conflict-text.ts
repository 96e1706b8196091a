import { shorten } from '../../data/visible.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import { truncate, wrapWords } from '../../report/display-width.ts';
import { counted } from '../../text/figures.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type Style } from '../../report/style.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import type { Conflict, ConflictAnswer } from '../../review/conflicts.ts';
import { isAnswerList } from '../../review/questions.ts';
import type { ReviewSnapshot } from '../../review/snapshot.ts';
import type { CellValue } from '../../store/review-records.ts';

import { valueText } from './decision-value.ts';
import { disputedIn } from './disputed.ts';
import { dataOption, type StoreFlags } from './review-store.ts';

/** Conflicts for a person to read, each with the commands that decide it. Systems and names of reviewers stay unsaid. */
export function conflictsText(
  { review, form }: ReviewSnapshot,
  conflicts: readonly Conflict[],
  flags: StoreFlags,
): string {
  if (conflicts.length === 0) return 'No conflict is open.\n';
  const style = terminalStyle(process.stdout);
  const lines = conflicts.flatMap((conflict) => {
    const { item, field, part, answers, decision, waiting } = conflict;
    const question = form.fields[field]?.title ?? field;
    return [
      style.paint(`${item.id}  ${field}${part === null ? '' : ` ${part}`}`, 'strong'),
      ...disputedLines(form, conflict, style),
      ...indented(question, style.width),
      ...answers.flatMap((answer, at) => answerLines(answer, at + 1)),
      ...(waiting > 0 ? [`  ${counted(waiting, 'person has', 'people have')} not answered yet`] : []),
      ...(decision === null
        ? [`  $ ${commandFor(review.name, conflict)}${dataOption(flags)}`]
        : [
            `  decided: ${safeText(valueText(decision.value))}${decision.because === '' ? '' : `, because ${safeText(decision.because)}`}`,
          ]),
      '',
    ];
  });
  const open = conflicts.filter(({ decision }) => decision === null).length;
  return `${lines.join('\n')}${counted(open, 'conflict')} open.\n`;
}

/** What reviewers saw, a line for each text, and the words that the question is about. */
function disputedLines(form: ReviewSection, conflict: Conflict, style: Style): string[] {
  const { words, texts } = disputedIn(form, conflict);
  return [
    ...texts.map(({ title, begins }) => {
      const named = title === '' ? '' : `${safeText(title)}: `;
      return `  ${truncate(`${named}${safeText(begins)}`, style.width - 2)}`;
    }),
    ...(words === null ? [] : indented(`» ${words.replaceAll(/\s+/g, ' ').trim()}`, style.width)),
  ];
}

function indented(text: string, width: number): string[] {
  return wrapWords(safeText(text), width - 2).map((line) => `  ${line}`);
}

function answerLines({ value, people, comments }: ConflictAnswer, number: number): string[] {
  const said = comments.flatMap((one) => (one === null || one.trim() === '' ? [] : [one]));
  return [
    `  ${number}. ${safeText(valueText(value))} (${counted(people.length, 'person', 'people')})`,
    ...said.map((comment) => `     “${safeText(shorten(comment, 200))}”`),
  ];
}

/** With the first answer in it, to be changed or not. */
function commandFor(review: string, { item, field, part, answers }: Conflict): string {
  const [first] = answers;
  const value = first?.value ?? null;
  return [
    'assay review adjudicate',
    shellWord(review),
    '--item',
    item.id,
    '--field',
    shellWord(field),
    ...(part === null ? [] : ['--part', shellWord(part)]),
    ...(isAnswerList(value) || value === null ? ['--answer', '1'] : ['--value', shellWord(String(value))]),
    '--because',
    "'…'",
  ].join(' ');
}

interface DecisionLine {
  readonly at: string;
  readonly by: string;
  readonly item: string;
  readonly field: string;
  readonly part: string | null;
  readonly value: CellValue;
  readonly because: string;
}

export function historyText(lines: readonly DecisionLine[]): string {
  if (lines.length === 0) return 'Nothing has been decided yet.\n';
  return lines
    .map(({ at, by, item, field, part, value, because }) => {
      const what = `${field}${part === null ? '' : ` ${part}`} of ${item}: ${valueText(value)}`;
      return `${safeText(`${at.slice(0, 19).replace('T', ' ')}  ${by}  ${what}${because === '' ? '' : ` (${because})`}`)}\n`;
    })
    .join('');
}
