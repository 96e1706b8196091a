import type { JsonFormat, ReadContext } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { idOf, isRecord, listOf, textOf, without, unknownList } from '../record-fields.ts';
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
  read(record, line, context) {
    const id = idOf(record, ['id'], line, context);
    if (id === null) return null;
    // An empty list looks like nothing; a text without annotations has one, under whichever name.
    const isList = (one: string): boolean => Array.isArray(record[one]);
    const name = LISTS.find((one) => looksLikeDoccano(record[one], one)) ?? LISTS.find(isList) ?? 'label';
    const list = listOf(record[name], name, line, context) ?? [];
    const mentions = list.flatMap((raw, index) => mention(raw, index, name, line, context) ?? []);
    const relations = Array.isArray(record['relations']) ? record['relations'] : [];
    const items = [
      ...mentions,
      ...relations.flatMap((raw: unknown, index) => {
        const { from_id: source, to_id: target, type: label, id: own, ...fields } = isRecord(raw) ? raw : {};
        const place = { index, line, field: `relations[${index}]`, context };
        return relationItem({ label, source, target, id: own, fields }, place) ?? [];
      }),
    ];
    const text = textOf(record['text'], 'text', line, context);
    const fields = without(record, READ, line, context);
    return { id, line, text, fields, ...sideOfRole(items, context), failed: null };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    record(given) {
      const { id, text, fields } = given;
      const { mentions, relations } = writtenItems(given, '');
      const placed = mentions.filter(({ item }) => item.start >= 0);
      const isPlain = placed.every((one) => one.item.annotator === null && Object.keys(one.fields).length === 0);
      if (relations.length === 0 && isPlain)
        return { ...idField(id), text, label: placed.map(({ item }) => [item.start, item.end, item.label]), ...fields };
      if (relations.length === 0)
        return {
          ...idField(id),
          text,
          annotations: placed.map((one) => ({
            ...one.fields,
            label: one.item.label,
            start_offset: one.item.start,
            end_offset: one.item.end,
            user: one.item.annotator ?? 1,
          })),
          ...fields,
        };
      return {
        ...idField(id),
        text,
        entities: placed.map((one) => ({
          ...one.fields,
          id: numberOr(one.ref),
          label: one.item.label,
          start_offset: one.item.start,
          end_offset: one.item.end,
        })),
        relations: relations.flatMap(({ ref, item, source, target, fields: own }) =>
          source === null || target === null
            ? []
            : [
                {
                  ...own,
                  id: numberOr(ref),
                  from_id: numberOr(source.ref),
                  to_id: numberOr(target.ref),
                  type: item.label,
                },
              ],
        ),
        ...fields,
      };
    },
  },
};

/** Ids of doccano are numbers; others are kept as they are. */
function numberOr(ref: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(ref) ? Number(ref) : ref;
}

function idField(id: string): Fields {
  return { id: numberOr(id) };
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
