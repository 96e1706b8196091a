import { svgFigure, textBlock } from './frame.ts';
import { NO_CLAIM } from './small-print.ts';

/** A figure without anything to draw says so in words. */
export function emptyFigure(id: string, title: string, why: string, more: readonly string[] = []): string {
  const words = [`Nothing can be drawn: ${why}.`];
  return svgFigure({
    id,
    title,
    desc: words.join(' '),
    blocks: [textBlock(words)],
    notes: ['No interval, n = 0.', ...more, NO_CLAIM],
  });
}
