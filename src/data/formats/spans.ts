import { closestColumns, isBareText } from '../closest-shape.ts';
import { unwrapped } from '../dataset-item.ts';
import type { Claim, JsonFormat, MissingList, ReadContext, Role, WrittenCase } from '../format.ts';
import { type Fields, type Item, makeItem } from '../item.ts';
import { extraFields, withFields } from '../extra-fields.ts';
import {
  caseTextOf,
  failureOf,
  hasEmptyList,
  idOf,
  isEmptyList,
  isRecord,
  listOf,
  missingList,
  without,
  wrong,
} from '../record-fields.ts';
import { spanItems, tokenField, tokenPlaces } from './span-items.ts';

const IDS = ['id', 'doc_id', 'case'];
const NAMES = { start: 'start', end: 'end', label: 'label', text: 'text', annotator: 'annotator' };
const GOLD = ['gold', 'spans'];
const PREDICTED = ['predicted', 'predictions'];
const OWN_PREDICTED = [...PREDICTED, 'spans'];
const SIDES = ['gold', ...PREDICTED];
const READ = new Set([...IDS, 'text', 'spans', ...SIDES]);
/** Names that mean something here, and the name that dataset items are known by. */
const WRITTEN = new Set([...READ, 'classes', 'error', 'input']);
/** Fields of records that are more than a text without annotations. */
const OTHERS = [...SIDES, 'expected_output', 'expectedOutput', 'output'];
const PLACED = new Set(['start', 'end', 'fragments', 'annotator']);
/** Classes of a whole case are no spans: they are read only to be written in another format. */
const CLASSES = 'classes';

/** The plain form: one case a line with its spans; `gold` and `predicted` where both sides share a file. */
export const spans = {
  kind: 'json',
  name: 'spans',
  about: 'one JSON record per case with a list of labelled spans',
  example: '{"id":"d1","text":"Ann met Bo.","spans":[{"start":0,"end":3,"label":"PERSON","text":"Ann"}]}',
  item: { ids: IDS, input: 'text', answer: { gold: 'spans', spans: 'spans' }, outputs: /^predict(?:ed|ions)$/ },
  detects(given) {
    const record = unwrapped(given, 'id');
    const spanList = record['spans'];
    return (
      (Array.isArray(spanList) && spanList.length > 0) ||
      SIDES.some((name) => looksLikeSpans(record[name])) ||
      ('gold' in record && PREDICTED.some((name) => isEmptyList(record[name])))
    );
  },
  neededList: 'spans',
  mayBe(given) {
    const record = unwrapped(given, 'id');
    return (
      hasEmptyList(record, ['spans', ...SIDES]) ||
      (IDS.some((name) => name in record) &&
        ('spans' in record || (typeof record['text'] === 'string' && !('items' in record))))
    );
  },
  read(wrapped, line, context) {
    const record = unwrapped(wrapped, 'id');
    const id = idOf(record, IDS, line, context);
    if (id === null) return null;
    const { role } = context;
    const failed = failureOf(record);
    const classes = context.kinds === undefined ? classItems(record['classes'], line) : [];
    const missing = role === 'predictions' && failed !== null ? null : missingSpans(record, context);
    const isOther = missing === 'absent' && (OTHERS.some((name) => name in wrapped) || !isBareText(record));
    if (isOther) wrong(context, line, 'spans', 'a list of spans (may be empty)', record['spans'], columnsFor(record));
    const empty = missing === null || isOther ? null : [];
    const own = role === 'predictions' ? null : (sideItems(record, GOLD, line, context) ?? empty);
    const gold = own === null ? null : [...own, ...classes];
    const predicted =
      role === 'gold'
        ? null
        : (sideItems(record, role === 'cases' ? PREDICTED : OWN_PREDICTED, line, context) ?? empty);
    const text = caseTextOf(record, !SIDES.some((name) => name in record), line, context);
    const tokens = tokenPlaces(record['tokens'], text, context);
    return {
      id,
      line,
      text,
      ...(tokens === undefined ? {} : { tokens }),
      fields: without(record, readBy(tokens !== undefined, context), line, context),
      gold,
      predicted,
      ...(empty === null ? {} : { missingList: missing }),
      claim: claimOfList(record, role),
      failed,
    };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    holds: ['both', 'classes', 'quotes', 'pieces'],
    record: (given) => {
      const { id, text, fields, items } = given;
      const record = {
        id,
        ...(text === null ? {} : { text }),
        ...spanLists(given),
        ...classesOf(items),
        ...tokenField(given),
      };
      return withFields(record, fields, WRITTEN);
    },
  },
} satisfies JsonFormat;

