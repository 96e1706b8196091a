import { safeText } from './safe-text.ts';

/** What Markdown or HTML would act on, besides underscores inside a word. */
const ACTIVE = /[\\`*[\]|~#$!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/**
 * Text from data as plain text of a Markdown table: nothing in it is markup, a link, HTML or the end of a cell.
 *
 * @example markdownText('A|B <b>') // 'A\\|B &lt;b&gt;'
 */
export function markdownText(text: string): string {
  return safeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(ACTIVE, (character) => `\\${character}`);
}

export function markdownTable(
  titles: readonly string[],
  aligns: readonly ('left' | 'right')[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = aligns.map((align) => (align === 'right' ? '---:' : '---'));
  return [line(titles.map(markdownText)), line(rule), ...rows.map((row) => line(row.map(markdownText)))].join('\n');
}

/** A fenced block that its content cannot close. */
export function markdownBlock(language: string, content: string): string {
  const longest = Math.max(2, ...Array.from(content.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const safe = content.split('\n').map(safeText).join('\n').trimEnd();
  return `${fence}${language}\n${safe}\n${fence}`;
}
