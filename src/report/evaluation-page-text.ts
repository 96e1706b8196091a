import type { Page, PageBlock, PageTone } from './evaluation-page.ts';
import { prose } from './prose.ts';
import { quietLines } from './quiet-lines.ts';
import type { Style, Tone } from './style.ts';
import { type Cell, tableLines } from './table.ts';

const TONES: Readonly<Record<PageTone, Tone>> = { good: 'good', warn: 'warn', bad: 'bad', quiet: 'quiet' };

/** A page for a terminal: the same tables and sentences, without what only a page needs. */
export function pageText({ title, lead, sections }: Page, style: Style, without: ReadonlySet<string>): string {
  const blocks = sections.filter((section) => !without.has(section.title)).flatMap((section) => section.blocks);
  const parts = [
    [style.paint(title, 'strong'), ...lead.flatMap((text) => prose(text, style))],
    ...blocks.map((block) => blockLines(block, style)),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function blockLines(block: PageBlock, style: Style): string[] {
  switch (block.kind) {
    case 'text':
      return prose(block.text, style);
    case 'list':
      return block.items.flatMap(({ term, text }) =>
        prose(term === null ? text : `${term}: ${text}`, style, `${style.paint('!', 'warn')} `, '  '),
      );
    case 'code':
      return [];
    case 'table':
      return [
        ...prose(block.caption, style, '', '', 'strong'),
        ...tableLines(
          block.columns.map((column) => ({ ...column, shrinks: column.align === 'left' })),
          block.rows.map((row) =>
            row.map((one): Cell => ({ text: one.text, tone: one.tone === null ? null : TONES[one.tone] })),
          ),
          style,
          '  ',
        ),
        ...block.notes.flatMap((text) => quietLines(text, style)),
      ];
  }
}
