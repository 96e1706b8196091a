import { count } from '../text/figures.ts';
import {
  type Block,
  type Document,
  hasTitles,
  type IntervalBar,
  type List,
  listEntry,
  type StatusMark,
  MARKS,
  piecesOf,
  unstyledText,
  present,
  shownOn,
  type Table,
  type Text,
  webAddress,
} from './document.ts';
import { DOCUMENT_CSS } from './document-css.ts';
import { MARKED_STYLE, markedLines } from './render-marked-text.ts';
import type { Tone } from './style.ts';
import { drawMark, UNITS } from './svg/draw-mark.ts';
import type { Mark } from './svg/marks.ts';
import { element, type Markup, xmlText } from './svg/markup.ts';

/** Nothing is loaded and nothing runs, whatever an answer or a name tries. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A document as one HTML file in the look of report.html: it needs no other file and no script. */
export function renderHtml(document: Document): string {
  const { title, about, mark } = document;
  const sections = shownOn('page', document).map((section, at) => ({ ...section, id: `part-${at + 1}` }));
  const links = sections.flatMap(({ id, title: own, level = 2, folded }) =>
    own === undefined || level !== 2 || folded === true ? [] : [escaped`<li><a href="#${id}">${own}</a></li>`],
  );
  const body = sections.map(({ id, title: own, about: beside, mark: sign, level = 2, folded, blocks }) => {
    const quiet = beside === undefined ? NOTHING : escaped`<p class="quiet">${beside}</p>`;
    const inner = escaped`${quiet}${blocks.map((block) => blockMarkup(block, own ?? title))}`;
    if (own === undefined) return escaped`<section>${inner}</section>\n`;
    if (folded === true) return escaped`<details><summary>${own}</summary>${inner}</details>\n`;
    const [name, kind] = level === 2 ? ['h2', 'outer'] : ['h3', 'inner'];
    const heading = escaped`<${name} id="${id}">${signOf(sign)}${own}</${name}>`;
    return escaped`<section class="${kind}" aria-labelledby="${id}">${heading}${inner}</section>\n`;
  });
  return escaped`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: POLICY }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: DOCUMENT_CSS }}</style>
</head>
<body>
<header><h1>${signOf(mark)}${title}</h1>
${about === undefined ? NOTHING : escaped`<p>${inline(about)}</p>`}
${links.length < 3 ? NOTHING : escaped`<nav aria-label="Parts of this page"><ul>${links}</ul></nav>`}</header>
<main>
${body}</main>
</body>
</html>
`.markup;
}

/** Markup with values filled in: text is escaped, and only what is markup itself stays as it is. */
function escaped(parts: TemplateStringsArray, ...values: readonly (string | Markup | readonly Markup[])[]): Markup {
  const filled = values.map((value) =>
    typeof value === 'string' ? xmlText(value) : [value].flat().reduce((text, { markup }) => text + markup, ''),
  );
  return { markup: String.raw({ raw: parts }, ...filled) };
}

const NOTHING: Markup = { markup: '' };

function blockMarkup(block: Block, heading: string): Markup {
  if ('rows' in block) return hasTitles(block) ? tableMarkup(block, heading) : pairsMarkup(block);
  if ('list' in block) return listMarkup(block);
  if ('code' in block) return escaped`${leadOf(block.lead)}${preMarkup(block.code.trimEnd().split('\n'))}`;
  if ('marked' in block) return preMarkup(markedLines(block, MARKED_STYLE));
  // The page loads no file: it links to the picture.
  if ('picture' in block) return escaped`<p><a href="${encodeURI(block.picture)}">${block.alt}</a></p>\n`;
  return escaped`<p${classOf(block.tone)}>${signOf(block.mark)}${inline(block.text)}</p>\n`;
}

/** Line by line: a line break is layout here, not a character to make visible. */
function preMarkup(lines: readonly string[]): Markup {
  return escaped`<pre>${{ markup: lines.map(xmlText).join('\n') }}</pre>\n`;
}

function leadOf(lead: string | undefined): Markup {
  return lead === undefined ? NOTHING : escaped`<p>${lead}</p>`;
}

function listMarkup({ list, lead, mark, total = list.length }: List): Markup {
  const items = list.map((entry) => {
    const { item, note, mark: sign = mark } = listEntry(entry);
    const joint = /[.!?…]$/.test(unstyledText(item)) ? ' ' : ': ';
    return escaped`<li>${signOf(sign)}${inline(item)}${note === null ? '' : `${joint}${note}`}</li>\n`;
  });
  const rest = total - list.length;
  const more = rest > 0 ? escaped`<li>… and ${count(rest)} more</li>` : NOTHING;
  return escaped`${leadOf(lead)}<ul class="${mark === undefined ? 'bullets' : 'marks'}">${items}${more}</ul>\n`;
}