/** What a record of one side has instead of its list. A record of cases may have no gold, or no answer. */
function missingSpans(record: Fields, { role }: ReadContext): MissingList | null {
  return role === 'cases' ? null : missingList(record, role === 'gold' ? GOLD : OWN_PREDICTED);
}

/** `spans` may be of either side, `gold` and `predicted` may not. */
function claimOfList(record: Fields, role: Role): Claim {
  const names = role === 'predictions' ? PREDICTED : ['gold'];
  return names.some((name) => (record[name] ?? null) !== null) ? 'side' : 'neither';
}

/** The map for a record whose list has another name, if it has one. */
function columnsFor(record: Fields): string | undefined {
  const columns = 'spans' in record ? null : closestColumns(record);
  return columns === null ? undefined : `try --columns ${columns}`;
}

function readBy(hasTokens: boolean, { kinds }: ReadContext): ReadonlySet<string> {
  if (!hasTokens && kinds !== undefined) return READ;
  return new Set([...READ, ...(hasTokens ? ['tokens'] : []), ...(kinds === undefined ? [CLASSES] : [])]);
}

function spanLists({ side, items, predicted, failed }: WrittenCase): Fields {
  const found = failed === null ? { predicted: predicted?.flatMap(spanRecord) } : { error: failed };
  if (predicted !== null) return { gold: items.flatMap(spanRecord), ...found };
  return side === 'predicted' && failed !== null ? { error: failed } : { spans: items.flatMap(spanRecord) };
}

/** A mention in the plain form; what has no place is a quote. */
function spanRecord(item: Item): Fields[] {
  const { kind, label, text, start, end, annotator, fragments, fields } = item;
  if (kind === 'relationship' || kind === 'class') return [];
  const id = fields['id'] ?? fields['temp_id'];
  const record = {
    ...(start < 0 ? {} : { start, end }),
    label,
    // Without the text of the case, what is at a place is not known: an empty text would be wrong once there is one.
    ...(text === '' && start >= 0 ? {} : { text }),
    ...(fragments === undefined ? {} : { fragments: fragments.map((piece) => [piece.start, piece.end]) }),
    ...(annotator === null ? {} : { annotator }),
    ...(id === undefined ? {} : { id }),
  };
  return [withFields(record, extraFields(item), PLACED)];
}

function classesOf(items: readonly Item[]): Fields {
  const classes = items.filter(({ kind }) => kind === 'class');
  if (classes.length === 0) return {};
  return {
    [CLASSES]: classes.map(({ label, text, annotator, fields }) => ({
      ...fields,
      label,
      text,
      ...(annotator === null ? {} : { annotator }),
    })),
  };
}

function classItems(value: unknown, line: number): Item[] {
  return (Array.isArray(value) ? value : []).flatMap((raw: unknown, index) => {
    if (!isRecord(raw) || typeof raw['label'] !== 'string' || typeof raw['text'] !== 'string') return [];
    const { label, text, annotator, ...fields } = raw;
    const by = typeof annotator === 'string' ? annotator : null;
    return [makeItem({ kind: 'class', index, label: raw['label'], text: raw['text'], line, annotator: by, fields })];
  });
}

/** The spans under the first of the names that is there. */
function sideItems(record: Fields, names: readonly string[], line: number, context: ReadContext): Item[] | null {
  for (const name of names) {
    const value = record[name];
    if (value === undefined || value === null) continue;
    const list = listOf(value, name, line, context);
    return list === null ? [] : spanItems(list, NAMES, name, line, context);
  }
  return null;
}

function looksLikeSpans(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const first: unknown = value[0];
  return isRecord(first) && 'start' in first && 'end' in first;
}
