import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import type { Conflict } from '../../review/conflicts.ts';
import { fieldOf, isAnswerList } from '../../review/questions.ts';
import { decisionFault } from '../../review/decision-fault.ts';
import type { CellValue } from '../../store/review-records.ts';

/** What an adjudicator decided: a value in words, or the number of one of the answers. */
export interface GivenDecision {
  readonly value?: string | undefined;
  readonly answer?: string | undefined;
}

/** Takes a decision back. */
export const OPEN_AGAIN = '[open]';

/** The value that was meant, or why it is none. */
export function decidedValue(form: ReviewSection, conflict: Conflict, given: GivenDecision): CellValue {
  const { answers } = conflict;
  if (given.answer !== undefined) {
    const chosen = /^\d{1,4}$/.test(given.answer) ? answers[Number(given.answer) - 1] : undefined;
    if (chosen === undefined)
      throw new UsageError(`there is no answer ${visible(shorten(given.answer))}`, `expected 1 to ${answers.length}`);
    return possible(form, conflict, chosen.value);
  }
  const text = given.value?.trim() ?? '';
  if (text === '') throw new UsageError('no value was given', 'give --value VALUE, or --answer NUMBER');
  if (text === OPEN_AGAIN) return null;
  const value = parsed(fieldOf(form, conflict.field)?.type, text);
  return possible(form, conflict, value);
}

function possible(form: ReviewSection, conflict: Conflict, value: CellValue): CellValue {
  const fault = decisionFault(form, conflict, value);
  if (fault !== null) throw new UsageError(`this cannot be decided: ${fault}`);
  return value;
}

function parsed(type: string | undefined, text: string): CellValue {
  if (type === 'scale') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (type === 'checklist' && /^(?:true|yes|1)$/i.test(text)) return true;
  if (type === 'checklist' && /^(?:false|no|0)$/i.test(text)) return false;
  return text;
}

/** An answer in a line. */
export function valueText(value: CellValue): string {
  if (value === null) return 'open again';
  if (!isAnswerList(value)) return String(value);
  if (value.length === 0) return 'nothing here';
  return value.map(({ label, text }) => `${label ?? 'no label'}: “${shorten(text, 60)}”`).join('; ');
}
