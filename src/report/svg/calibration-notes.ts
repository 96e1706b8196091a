import type { Calibration } from '../../figures/run-figures.ts';
import { count } from '../../text/figures.ts';

/** What a figure of confidences leaves out. */
export function calibrationNotes({ leftOut }: Pick<Calibration, 'leftOut'>): string[] {
  const parts = Object.entries(leftOut).map(([reason, n]) => `${count(n)} (${reason})`);
  return parts.length === 0 ? [] : [`Left out: ${parts.join(', ')}.`];
}
