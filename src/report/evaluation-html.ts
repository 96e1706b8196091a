import { intervalPicture } from './evaluation-bars.ts';
import { PAGE_CSS } from './evaluation-css.ts';
import type { Page, PageBlock, PageCell, PageColumn, PageItem, PageTable } from './evaluation-page.ts';
import { type Attributes, type Markup, xmlText } from './svg/markup.ts';

/** Nothing is loaded and nothing runs, whatever an answer or a name tries. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The page as one HTML file that needs nothing beside itself. */
export function pageHtml(page: Page): string {
  const captions = new Map(
    page.sections
      .flatMap(({ blocks }) => blocks)
      .filter((block) => block.kind === 'table')
      .map((block, at) => [block, `table-${at + 1}`]),
  );
  const sections = page.sections.map(({ title, blocks }, at) =>
    tag('section', { 'aria-labelledby': `part-${at + 1}` }, [
      tag('h2', { id: `part-${at + 1}` }, [title]),
      ...blocks.flatMap((block) => blockMarkup(block, captions)),
    ]),
  );
  const { markup } = lines([
    tag('header', {}, [tag('h1', {}, [page.title]), ...page.lead.map((text) => tag('p', {}, [text]))]),
    tag('nav', { 'aria-label': 'Parts of this page' }, [
      tag(
        'ul',
        {},
        page.sections.map(({ title }, at) => tag('li', {}, [tag('a', { href: `#part-${at + 1}` }, [title])])),
      ),
    ]),
    tag('main', {}, [lines(sections)]),
  ]);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${xmlText(page.title)}</title>
<style>${PAGE_CSS}</style>
</head>
<body>
${markup}
</body>
</html>
`;
}

function blockMarkup(block: PageBlock, captions: ReadonlyMap<PageTable, string>): Markup[] {
  switch (block.kind) {
    case 'text':
      return [tag('p', {}, [block.text])];
    case 'list':
      return [listMarkup(block.items)];
    case 'code':
      return [
        tag('p', {}, [`${block.title}:`]),
        // Line by line: a line break is layout here, and nothing to be made visible.
        tag('pre', {}, [{ markup: block.text.trimEnd().split('\n').map(xmlText).join('\n') }]),
      ];
    case 'table':
      return tableMarkup(block, captions.get(block) ?? 'table');
  }
}

function listMarkup(items: readonly PageItem[], attributes: Attributes = {}): Markup {
  return tag(
    'ul',
    attributes,
    items.map(({ term, text }) =>
      tag('li', {}, term === null ? [text] : [tag('strong', {}, [term]), { markup: ': ' }, text]),
    ),
  );
}

/** In a box of its own that scrolls, since a page that scrolls sideways cannot be read on a telephone. */
function tableMarkup({ caption, columns, rows, notes }: PageTable, id: string): Markup[] {
  const head = tag(
    'tr',
    {},
    columns.map((column) => tag('th', { scope: 'col', ...sideOf(column) }, [column.title])),
  );
  const body = rows.map((row) =>
    tag(
      'tr',
      {},
      row.map((one, at) => cellMarkup(one, columns[at], at === 0)),
    ),
  );
  return [
    tag('div', { class: 'scroll', role: 'region', 'aria-labelledby': id, tabindex: '0' }, [
      tag('table', {}, [
        lines([tag('caption', { id }, [caption]), tag('thead', {}, [head]), tag('tbody', {}, [lines(body)])]),
      ]),
    ]),
    ...(notes.length === 0
      ? []
      : [
          listMarkup(
            notes.map((text) => ({ term: null, text })),
            { class: 'notes' },
          ),
        ]),
  ];
}

function cellMarkup({ text, tone, bar }: PageCell, column: PageColumn | undefined, isFirst: boolean): Markup {
  const side = column?.align === 'right' ? ['right'] : [];
  const classes = [...side, ...(tone === null ? [] : [tone])].join(' ');
  const attributes = { ...(isFirst ? { scope: 'row' } : {}), ...(classes === '' ? {} : { class: classes }) };
  return tag(isFirst ? 'th' : 'td', attributes, [text, ...(bar === null ? [] : [intervalPicture(bar)])]);
}

function sideOf({ align }: PageColumn): Attributes {
  return align === 'right' ? { class: 'right' } : {};
}

/** One element of HTML: unlike those of XML it is closed by name also where it is empty. Names are ours, the rest may be anybody's. */
function tag(name: string, attributes: Attributes, children: readonly (Markup | string)[]): Markup {
  const given = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${xmlText(String(value))}"`)
    .join('');
  const inner = children.map((child) => (typeof child === 'string' ? xmlText(child) : child.markup)).join('');
  return { markup: `<${name}${given}>${inner}</${name}>` };
}

/** One below the other, for those who compare two versions of a file. */
function lines(parts: readonly Markup[]): Markup {
  return { markup: `\n${parts.map(({ markup }) => markup).join('\n')}\n` };
}
