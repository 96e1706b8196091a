import { element, group, type Markup } from './markup.ts';
import { HEADING, INK, PAPER, TEXT } from './paper.ts';
import { fitted, oneLine } from './text-width.ts';

export interface LabelStyle {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly heading?: boolean;
  /** Room for the text: what is longer is shortened, and the whole of it is in the title. */
  readonly width?: number;
  /** White around the letters, for text on top of what is drawn. */
  readonly halo?: boolean;
}

/** One line of text, its baseline at y. */
export function label(x: number, y: number, text: string, style: LabelStyle = {}): Markup {
  const size = style.heading === true ? HEADING : TEXT;
  const line = oneLine(text);
  const shown = style.width === undefined ? line : fitted(line, style.width, size);
  const anchor = style.anchor === undefined || style.anchor === 'start' ? {} : { 'text-anchor': style.anchor };
  const weight = style.heading === true ? { 'font-weight': 'bold' } : {};
  const place = { x, y, 'font-size': size, ...anchor, ...weight };
  const written = element(
    'text',
    { class: 'ink', ...place, fill: INK },
    shown === line ? [shown] : [element('title', {}, [line]), shown],
  );
  if (style.halo !== true) return written;
  // Drawn twice: not every program that prints SVG knows how to paint the rim first.
  const rim = { stroke: PAPER, 'stroke-width': 2.5, 'stroke-linejoin': 'round' };
  return group([
    element('text', { class: 'paper', ...place, ...rim, fill: PAPER, 'aria-hidden': 'true' }, [shown]),
    written,
  ]);
}
