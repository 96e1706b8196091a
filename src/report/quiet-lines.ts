import { wrapWords } from './display-width.ts';
import { safeText } from './safe-text.ts';
import type { Style } from './style.ts';

/** A remark below a table: indented, wrapped, and quieter than the table. */
export function quietLines(text: string, style: Style): string[] {
  return wrapWords(safeText(text), style.width - 2).map((line) => `  ${style.paint(line, 'quiet')}`);
}
