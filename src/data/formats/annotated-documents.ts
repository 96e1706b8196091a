import type { JsonFormat, MissingList, ReadContext } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { extraFields, withFields } from '../extra-fields.ts';
import {
  annotationList,
  idOf,
  isRecord,
  isUnfilled,
  listOf,
  missingList,
  textOf,
  without,
  wrong,
} from '../record-fields.ts';
import { isBareText } from '../closest-shape.ts';
import { spanItems } from './span-items.ts';

const IDS = ['doc_id', 'id'];
const NAMES = {
  start: 'start_offset',
  end: 'end_offset',
  label: 'entity_type',
  text: 'span_text',
  annotator: 'annotator',
};
const PREDICTED = { start: 'start', end: 'end', label: 'label', text: 'text' };
const DETECTED_SUFFIX = '_detected_pii';

/** Documents of the Text Anonymization Benchmark's shape, annotations and a system's detections inside. */
export const annotatedDocuments: JsonFormat = {
  kind: 'json',
  name: 'annotated-documents',
  about:
    'documents with annotations (a list, or by annotator as in TAB) and <system>_detected_pii inside (JSON array or JSONL)',
  example:
    '{"doc_id":"d1","text":"…","annotations":[{"annotator":"a1","span_text":"Ann","start_offset":0,"end_offset":3,"entity_type":"PERSON"}],"piranha_detected_pii":[{"label":"GIVENNAME","text":"Ann","start":0,"end":3}]}',
  item: { ids: IDS, input: 'text', answer: { annotations: 'spans' }, names: NAMES, outputs: /_detected_pii$/ },
  neededList: 'annotations',
  detects: (record) => ('annotations' in record && !isUnfilled(record['annotations'])) || systemsIn(record).length > 0,
  mayBe: (record) => 'annotations' in record,
  read(record, line, context) {
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const systems = systemsIn(record);
    const read = new Set([...IDS, 'text', 'annotations', ...systems.map((system) => system + DETECTED_SUFFIX)]);
    const missing = missingLists(record, systems, context);
    const gold = context.role === 'predictions' ? null : annotations(record, line, context);
    return {
      id,
      line,
      text: textOf(record['text'], 'text', line, context),
      fields: without(record, read, line, context),
      gold: context.role === 'cases' && record['annotations'] === null ? null : gold,
      predicted: context.role === 'gold' ? null : detections(record, systems, line, context),
      ...(missing === null ? {} : { missingList: missing }),
      failed: null,
    };
  },
  writer: {
    extension: '.json',
    layout: 'records',
    isArray: true,
    holds: ['both', 'pieces'],
    record({ id, text, side, items, predicted, fields }) {
      const found = side === 'predicted' ? items : predicted;
      const record = {
        doc_id: id,
        ...(text === null ? {} : { text }),
        ...(side === 'predicted' ? {} : { annotations: annotationsOf(items) }),
        ...(found === null ? {} : { [`system${DETECTED_SUFFIX}`]: found.flatMap(detectionRecord) }),
      };
      const others = Object.entries(fields).filter(([name]) => !name.endsWith(DETECTED_SUFFIX));
      return withFields(record, Object.fromEntries(others), new Set([...IDS, 'text', 'annotations']));
    },
  },
};

/** By annotator, as the benchmark has them; a plain list if nobody is named. */
function annotationsOf(items: readonly Item[]): unknown {
  if (items.every(({ annotator }) => annotator === null)) return items.flatMap(mentionRecord);
  const groups = Map.groupBy(items, ({ annotator }) => annotator ?? 'annotator1');
  return Object.fromEntries([...groups].map(([name, own]) => [name, { entity_mentions: own.flatMap(mentionRecord) }]));
}

