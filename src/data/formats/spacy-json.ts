import type { JsonFormat } from '../format.ts';
import { withFields } from '../extra-fields.ts';
import type { Fields } from '../item.ts';
import { annotationList, hasEmptyList, isRecord, isUnfilled, unknownList } from '../record-fields.ts';
import { categoriesOf } from './categories.ts';
import { mentionItem, sideOfRole } from './mentions.ts';
import { hasList, mentionRecords } from './mention-records.ts';
import { writtenItems } from './written-items.ts';

const READ = new Set(['id', 'doc_id', 'text', 'ents', 'error']);
const NAMING = new Set(['id', 'text']);
/** What else spaCy takes beside the entities of an example; it refuses other names. */
const ANNOTATIONS = new Set('cats links spans words spaces tags pos lemmas deps heads morphs sent_starts'.split(' '));

/** Documents as spaCy's `Doc.to_json` writes them. https://spacy.io/api/doc#to_json */
export const spacyJson: JsonFormat = mentionRecords({
  name: 'spacy-json',
  about: 'documents of spaCy’s Doc.to_json: text with ents',
  example: '{"text":"Ann met Bo.","ents":[{"start":0,"end":3,"label":"PERSON"}]}',
  unit: 'codepoint',
  ids: ['id', 'doc_id'],
  texts: ['text'],
  mentions: ['ents'],
  categories: ['cats'],
  leftOut: groupedSpans,
  detects: (record) => hasList(record, ['ents'], ['start', 'end', 'label']) && typeof record['text'] === 'string',
  mayBe: (record) =>
    isUnfilled(record['ents']) &&
    // An empty list is that of another tool: spaCy's spans are in groups.
    !Array.isArray(record['spans']) &&
    ('ents' in record || (typeof record['text'] === 'string' && hasList(record, ['tokens'], ['id', 'start', 'end']))),
  mention: ({ start, end, label, text, id: _, ...fields }) => ({ start, end, label, text, fields }),
  writer: {
    extension: '.jsonl',
    layout: 'records',
    needsText: true,
    record(given) {
      const ents = writtenItems(given).mentions.map(({ item, fields }) =>
        withFields({ start: item.start, end: item.end, label: item.label }, fields, NAMING),
      );
      return withFields({ id: given.id, text: given.text ?? '', ents }, given.fields, READ);
    },
  },
});

/** Spans of `doc.spans`, which may overlap: they are not entities. */
function groupedSpans({ spans }: Fields): string[] {
  return Object.entries(isRecord(spans) ? spans : {}).flatMap(([group, list]) =>
    unknownList(list).map((raw) => `span ${String(isRecord(raw) ? raw['label'] : '')} of the group ${group}`),
  );
}

/** spaCy's simple training data: pairs of a text and `{"entities": [[start, end, label]]}`. */
export const spacyPairs: JsonFormat = {
  kind: 'json',
  name: 'spacy-pairs',
  about: 'spaCy training data: pairs of a text and {"entities": [[start, end, label]]}',
  example: '[["Ann met Bo.",{"entities":[[0,3,"PERSON"]]}]]',
  detects: (record) =>
    typeof record['text'] === 'string' &&
    Array.isArray(record['entities']) &&
    record['entities'].length > 0 &&
    record['entities'].every(Array.isArray),
  mayBe: (record) => typeof record['text'] === 'string' && hasEmptyList(record, ['entities']),
  read(record, line, context) {
    const { text, entities: _, id, ...fields } = record;
    const entities = annotationList(record, ['entities'], line, context);
    const items = entities?.list.flatMap((raw, index) => {
      const [start, end, label] = unknownList(raw);
      return mentionItem({ start, end, label }, { index, line, field: `entities[${index}]`, context }) ?? [];
    });
    const { numbering } = context;
    const name = typeof id === 'string' || typeof id === 'number' ? String(id) : null;
    if (name === null && numbering !== undefined) numbering.used += 1;
    const row = { id: name ?? String(numbering?.at ?? line), line, fields, failed: null, unit: 'codepoint' as const };
    return {
      ...row,
      text: typeof text === 'string' ? text : null,
      ...sideOfRole(items ?? null, context, entities?.missing),
      ...categoriesOf(record),
    };
  },
  writer: {
    extension: '.json',
    layout: 'records',
    isArray: true,
    needsText: true,
    record({ text, items, fields }) {
      const spans = items.filter(({ kind }) => kind !== 'relationship');
      const entities = spans.map(({ start, end, label }) => [start, end, label]);
      const known = Object.fromEntries(Object.entries(fields).filter(([name]) => ANNOTATIONS.has(name)));
      return [[text ?? '', { entities, ...known }]];
    },
  },
};
