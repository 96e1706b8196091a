import type { ReadContext, Row, TextFormat, WrittenCase } from '../format.ts';
import type { Item } from '../item.ts';
import { wrong, unknownList } from '../record-fields.ts';
import { mentionItem, sideOfRole, relationItem } from './mentions.ts';
import { writtenItems } from './written-items.ts';

const TITLE = /^([^|\t]+)\|([ta])\|(.*)$/;

/**
 * PubTator: an abstract as `PMID|t|title` and `PMID|a|abstract`, then a line for each mention (id, start, end, text, type,
 * concept) and relation (id, type, concept, concept), and a blank line. The text is the title, a space and the abstract.
 * https://www.ncbi.nlm.nih.gov/research/pubtator3/tutorial
 */
export const pubtator: TextFormat = {
  kind: 'text',
  name: 'pubtator',
  about: 'PubTator: title and abstract, then mentions and relations, tab-separated',
  example: '1|t|Ann met Bo.',
  extensions: ['.pubtator'],
  detects: (lines) => /^[^|\t]+\|t\|/.test(lines[0] ?? ''),
  async *read(records, context) {
    let document: Document | null = null;
    const rows: Row[] = [];
    for await (const batch of records.lines()) {
      for (const { text, line } of batch) {
        const [, id = '', part = '', words = ''] = TITLE.exec(text) ?? [];
        if (part === 't' && document !== null) rows.push(rowOf(document, context));
        if (part === 't')
          document = { id: id.trim(), line, title: words, abstract: null, items: [], concepts: new Map() };
        else if (document === null) wrong(context, line, 'line', 'a title, ID|t|TITLE', text);
        else if (part === 'a') document.abstract = words;
        else takeLine(document, text, line, context);
      }
      yield rows.splice(0);
    }
    if (document !== null) yield [rowOf(document, context)];
  },
  writer: { extension: '.pubtator', layout: 'text', text: pubtatorText },
};

interface Document {
  readonly id: string;
  readonly line: number;
  readonly title: string;
  abstract: string | null;
  readonly items: Item[];
  /** The first mention of each concept, which relations are between. */
  readonly concepts: Map<string, string>;
}

function takeLine(document: Document, text: string, line: number, context: ReadContext): void {
  const cells = text.split('\t');
  const { items, concepts } = document;
  const place = { index: items.length, line, field: '', context };
  if (cells.length >= 5 && /^\d+$/.test(cells[1]!)) {
    const [, start = '', end = '', words = '', label = '', concept = '', ...more] = cells;
    const id = `m${items.length}`;
    for (const one of concept.split(/[;,|]/).filter(Boolean)) if (!concepts.has(one)) concepts.set(one, id);
    const fields = { ...(concept === '' ? {} : { concept }), ...(more.length === 0 ? {} : { more }) };
    const item = mentionItem({ id, start: Number(start), end: Number(end), text: words, label, fields }, place);
    if (item !== null) items.push(item);
  } else if (cells.length >= 4) {
    const [, label = '', source = '', target = ''] = cells;
    const ends = { source: concepts.get(source) ?? source, target: concepts.get(target) ?? target };
    const item = relationItem({ label, ...ends, fields: { concepts: [source, target] } }, place);
    if (item !== null) items.push(item);
  } else wrong(context, line, 'line', 'a mention (id, start, end, text, type) or a relation (id, type, a, b)', text);
}

function rowOf({ id, line, title, abstract, items }: Document, context: ReadContext): Row {
  const text = abstract === null ? title : `${title} ${abstract}`;
  const fields = abstract === null ? {} : { title_length: [...title].length };
  return { id, line, text, fields, ...sideOfRole(items, context), failed: null, unit: 'codepoint' };
}

/** The title ends where it did, or with the first line; line breaks become spaces, so that places stay. */
function pubtatorText(given: WrittenCase): string {
  const text = [...(given.text ?? '').replaceAll(/\r\n|[\r\n\t\u2028]/g, (line) => ' '.repeat(line.length))];
  const { title_length: length } = given.fields;
  const at = typeof length === 'number' && text[length] === ' ' ? length : text.length;
  const { mentions, relations } = writtenItems(given, 'm');
  const id = given.id.replaceAll(/[|\t\n]/g, '_');
  const conceptOf = ({ fields, ref }: { readonly fields: Item['fields']; readonly ref: string }): string =>
    typeof fields['concept'] === 'string' ? fields['concept'] : ref;
  const joined = new Set(relations.flatMap(({ source, target }) => [source, target]));
  return [
    `${id}|t|${text.slice(0, at).join('')}`,
    ...(at === text.length ? [] : [`${id}|a|${text.slice(at + 1).join('')}`]),
    ...mentions.flatMap((mention) => {
      const { item, fields } = mention;
      if (item.start < 0) return [];
      const concept = joined.has(mention) || 'concept' in fields ? [conceptOf(mention)] : [];
      const more = unknownList(fields['more']).map(String);
      return [
        [id, item.start, item.end, item.text.replaceAll(/[\t\r\n]/g, ' '), item.label, ...concept, ...more].join('\t'),
      ];
    }),
    ...relations.flatMap(({ item, source, target }) => {
      const { concepts } = item.fields;
      const own = unknownList(concepts).map(String);
      const ends = own.length > 0 ? own : [source && conceptOf(source), target && conceptOf(target)];
      return source === null || target === null ? [] : [[id, item.label, ...ends].join('\t')];
    }),
    '',
    '',
  ].join('\n');
}
