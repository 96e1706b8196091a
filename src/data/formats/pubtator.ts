import type { ReadContext, Row, TextFormat, WrittenCase } from '../format.ts';
import type { Item } from '../item.ts';
import { unknownList, wrong } from '../record-fields.ts';
import { mentionItem, sideOfRole, relationItem } from './mentions.ts';
import { writtenItems, type WrittenMention } from './written-items.ts';

const TITLE = /^([^|\t]+)\|([ta])\|(.*)$/s;

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
  writer: {
    extension: '.pubtator',
    layout: 'text',
    needsText: true,
    idOf: (id) =>
      id
        .toWellFormed()
        .replaceAll(/[|\t\r\n]/g, '_')
        .trim() || '_',
    text: pubtatorText,
  },
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
    for (const one of partsOf(concept)) if (!concepts.has(one)) concepts.set(one, id);
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

/** The title ends where it did; without one, all is title. Line breaks and tabs become spaces, so that places stay. */
function pubtatorText(given: WrittenCase): string {
  const { id } = given;
  const text = [...flat(given.text ?? '')];
  const { title_length: length } = given.fields;
  const at = typeof length === 'number' && text[length] === ' ' ? length : text.length;
  const { mentions, relations } = writtenItems(given, 'm', { mention: CONCEPT });
  const conceptOf = ({ fields, ref }: WrittenMention): string => {
    const { concept } = fields;
    return typeof concept === 'string' && concept !== '' ? flat(concept) : ref;
  };
  const joined = new Set(relations.flatMap(({ source, target }) => [source, target]));
  return [
    `${id}|t|${text.slice(0, at).join('')}`,
    ...(at === text.length ? [] : [`${id}|a|${text.slice(at + 1).join('')}`]),
    ...mentions.map((mention) => {
      const { item, fields } = mention;
      const more = unknownList(fields['more']).map((cell) => flat(String(cell)));
      const concept = joined.has(mention) || 'concept' in fields ? [conceptOf(mention)] : more.length > 0 ? [''] : [];
      return [id, item.start, item.end, flat(item.text), flat(item.label), ...concept, ...more].join('\t');
    }),
    ...relations.flatMap(({ item, source, target }) => {
      if (source === null || target === null) return [];
      const { concepts } = item.fields;
      const named =
        Array.isArray(concepts) && concepts.length === 2 && concepts.every((one) => typeof one === 'string');
      // Those that it was read with, if they are still what its ends are.
      const ends = [source, target].map((end, which) => {
        const own = conceptOf(end);
        const read = named ? String(concepts[which]) : own;
        return partsOf(own).includes(read) ? read : (partsOf(own)[0] ?? own);
      });
      return [[id, flat(item.label), ...ends].join('\t')];
    }),
    '',
    '',
  ].join('\n');
}

/** An id that can be the name of a concept. */
const CONCEPT = /^[^;,|\s]+$/;

/** A mention may be of several concepts. */
function partsOf(concept: string): string[] {
  return concept.split(/[;,|]/).filter((one) => one !== '');
}

function flat(text: string): string {
  return text.replaceAll(/[\t\n\r]/g, ' ');
}
