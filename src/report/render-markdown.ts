import { count } from '../text/figures.ts';
import {
  type Block,
  type Document,
  hasTitles,
  type List,
  listEntry,
  MARKS,
  piecesOf,
  unstyledText,
  shownOn,
  type Table,
  type Text,
  webAddress,
} from './document.ts';
import { MARKED_STYLE, markedLines } from './render-marked-text.ts';
import { safeText } from './safe-text.ts';

/** Rows of a table on a page; the JSON has all of them. */
const MOST_ROWS = 1000;

/** A document as a Markdown page: nothing in it is markup, a link or a mention that does not come from here. */
export function renderMarkdown(document: Document): string {
  const { title, about, mark } = document;
  const parts = [
    heading(1, title, mark),
    ...(about === undefined ? [] : [inline(about)]),
    ...shownOn('page', document).flatMap(({ title: own, about: beside, mark: sign, level = 2, folded, blocks }) => {
      const body = [...(beside === undefined ? [] : [plain(beside)]), ...blocks.flatMap(blockParts)];
      if (own === undefined) return body;
      return folded === true
        ? [`<details>\n<summary>${plain(own)}</summary>\n\n${body.join('\n\n')}\n\n</details>`]
        : [heading(level, own, sign), ...body];
    }),
  ];
  return `${parts.join('\n\n')}\n`;
}

function heading(level: number, title: string, mark?: keyof typeof MARKS): string {
  return `${'#'.repeat(level)} ${mark === undefined ? '' : `${MARKS[mark].sign} `}${plain(title)}`;
}

function blockParts(block: Block): string[] {
  if ('rows' in block) return tableParts(block);
  if ('list' in block) return listParts(block);
  if ('code' in block)
    return [...(block.lead === undefined ? [] : [plain(block.lead)]), markdownBlock(block.language ?? '', block.code)];
  if ('marked' in block) return [markdownBlock('', markedLines(block, MARKED_STYLE).join('\n'))];
  if ('picture' in block) return [`![${plain(block.alt)}](${encodeURI(block.picture)})`];
  const sign = block.mark === undefined ? '' : `${MARKS[block.mark].sign} `;
  const text = inline(block.text);
  return [`${sign}${block.tone === 'strong' ? `**${text}**` : text}`];
}

function listParts({ list, lead, mark, total }: List): string[] {
  const rest = (total ?? list.length) - list.length;
  const lines = list.map((entry) => {
    const { item, note, mark: own = mark } = listEntry(entry);
    const sign = own === undefined ? '' : `${MARKS[own].sign} `;
    const joint = /[.!?…]$/.test(unstyledText(item)) ? ' ' : ': ';
    return `- ${sign}${inline(item)}${note === null ? '' : `${joint}${plain(note)}`}`;
  });
  return [
    ...(lead === undefined ? [] : [plain(lead)]),
    [...lines, ...(rest > 0 ? [`- … and ${count(rest)} more`] : [])].join('\n'),
  ];
}

function tableParts(table: Table): string[] {
  const { columns, rows, lead, remarks = [], total = rows.length, rest = ': --json has all of them' } = table;
  if (!hasTitles(table)) {
    const pairs = rows.map((row) => {
      const [name = '', ...cells] = 'group' in row ? [row.group] : row;
      return `${inline(name)}: ${cells
        .map(inline)
        .filter((cell) => cell !== '')
        .join(', ')}`;
    });
    return [[...pairs, ...remarks.map(plain)].map((line) => `- ${line}`).join('\n')];
  }
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const left = total - Math.min(rows.length, MOST_ROWS);
  return [
    ...(lead === undefined ? [] : [heading(3, lead)]),
    [
      line(columns.map(({ title }) => plain(title))),
      line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
      ...rows.slice(0, MOST_ROWS).map((row) => {
        return line(
          'group' in row ? columns.map((_, at) => (at === 0 ? `**${plain(row.group)}**` : '')) : row.map(inline),
        );
      }),
    ].join('\n'),
    ...(left > 0 ? [`… and ${count(left)} more${rest}`] : []),
    ...(remarks.length === 0 ? [] : [remarks.map((remark) => `- ${plain(remark)}`).join('\n')]),
  ];
}

function inline(text: Text): string {
  return piecesOf(text)
    .map(({ text: own, tone, code, link }) => {
      const address = link === true ? webAddress(own) : null;
      if (address !== null) return `<${address}>`;
      if (code === true) return codeText(own);
      return tone === 'strong' ? `**${plain(own)}**` : plain(own);
    })
    .join('');
}

/** In code, GitHub makes no mention, link or reference to an issue of a name. */
function codeText(text: string): string {
  return `<code>${markdownText(text).replaceAll('@', '&#64;').replaceAll('://', ':&#47;&#47;')}</code>`;
}

/** Mentions, links and references to issues, which GitHub makes of plain text, are broken up by empty comments. */
function plain(text: string): string {
  return markdownText(text).replaceAll(/@|(?<=\\)#|:(?=\/\/)|\bwww(?=\.)/gi, (character) => `${character}<!-- -->`);
}

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

/** A fenced block that its content cannot close. */
export function markdownBlock(language: string, content: string): string {
  const longest = Math.max(2, ...Array.from(content.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const safe = content.split('\n').map(safeText).join('\n').trimEnd();
  return `${fence}${language}\n${safe}\n${fence}`;
}
