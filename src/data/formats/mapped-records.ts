import { closestNames } from '../../text/closest-names.ts';
import type { JsonFormat, ReadContext, Row } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { UsageError } from '../problems.ts';
import { failureOf, idOf, isRecord, listOf, textOf, unknownList, without } from '../record-fields.ts';
import { harmless } from '../visible.ts';
import { mentionItem, sideOfRole, relationItem } from './mentions.ts';

/** Parts of a record, and of each element of its lists. */
const OF_RECORD = ['id', 'text', 'spans', 'relations'] as const;
const OF_ITEM = ['start', 'end', 'label', 'quote', 'ref', 'annotator', 'source', 'target', 'type'] as const;
export const MAPPED_PARTS: readonly string[] = [...OF_RECORD, ...OF_ITEM];

/** Names that tools have for a part, for those that the map leaves out. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  id: ['id', 'doc_id', 'document_id', 'case'],
  text: ['text'],
  spans: ['spans', 'entities', 'ents', 'labels', 'annotations'],
  relations: ['relations', 'relationships'],
  start: ['start', '0'],
  end: ['end', '1'],
  label: ['label', 'type', '2'],
  quote: ['text', 'quote'],
  ref: ['id'],
  annotator: ['annotator'],
  source: ['source', 'head', 'from_id'],
  target: ['target', 'tail', 'to_id'],
  type: ['type', 'label', 'relation'],
};

/**
 * JSON records whose fields have other names: `{id: doc_id, text: data.text, spans: ents, label: entity_type}`. A name is a
 * path, with numbers for places in lists, so `[start, end, label]` lists are read as they are. Null without a map.
 *
 * @example mappedRecords({ spans: 'ents', label: 'tag' }).detects({ ents: [] }) // true
 */
export function mappedRecords(columns: Readonly<Record<string, string>>): JsonFormat | null {
  if (Object.keys(columns).length === 0) return null;
  const at = (record: unknown, part: string): unknown => {
    const path = columns[part];
    return path === undefined ? usual(record, part) : valueAtPath(record, path);
  };
  return {
    kind: 'json',
    name: 'mapped',
    about: 'JSON records whose fields are named by --columns',
    ...(columns['spans'] === undefined ? {} : { neededList: columns['spans'] }),
    example: '{"uid":"d1","body":"Ann met Bo.","ents":[[0,3,"PERSON"]]}   with --columns id=uid,text=body,spans=ents',
    detects(record) {
      const lists = sidesOf(columns).map((part) => listAt(record, columns[part] ?? ''));
      const firsts = [...lists, listAt(record, columns['spans'] ?? '') ?? usual(record, 'spans')].flatMap((list) =>
        unknownList(list).slice(0, 1),
      );
      const inRecord = Object.entries(columns).some(
        ([part, path]) => !isOfItem(part) && valueAtPath(record, path) !== undefined,
      );
      const inItem = Object.entries(columns).some(
        ([part, path]) => isOfItem(part) && firsts.some((first) => valueAtPath(first, path) !== undefined),
      );
      return inRecord || inItem;
    },
    read(record, line, context): Row | null {
      refuseUnknownParts(columns);
      // An id that the map names has to be there: a number in its place would hide a wrong name.
      const { numbering: _, ...named } = context;
      const place = columns['id'] ?? 'id';
      const id = idOf({ [place]: at(record, 'id') }, [place], line, columns['id'] === undefined ? context : named);
      if (id === null) return null;
      const text = textOf(at(record, 'text'), columns['text'] ?? 'text', line, context);
      const paths = ['id', 'text', 'spans', 'relations'].map((part) => (columns[part] ?? part).split('.')[0]!);
      const row = { id, line, text, fields: without(record, new Set(paths), line, context), failed: failureOf(record) };
      const itemsOf = (part: string): Item[] | null => mappedItems(record, part, columns, line, context);
      if (sidesOf(columns).length > 0 && context.role === 'cases')
        return { ...row, gold: itemsOf('gold.spans'), predicted: itemsOf('predicted.spans') };
      const items = itemsOf('spans');
      const list = at(record, 'spans') ?? null;
      const isMissing = columns['spans'] !== undefined && list === null && items === null && row.failed === null;
      if (!isMissing) return { ...row, ...sideOfRole(items, context) };
      return { ...row, ...sideOfRole([], context, at(record, 'spans') === null ? 'null' : 'absent') };
    },
  };
}

