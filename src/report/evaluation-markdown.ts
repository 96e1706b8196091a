import type { Page, PageBlock, PageItem } from './evaluation-page.ts';
import { markdownBlock, markdownTable, markdownText } from './markdown-text.ts';

/** The page as Markdown. */
export function pageMarkdown({ title, lead, sections }: Page): string {
  const parts = [
    `# ${markdownText(title)}`,
    ...lead.map(markdownText),
    ...sections.flatMap((section) => [`## ${markdownText(section.title)}`, ...section.blocks.flatMap(blockParts)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function blockParts(block: PageBlock): string[] {
  switch (block.kind) {
    case 'text':
      return [markdownText(block.text)];
    case 'list':
      return [listText(block.items)];
    case 'code':
      return [`${markdownText(block.title)}:`, markdownBlock('', block.text)];
    case 'table':
      return [
        `### ${markdownText(block.caption)}`,
        markdownTable(
          block.columns.map((column) => column.title),
          block.columns.map(({ align }) => align),
          block.rows.map((row) => row.map(({ text }) => text)),
        ),
        ...(block.notes.length === 0 ? [] : [listText(block.notes.map((text) => ({ term: null, text })))]),
      ];
  }
}

function listText(items: readonly PageItem[]): string {
  return items
    .map(({ term, text }) => `- ${term === null ? '' : `**${markdownText(term)}**: `}${markdownText(text)}`)
    .join('\n');
}
