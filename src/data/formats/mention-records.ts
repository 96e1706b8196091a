import type { OffsetUnit } from '../../text/offsets.ts';
import type { CaseWriter, JsonFormat, ReadContext } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { failureOf, idOf, isRecord, listOf, textOf, without, wrong } from '../record-fields.ts';
import { categoriesOf } from './categories.ts';
import { mentionItem, type MentionInit, sideOfRole, relationItem, type RelationInit } from './mentions.ts';

/** A shape of records with a list of mentions, and possibly one of relations. */
export interface MentionShape {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  /** What the tool counts places in, if that is known. */
  readonly unit?: OffsetUnit;
  /** Names of the id, of the text and of the lists, the likeliest first. */
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  readonly mentions: readonly string[];
  readonly relations?: readonly string[];
  readonly isOutput?: boolean;
  /** Fields with classes of the whole text. */
  readonly categories?: readonly string[];
  readonly detects: (record: Fields) => boolean;
  /** Whether a record is marked as not answered: its list is then not an answer. */
  readonly isUnanswered?: (record: Fields) => boolean;
  /** Whether a record is a mention itself: a file of those is what was found in one text. */
  readonly isMention?: (record: Fields) => boolean;
  readonly mention: (raw: Fields, record: Fields) => MentionInit;
  readonly join?: JsonFormat['join'];
  readonly relation?: (raw: Fields, record: Fields) => RelationInit;
  readonly writer?: CaseWriter;
}

/** The format of such records. */
export function mentionRecords(shape: MentionShape): JsonFormat {
  const { name, about, example, unit, detects, writer } = shape;
  const read = new Set([...shape.ids, ...shape.texts, ...shape.mentions, ...(shape.relations ?? []), 'error']);
  return {
    kind: 'json',
    name,
    about,
    example,
    detects: (record) => shape.isMention?.(record) === true || detects(record),
    ...(shape.isMention === undefined ? {} : { isPerItem: shape.isMention }),
    ...(shape.join === undefined ? {} : { join: shape.join }),
    ...(shape.isOutput === undefined ? {} : { isOutput: shape.isOutput }),
    read(record, line, context) {
      const id = idOf(record, shape.ids, line, context);
      if (id === null) return null;
      if (shape.isMention?.(record) === true) {
        const item = mentionItem(shape.mention(record, record), { index: 0, line, field: '', context });
        const items = sideOfRole(item === null ? [] : [item], context);
        return { id, line, text: null, fields: {}, ...items, failed: null, ...(unit === undefined ? {} : { unit }) };
      }
      const failed = failureOf(record);
      const text = shape.texts.find((one) => one in record) ?? shape.texts[0]!;
      const isUnanswered = shape.isUnanswered?.(record) === true;
      const found = isUnanswered ? null : itemsOf(record, shape, line, context, failed !== null);
      const items = found === null ? null : (shape.join?.(found) ?? found);
      return {
        id,
        line,
        text: textOf(record[text], text, line, context),
        fields: without(record, read, line, context),
        ...sideOfRole(items, context),
        ...categoriesOf(record, shape.categories ?? []),
        failed,
        ...(unit === undefined ? {} : { unit }),
      };
    },
    ...(writer === undefined ? {} : { writer }),
  };
}

function itemsOf(
  record: Fields,
  shape: MentionShape,
  line: number,
  context: ReadContext,
  hasFailed: boolean,
): Item[] | null {
  const [key, joins] = [shape.mentions, shape.relations ?? []].map((names) =>
    names.find((one) => Array.isArray(record[one])),
  );
  if (key === undefined && joins === undefined) {
    if (context.role !== 'cases' && !hasFailed) listOf(record[shape.mentions[0]!], shape.mentions[0]!, line, context);
    return null;
  }
  const items = (field: string | undefined, make: (raw: Fields, at: string, index: number) => Item | null): Item[] => {
    if (field === undefined) return [];
    const list = listOf(record[field], field, line, context) ?? [];
    return list.flatMap((raw, index) => {
      const at = `${field}[${index}]`;
      return isRecord(raw) ? (make(raw, at, index) ?? []) : (wrong(context, line, at, 'an object', raw) ?? []);
    });
  };
  return [
    ...items(key, (raw, field, index) => mentionItem(shape.mention(raw, record), { index, line, field, context })),
    ...items(joins, (raw, field, index) =>
      shape.relation === undefined ? null : relationItem(shape.relation(raw, record), { index, line, field, context }),
    ),
  ];
}

/** Whether a record has a list under one of these names whose first element has all of these fields; also an empty one. */
export function hasList(
  record: Fields,
  names: readonly string[],
  fields: readonly string[],
  allowsEmpty = false,
): boolean {
  return names.some((name) => {
    const list = record[name];
    if (!Array.isArray(list)) return false;
    const first: unknown = list[0];
    return list.length === 0 ? allowsEmpty : isRecord(first) && fields.every((field) => field in first);
  });
}
