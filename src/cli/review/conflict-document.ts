import { shorten } from '../../data/visible.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import type { Document, Section } from '../../report/document.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type Conflict, disputedIn } from '../../review/conflicts.ts';
import { isAnswerList } from '../../review/questions.ts';
import type { ReviewSnapshot } from '../../review/snapshot.ts';
import type { CellValue } from '../../store/review-records.ts';
import { counted } from '../../text/figures.ts';
import { dataOption, type StoreFlags } from './review-store.ts';

/** Conflicts, each with the command that decides it. Systems and names of reviewers are not shown. */
export function conflictsDocument(
  { review, form }: ReviewSnapshot,
  conflicts: readonly Conflict[],
  flags: StoreFlags,
): Document {
  const open = conflicts.filter(({ decision }) => decision === null).length;
  return {
    title: `Conflicts of ${review.name}`,
    about: openText(open),
    sections: conflicts.map((conflict) => conflictSection(form, conflict, decideCommand(review.name, conflict, flags))),
  };
}

export function openText(open: number): string {
  return open === 0 ? 'No conflict is open.' : `${counted(open, 'conflict')} open.`;
}

const LONGEST_SHOWN = 140;
const LONGEST_COMMENT = 200;

function conflictSection(form: ReviewSection, conflict: Conflict, decide: string): Section {
  const { item, field, part, answers, decision, waiting } = conflict;
  const { words, texts } = disputedIn(form, conflict);
  const because = decision === null || decision.because === '' ? '' : `, because ${decision.because}`;
  return {
    title: `${item.id}  ${fieldAndPart(field, part)}`,
    blocks: [
      ...texts.map(({ title, begins }) => ({
        text: `${title === '' ? '' : `${title}: `}${shorten(begins, LONGEST_SHOWN)}`,
      })),
      words === null ? null : { text: `» ${words.replaceAll(/\s+/g, ' ').trim()}` },
      { text: form.fields[field]?.title ?? field },
      {
        list: answers.map(({ value, people, comments }, at) => ({
          item: `${at + 1}. ${valueText(value)} (${counted(people.length, 'person', 'people')})`,
          note: comments.flatMap((comment) => quoted(comment)).join(' ') || null,
        })),
      },
      waiting === 0 ? null : { text: `${counted(waiting, 'person has', 'people have')} not answered yet` },
      decision === null
        ? { text: `$ ${decide}`, whole: true }
        : { text: `decided: ${valueText(decision.value)}${because}` },
    ],
  };
}

function quoted(comment: string | null): string[] {
  return comment === null || comment.trim() === '' ? [] : [`“${shorten(comment, LONGEST_COMMENT)}”`];
}

/** With the first answer in it, to be changed or not. */
function decideCommand(review: string, { item, field, part, answers }: Conflict, flags: StoreFlags): string {
  const value = answers[0]?.value ?? null;
  const choice = isAnswerList(value) || value === null ? '--answer 1' : `--value ${shellWord(String(value))}`;
  const place = `--item ${item.id} --field ${shellWord(field)}${part === null ? '' : ` --part ${shellWord(part)}`}`;
  return `assay review adjudicate ${shellWord(review)} ${place} ${choice} --because '…'${dataOption(flags)}`;
}

export function fieldAndPart(field: string, part: string | null): string {
  return part === null ? field : `${field} ${part}`;
}

/** An answer or a decision in a line. */
export function valueText(value: CellValue): string {
  if (value === null) return 'open again';
  if (!isAnswerList(value)) return String(value);
  if (value.length === 0) return 'nothing here';
  return value.map(({ label, text }) => `${label ?? 'no label'}: “${shorten(text, 60)}”`).join('; ');
}
