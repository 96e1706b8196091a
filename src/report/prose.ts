import { displayWidth, wrapWords } from './display-width.ts';
import { safeText } from './safe-text.ts';
import type { Style, Tone } from './style.ts';

/** Lines of running text do not grow with the window. */
const WIDEST = 100;

/** Wrapped text with a hanging indent. */
export function prose(text: string, style: Style, lead = '', indent = '', tone: Tone | null = null): string[] {
  const width = Math.min(style.width, WIDEST) - displayWidth(indent);
  return wrapWords(safeText(text), width).map((line, at) => `${at === 0 ? lead : indent}${style.paint(line, tone)}`);
}