function mappedItems(
  record: Fields,
  part: string,
  columns: Readonly<Record<string, string>>,
  line: number,
  context: ReadContext,
): Item[] | null {
  const path = columns[part];
  const relations =
    columns['relations'] === undefined ? usual(record, 'relations') : valueAtPath(record, columns['relations']);
  const value = path === undefined ? usual(record, part) : valueAtPath(record, path);
  const isLeftOut = value === undefined || value === null;
  if (isLeftOut && (path !== undefined || !Array.isArray(relations))) return null;
  const list = isLeftOut ? [] : listOf(value, path ?? part, line, context);
  if (list === null) return null;
  const side = /^(?:gold|predicted)\./.exec(part)?.[0] ?? '';
  const of = (raw: unknown, name: string): unknown => {
    const own = columns[`${side}${name}`] ?? columns[name];
    return own === undefined ? usual(raw, name) : valueAtPath(raw, own);
  };
  const mentions = list.flatMap((raw, index) => {
    const place = { index, line, field: `${path ?? part}[${index}]`, context };
    const init = {
      start: of(raw, 'start'),
      end: of(raw, 'end'),
      label: firstOf(of(raw, 'label')),
      text: quoteOf(raw, of),
    };
    const fields = isRecord(raw) ? { fields: raw } : {};
    return mentionItem({ ...init, id: of(raw, 'ref'), annotator: of(raw, 'annotator'), ...fields }, place) ?? [];
  });
  if (!Array.isArray(relations)) return mentions;
  return [
    ...mentions,
    ...relations.flatMap((raw: unknown, index) => {
      const place = { index, line, field: `${columns['relations'] ?? 'relations'}[${index}]`, context };
      const init = { label: of(raw, 'type'), source: of(raw, 'source'), target: of(raw, 'target') };
      return relationItem({ ...init, ...(isRecord(raw) ? { fields: raw } : {}) }, place) ?? [];
    }),
  ];
}

/** The words of a span; what stands third in a list is its label. */
function quoteOf(raw: unknown, of: (raw: unknown, name: string) => unknown): unknown {
  const quote = of(raw, 'quote');
  return typeof quote === 'string' ? quote : undefined;
}

/** Label Studio and others list the labels of a span; the first counts. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function usual(record: unknown, part: string): unknown {
  for (const name of USUAL[part] ?? []) {
    const value = valueAtPath(record, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** What is at the end of a path such as `data.text` or `value.labels.0`. */
export function valueAtPath(value: unknown, path: string): unknown {
  if (isRecord(value) && Object.hasOwn(value, path)) return value[path];
  let at: unknown = value;
  for (const name of path.split('.')) {
    if (Array.isArray(at)) at = /^\d+$/.test(name) ? at[Number(name)] : undefined;
    else if (isRecord(at)) at = Object.hasOwn(at, name) ? at[name] : undefined;
    else return undefined;
  }
  return at;
}

function listAt(record: Fields, path: string): unknown {
  return path === '' ? undefined : valueAtPath(record, path);
}

function sidesOf(columns: Readonly<Record<string, string>>): string[] {
  return Object.keys(columns).filter((part) => part === 'gold.spans' || part === 'predicted.spans');
}

function isOfItem(part: string): boolean {
  return OF_ITEM.some((name) => name === part.replace(/^(?:gold|predicted)\./, ''));
}

function refuseUnknownParts(columns: Readonly<Record<string, string>>): void {
  for (const part of Object.keys(columns)) {
    const plain = part.replace(/^(?:gold|predicted)\./, '');
    if (MAPPED_PARTS.includes(plain) || /^(?:token|tag)$/.test(plain)) continue;
    const [near] = closestNames(plain, MAPPED_PARTS, 1);
    const next = near === undefined ? `parts: ${MAPPED_PARTS.join(', ')}` : `did you mean ${near}?`;
    throw new UsageError(`columns: there is no part called ${harmless(part)}`, next);
  }
}
