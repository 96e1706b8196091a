import { recordOfSide, unwrapped } from '../dataset-item.ts';
import type { OffsetUnit } from '../../text/offsets.ts';
import type { CaseWriter, Claim, JsonFormat, MissingList, ReadContext, Role } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import {
  type AnnotationList,
  annotationList,
  failureOf,
  idOf,
  isPlaceList,
  isRecord,
  textOf,
  without,
  wrong,
} from '../record-fields.ts';
import { PREDICTED_NAME } from '../unread-side.ts';
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
  /** Annotations of a record that are not read, a few words each. */
  readonly leftOut?: (record: Fields) => readonly string[];
  readonly detects: (record: Fields) => boolean;
  readonly mayBe?: (record: Fields) => boolean;
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
  const { name, about, example, unit, detects, mayBe, writer } = shape;
  const lists = [...shape.mentions, ...(shape.relations ?? [])];
  const read = new Set([...shape.ids, ...shape.texts, ...lists, 'error']);
  return {
    kind: 'json',
    name,
    about,
    example,
    detects: (record) => shape.isMention?.(record) === true || detects(plainRecord(record)),
    ...(mayBe === undefined ? {} : { mayBe: (record) => mayBe(plainRecord(record)) }),
    ...(shape.isMention === undefined ? {} : { isPerItem: shape.isMention }),
    ...(shape.join === undefined ? {} : { join: shape.join }),
    ...(shape.isOutput === undefined ? {} : { isOutput: shape.isOutput }),
    read(given, line, context) {
      const record = plainRecord(given);
      const id = idOf(record, shape.ids, line, context);
      if (id === null) return null;
      if (shape.isMention?.(record) === true) {
        const item = mentionItem(shape.mention(record, record), { index: 0, line, field: '', context });
        const items = sideOfRole(item === null ? [] : [item], context);
        return { id, line, text: null, fields: {}, ...items, failed: null, ...(unit === undefined ? {} : { unit }) };
      }
      const failed = failureOf(record);
      const text = shape.texts.find((one) => one in record) ?? shape.texts[0]!;
      const isListed = lists.some((list) => Array.isArray(record[list]));
      const isAnswered = shape.isUnanswered?.(record) !== true && (failed === null || isListed);
      const { names, answer, claim } = listsOfSide(shape.mentions, record, context.role);
      const sideOf = (list: readonly string[], own: ReadContext): ReturnType<typeof sideOfRole> => {
        const found = isAnswered && list.length > 0 ? itemsOf(record, shape, list, line, own) : null;
        const items = found === null ? null : (shape.join?.(found.items) ?? found.items);
        return sideOfRole(items, own, found?.missing);
      };
      const sides = sideOf(names, context);
      const { predicted } = answer.length === 0 ? sides : sideOf(answer, { ...context, role: 'predictions' });
      const leftOut = [...(sides.leftOut ?? []), ...(shape.leftOut?.(record) ?? [])];
      return {
        id,
        line,
        text: textOf(record[text], text, line, context),
        fields: without(record, read, line, context),
        ...sides,
        predicted,
        claim,
        ...(leftOut.length === 0 ? {} : { leftOut }),
        ...categoriesOf(record, shape.categories ?? []),
        failed,
        ...(unit === undefined ? {} : { unit }),
      };
    },
    ...(writer === undefined ? {} : { writer }),
  };
}

interface SideLists {
  /** Names that the list of the side may have, the likeliest first. */
  readonly names: readonly string[];
  /** Those of the answer, in a file of cases. */
  readonly answer: readonly string[];
  readonly claim: Claim;
}

/** Which lists are read: one that is named as a model's is gold, and any other is predicted, only for want of another. */
function listsOfSide(all: readonly string[], record: Fields, role: Role): SideLists {
  const { predicted = [], plain = [] } = Object.groupBy(all, (name) =>
    PREDICTED_NAME.test(name) ? 'predicted' : 'plain',
  );
  const [hasPredicted, hasPlain] = [predicted, plain].map((names) => names.some((name) => name in record));
  if (hasPredicted !== true) return { names: plain, answer: [], claim: 'neither' };
  if (role === 'cases') return { names: hasPlain === true ? plain : [], answer: predicted, claim: 'side' };
  if (role === 'predictions') return { names: predicted, answer: [], claim: 'side' };
  return hasPlain === true
    ? { names: plain, answer: [], claim: 'neither' }
    : { names: predicted, answer: [], claim: 'other side' };
}

function itemsOf(
  record: Fields,
  shape: MentionShape,
  names: readonly string[],
  line: number,
  context: ReadContext,
): { readonly items: Item[]; readonly missing: MissingList | null } | null {
  const mentions = annotationList(record, names, line, context);
  const relations = shape.relations === undefined ? null : annotationList(record, shape.relations, line, context);
  const items = (part: AnnotationList | null, make: (raw: Fields, at: string, index: number) => Item | null): Item[] =>
    (part?.list ?? []).flatMap((value, index) => {
      const at = `${part?.name ?? ''}[${index}]`;
      const raw = isPlaceList(value) ? { start: value[0], end: value[1], label: value[2] } : value;
      return isRecord(raw) ? (make(raw, at, index) ?? []) : (wrong(context, line, at, 'an object', raw) ?? []);
    });
  if (mentions === null) return null;
  return {
    items: [
      ...items(mentions, (raw, field, index) =>
        mentionItem(shape.mention(raw, record), { index, line, field, context }),
      ),
      ...items(relations, (raw, field, index) =>
        shape.relation === undefined
          ? null
          : relationItem(shape.relation(raw, record), { index, line, field, context }),
      ),
    ],
    missing: (relations?.list.length ?? 0) === 0 ? mentions.missing : null,
  };
}

/** A system's output with the fields of its record, and what a dataset expects as such a record. */
function plainRecord(given: Fields): Fields {
  if (!('id' in given)) return given;
  // Of a case with both, what was made of it is read apart.
  const record = recordOfSide(given, 'gold');
  const { output } = record;
  return unwrapped(Array.isArray(output) ? { ...record, output: { entities: output } } : record, 'id');
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