/** Names with what belongs to each. */
function pairsMarkup({ rows, remarks = [] }: Table): Markup {
  const pairs = rows.map((row) => {
    const [name = '', ...cells] = 'group' in row ? [row.group] : row;
    return escaped`<dt>${inline(name)}</dt><dd>${cells.map((cell) => escaped`${inline(cell)} `)}</dd>\n`;
  });
  return escaped`<dl>${pairs}</dl>${remarksMarkup(remarks)}`;
}

/** In a box that scrolls, since a page that scrolls sideways cannot be read on a telephone. */
function tableMarkup(
  { columns, rows, lead, remarks = [], total = rows.length, rest = ': --json has all of them' }: Table,
  heading: string,
): Markup {
  const side = (at: number): Markup => (columns[at]?.align === 'right' ? { markup: ' class="number"' } : NOTHING);
  const head = columns.map(({ title }, at) => escaped`<th scope="col"${side(at)}>${title}</th>`);
  const body = rows.map((row) => {
    if ('group' in row) {
      const all = String(columns.length);
      return escaped`<tr class="group"><th scope="rowgroup" colspan="${all}"><span${classOf(row.tone)}>${row.group}</span></th></tr>\n`;
    }
    const [first = '', ...others] = row;
    const cells = others.map((cell, at) => escaped`<td${side(at + 1)}>${inline(cell)}</td>`);
    return escaped`<tr><th scope="row"${side(0)}>${rowTitle(first)}</th>${cells}</tr>\n`;
  });
  const caption = lead === undefined ? NOTHING : escaped`<caption>${lead}</caption>`;
  const left = total - rows.length;
  const more = left > 0 ? [`… and ${count(left)} more${rest}`] : [];
  return escaped`<div class="table-scroll" role="region" aria-label="${lead ?? heading}" tabindex="0"><table>${caption}
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>
${remarksMarkup([...more, ...remarks])}`;
}

/** A name such as hallucination_rate_low may break after an underscore. */
function rowTitle(text: Text): Markup {
  return typeof text === 'string' ? { markup: xmlText(text).replaceAll('_', '_<wbr>') } : inline(text);
}

function remarksMarkup(remarks: readonly string[]): Markup {
  if (remarks.length === 0) return NOTHING;
  return escaped`<ul class="remarks">${remarks.map((remark) => escaped`<li>${remark}</li>\n`)}</ul>\n`;
}

function inline(text: Text): Markup {
  const pieces = piecesOf(text).map(({ text: own, tone, code, link, bar }) => {
    const address = link === true ? webAddress(own) : null;
    const plain = code === true ? escaped`<code>${own}</code>` : escaped`${own}`;
    const shown = address === null ? plain : escaped`<a href="${address}">${own}</a>`;
    const toned = tone == null ? shown : escaped`<span${classOf(tone)}>${shown}</span>`;
    return bar == null ? toned : escaped`${toned}${barMarkup(bar)}`;
  });
  return escaped`${pieces}`;
}

function classOf(tone: Tone | null | undefined): Markup {
  return tone == null ? NOTHING : escaped` class="${tone}"`;
}

function signOf(mark: StatusMark | undefined): Markup {
  if (mark === undefined) return NOTHING;
  const { symbol, tone } = MARKS[mark];
  return escaped`<span class="mark ${tone}" role="img" aria-label="${mark}">${symbol}</span>`;
}

const BAR = { width: 120, height: 12 };
/** So that a dot at an end of the line is whole. */
const EDGE = 4;

/**
 * A dot with its whiskers on a line that is the whole range, and a tick at the value to aim at. Hidden from screen
 * readers: the text has the same.
 */
function barMarkup({ value, interval, ends: [least, most], aim }: IntervalBar): Markup {
  const [size, y] = [most - least, BAR.height / 2];
  if (size <= 0 || !Number.isFinite(size)) return NOTHING;
  const inside = (place: number): number => (Math.min(most, Math.max(least, place)) - least) / size;
  const frame = { x: (place: number) => EDGE + inside(place) * (BAR.width - 2 * EDGE), y: UNITS.y };
  const colour = 'currentColor';
  const marks: Mark[] = present([
    { mark: 'rule', x: [least, most], y, colour, class: 'line' },
    aim !== null && aim >= least && aim <= most && { mark: 'rule', x: aim, y: [y - 5, y + 5], colour, class: 'aim' },
    { mark: 'point', x: value, y, xInterval: interval, shape: 'circle', size: 2.6, colour },
  ]);
  const box = { ...BAR, viewBox: `0 0 ${BAR.width} ${BAR.height}`, 'aria-hidden': 'true' };
  return element(
    'svg',
    { class: 'bar', ...box },
    marks.flatMap((mark) => drawMark(mark, frame)),
  );
}