/** A mention as the benchmark has it, with what else is known of it. */
function mentionRecord(item: Item): Fields[] {
  const { kind, label, text, start, end } = item;
  if (kind === 'relationship') return [];
  const record = { entity_type: label, span_text: text, start_offset: start, end_offset: end, ...piecesOf(item) };
  return [withFields(record, extraFields(item), new Set(['annotator', 'fragments']))];
}

function detectionRecord(item: Item): Fields[] {
  const { kind, label, text, start, end } = item;
  if (kind === 'relationship') return [];
  return [withFields({ label, text, start, end, ...piecesOf(item) }, extraFields(item), new Set(['fragments']))];
}

function piecesOf({ fragments }: Item): Fields {
  return fragments === undefined ? {} : { fragments: fragments.map((piece) => [piece.start, piece.end]) };
}

function systemsIn(record: Fields): string[] {
  return Object.keys(record)
    .filter((key) => key.endsWith(DETECTED_SUFFIX))
    .map((key) => key.slice(0, -DETECTED_SUFFIX.length));
}

/** What the document has instead of a list; one of cases may be a text without annotations, or without an answer. */
function missingLists(record: Fields, systems: readonly string[], { role }: ReadContext): MissingList | null {
  const { annotations: own } = record;
  const detected = systems.map((system) => system + DETECTED_SUFFIX);
  const missing = missingList(record, role === 'predictions' ? detected : ['annotations']);
  const isNull = isRecord(own) && role !== 'predictions' && Object.values(own).some(lacksMentions);
  return isNull || missing === 'null' ? 'null' : role === 'gold' ? missing : null;
}

/** Whether an annotator has no list of mentions, or null in its place. */
function lacksMentions(own: unknown): boolean {
  return isRecord(own) && missingList(own, ['entity_mentions']) !== null;
}

function annotations(record: Fields, line: number, context: ReadContext): Item[] | null {
  const given = record['annotations'];
  if (given === undefined && context.role === 'cases') return null;
  if (isRecord(given)) return byAnnotator(given, line, context);
  const annotated = annotationList(record, ['annotations'], line, context);
  if (annotated?.missing === 'absent' && !isBareText(record))
    return wrong(context, line, 'annotations', 'a list', undefined);
  return annotated && spanItems(annotated.list, NAMES, 'annotations', line, context);
}

/** TAB's own shape: annotations.<annotator>.entity_mentions. Mentions are numbered through, so that each has a name. */
function byAnnotator(given: Fields, line: number, context: ReadContext): Item[] {
  const items: Item[] = [];
  for (const [annotator, own] of Object.entries(given)) {
    const field = `annotations.${annotator}.entity_mentions`;
    const list = lacksMentions(own)
      ? []
      : listOf(isRecord(own) ? own['entity_mentions'] : undefined, field, line, context);
    if (list === null) continue;
    const before = items.length;
    for (const item of spanItems(list, NAMES, field, line, context))
      items.push({ ...item, index: before + item.index, annotator });
  }
  return items;
}

function detections(record: Fields, systems: readonly string[], line: number, context: ReadContext): Item[] | null {
  const wanted = context.options.system ?? (systems.length === 1 ? systems[0] : undefined);
  if (wanted === undefined && systems.length > 1)
    return wrong(
      context,
      line,
      `*${DETECTED_SUFFIX}`,
      "one system's detections",
      systems.join(', '),
      `choose with --set data.system=${systems.join(' or ')}`,
    );
  const field = (wanted ?? '<system>') + DETECTED_SUFFIX;
  if (wanted === undefined || !Object.hasOwn(record, field)) {
    // A document without any detections was not answered; one with those of other systems only is a wrong name.
    if (systems.length === 0 && context.role === 'cases') return null;
    const others = systems.length > 0 ? `this record has ${systems.join(', ')}` : undefined;
    return wrong(context, line, field, 'a list of detections', undefined, others);
  }
  const list = listOf(record[field] ?? [], field, line, context);
  return list === null ? null : spanItems(list, PREDICTED, field, line, context);
}
