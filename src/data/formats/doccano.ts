import type { JsonFormat, ReadContext } from '../format.ts';
import type { Item } from '../item.ts';
import { withFields } from '../extra-fields.ts';
import { annotationList, hasEmptyList, idOf, isRecord, textOf, without, unknownList } from '../record-fields.ts';
import { categoriesOf } from './categories.ts';
import { mentionItem, sideOfRole, relationItem } from './mentions.ts';
import { writtenItems } from './written-items.ts';

const LISTS = ['label', 'labels', 'entities', 'annotations'];
const READ = new Set(['id', 'text', 'relations', ...LISTS]);

/**
 * Exports of doccano: sequence labelling with `[start, end, label]` lists under `label` or `labels`, the older list of
 * `annotations` by user, and `entities` with `relations`. https://doccano.github.io/doccano
 */
export const doccano: JsonFormat = {
  kind: 'json',
  name: 'doccano',
  about: 'exports of doccano: label lists, annotations by user, entities with relations',
  example: '{"id":1,"text":"Ann met Bo.","label":[[0,3,"PERSON"]]}',
  detects: (record) =>
    typeof record['text'] === 'string' &&
    LISTS.some((name) => looksLikeDoccano(record[name], name) && !isForeign(record[name])),
  mayBe: (record) =>
    typeof record['text'] === 'string' &&
    // Documents of other tools have annotations too, and other names for their ids.
    hasEmptyList(record, 'id' in record ? ['label', 'labels', 'annotations'] : ['label', 'labels']),
  read(record, line, context) {
    const id = idOf(record, ['id'], line, context);
    if (id === null) return null;
    const likely = LISTS.filter((one) => looksLikeDoccano(record[one], one));
    const labels = annotationList(record, [...likely, ...LISTS], line, context);
    const mentions = labels?.list.flatMap((raw, index) => mention(raw, index, labels.name, line, context) ?? []);
    const relations = Array.isArray(record['relations']) ? record['relations'] : [];
    const items = [
      ...(mentions ?? []),
      ...relations.flatMap((raw: unknown, index) => {
        const { from_id: source, to_id: target, type: label, id: own, ...fields } = isRecord(raw) ? raw : {};
        const place = { index, line, field: `relations[${index}]`, context };
        return relationItem({ label, source, target, id: own, fields }, place) ?? [];
      }),
    ];
    const text = textOf(record['text'], 'text', line, context);
    const fields = without(record, READ, line, context);
    const others = ['cats', 'categories', ...LISTS.filter((list) => list !== labels?.name)];
    return {
      id,
      line,
      text,
      fields,
      ...sideOfRole(items, context, relations.length === 0 ? labels?.missing : null),
      ...categoriesOf(record, others),
      failed: null,
    };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    needsText: true,
    record(given) {
      const { id, text, fields } = given;
      const { mentions, relations } = writtenItems(given, '');
      const isPlain = mentions.every((one) => one.item.annotator === null && Object.keys(one.fields).length === 0);
      const record = { id: numberOr(id), text };
      if (relations.length === 0 && isPlain) {
        const label = mentions.map(({ item }) => [item.start, item.end, item.label]);
        return withFields({ ...record, label }, fields, READ);
      }
      const entities = mentions.map(({ ref, item, fields: own }) =>
        withFields(
          {
            ...(relations.length === 0 ? {} : { id: numberOr(ref) }),
            label: item.label,
            start_offset: item.start,
            end_offset: item.end,
            ...(item.annotator === null ? {} : { user: numberOr(item.annotator) }),
          },
          own,
          MARKED,
        ),
      );
      if (relations.length === 0) return withFields({ ...record, annotations: entities }, fields, READ);
      const joins = relations.flatMap(({ ref, item, source, target, fields: own }) => {
        if (source === null || target === null) return [];
        const ends = { from_id: numberOr(source.ref), to_id: numberOr(target.ref) };
        return [withFields({ id: numberOr(ref), ...ends, type: item.label }, own, MARKED)];
      });
      return withFields({ ...record, entities, relations: joins }, fields, READ);
    },
  },
};

const MARKED = new Set(['id', 'user']);

/** Ids of doccano are numbers; others are kept as they are. */
function numberOr(ref: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(ref) ? Number(ref) : ref;
}

function mention(raw: unknown, index: number, name: string, line: number, context: ReadContext): Item | null {
  const place = { index, line, field: `${name}[${index}]`, context };
  if (Array.isArray(raw)) {
    const [start, end, label] = unknownList(raw);
    return mentionItem({ start, end, label }, place);
  }
  const { start_offset: start, end_offset: end, label, id, user, ...fields } = isRecord(raw) ? raw : {};
  return mentionItem({ start, end, label, id, annotator: user, fields }, place);
}

/** Documents of the Text Anonymization Benchmark have such a list too, with types. */
function isForeign(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isRecord(first) && 'entity_type' in first;
}

function looksLikeDoccano(value: unknown, name: string): boolean {
  if (!Array.isArray(value)) return false;
  const first: unknown = value[0];
  if (Array.isArray(first))
    return name.startsWith('label') && first.length >= 3 && Number.isInteger(first[0]) && Number.isInteger(first[1]);
  return isRecord(first) && 'start_offset' in first && 'label' in first;
}
