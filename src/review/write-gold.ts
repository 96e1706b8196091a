import type { Row } from '../data/format.ts';
import type { Fields, Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { visible } from '../data/visible.ts';

type RecordOf = (row: Row, items: readonly Item[]) => Fields;

/** What an item is called in these files has its own names there. */
const FORMATS: Readonly<Record<string, RecordOf>> = {
  spans: ({ id, text }, items) => ({
    id,
    text,
    spans: items.map((item) => {
      const { start, end, label, text: words } = item;
      return { start, end, label, text: words, ...extra(item) };
    }),
  }),
  'annotated-documents': ({ id, text }, items) => ({
    doc_id: id,
    text,
    annotations: items.map((item) => {
      const { start: start_offset, end: end_offset, label: entity_type, text: span_text, annotator } = item;
      return { annotator, span_text, start_offset, end_offset, entity_type, ...extra(item) };
    }),
  }),
  journal: ({ id, text }, items) => ({
    journal_id: id,
    text,
    items: items.map((item) => ({ ...item.fields, domain: item.label, evidence_span: item.text })),
  }),
  graph: ({ id, text }, items) => ({
    id,
    ...(text === null ? {} : { text }),
    expected_output: {
      entities: items
        .filter(({ kind }) => kind === 'entity')
        .map(({ fields, text: name, label: type }) => ({ ...fields, name, type })),
      relationships: items
        .filter(({ kind }) => kind === 'relationship')
        .map(({ fields, source, target, label: type }) => {
          const { relationship_type: _, source_ref: __, target_ref: ___, ...more } = fields;
          return { ...more, source_name: source, target_name: target, type };
        }),
    },
  }),
};

/** Names that the readers of these formats give a meaning of their own. */
const TAKEN = new Set([
  'id',
  'doc_id',
  'case',
  'item_id',
  'text',
  'spans',
  'gold',
  'predicted',
  'predictions',
  'items',
]);

/**
 * Gold annotations as JSONL. Without a format that follows from what the rows hold: `spans`, or `annotated-documents` if
 * items name their annotators, `journal` for objects, `graph` for entities and relationships.
 */
export function writeGold(rows: readonly Row[], format?: string): string {
  const name = format ?? formatFor(rows);
  const recordOf = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (recordOf === undefined)
    throw new UsageError(
      `gold cannot be written in the format ${visible(name)}`,
      `formats: ${Object.keys(FORMATS).join(', ')}`,
    );
  return rows
    .map((row) => {
      const record = recordOf(row, row.gold ?? []);
      const fields = Object.entries(row.fields).filter(([key]) => !TAKEN.has(key) && !Object.hasOwn(record, key));
      return `${JSON.stringify({ ...record, ...Object.fromEntries(fields) })}\n`;
    })
    .join('');
}

function formatFor(rows: readonly Row[]): string {
  const items = rows.flatMap(({ gold }) => gold ?? []);
  if (items.some(({ kind }) => kind === 'entity' || kind === 'relationship')) return 'graph';
  if (items.some(({ kind }) => kind === 'object')) return 'journal';
  return items.some(({ annotator }) => annotator !== null) ? 'annotated-documents' : 'spans';
}

/** What a record had beside its place, label and words, which may have been corrected since. */
function extra({ fields }: Item): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !SPAN_NAMES.has(key)));
}

const SPAN_NAMES = new Set('start end label text start_offset end_offset entity_type span_text annotator'.split(' '));
