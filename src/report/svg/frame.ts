import { label } from './label.ts';
import { element, group, type Markup } from './markup.ts';
import { BOLDER, FONTS, HEADING, LINE, MARGIN, PAPER, SCREEN, TEXT, WIDTH } from './paper.ts';
import { oneLine, wrapped } from './text-width.ts';

/** A part of a figure that takes the whole width; parts stand one below the other. */
export interface Block {
  readonly height: number;
  readonly content: readonly Markup[];
}

export interface FigureParts {
  /** Begins the ids in the document, so that several figures can stand on one page. */
  readonly id: string;
  readonly title: string;
  /** For those who cannot see the figure: what it shows, in sentences. */
  readonly desc: string;
  readonly blocks: readonly Block[];
  /** Small print below. */
  readonly notes: readonly string[];
}

const GAP = 4;

/** The finished document: no script, no style sheet, no reference to anything outside. */
export function svgFigure(parts: FigureParts): string {
  const blocks = [textBlock([parts.title], true), ...parts.blocks, textBlock(parts.notes)];
  const content: Markup[] = [];
  let y = MARGIN;
  for (const block of blocks) {
    content.push(group(block.content, 0, y));
    y += block.height + GAP;
  }
  const height = Math.ceil(y - GAP + MARGIN);
  const id = parts.id.replaceAll(/[^A-Za-z0-9_-]/g, '-');
  const figure = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: WIDTH * SCREEN,
      height: height * SCREEN,
      viewBox: `0 0 ${WIDTH} ${height}`,
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-desc`,
      'font-family': FONTS,
      'font-size': TEXT,
    },
    [
      element('title', { id: `${id}-title` }, [oneLine(parts.title)]),
      element('desc', { id: `${id}-desc` }, [parts.desc]),
      element('rect', { class: 'paper', width: WIDTH, height, fill: PAPER }),
      ...content,
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${figure.markup}\n`;
}

/** Sentences, one after the other. */
export function textBlock(sentences: readonly string[], heading = false): Block {
  const size = heading ? HEADING : TEXT;
  const room = (WIDTH - 2 * MARGIN) / (heading ? BOLDER : 1);
  const found = wrapped(sentences.map(oneLine).join(' '), room, size);
  return {
    height: found.length * LINE,
    content: found.map((text, at) => label(MARGIN, at * LINE + size * 0.9, text, { heading })),
  };
}
