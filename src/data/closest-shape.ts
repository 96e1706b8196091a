import type { Fields, ItemKind } from './item.ts';
import { isRecord, unknownList } from './record-fields.ts';

/** What a record of each kind of item looks like in the plainest format. */
const PLAIN: readonly (readonly [kind: ItemKind, example: string])[] = [
  ['span', '{"id":"d1","text":"Ann met Bo.","spans":[{"start":0,"end":3,"label":"PERSON"}]}'],
  [
    'relationship',
    '{"id":"d1","output":{"entities":[{"name":"Ann","type":"PERSON"}],"relationships":[{"source_name":"Ann","target_name":"Bo","type":"met"}]}}',
  ],
  ['object', '{"journal_id":"d1","items":[{"domain":"food","evidence_span":"masala chai"}]}'],
];

/** The plainest record that a recipe for these kinds reads. */
export function plainExample(kinds: readonly ItemKind[] | undefined): string {
  return (PLAIN.find(([kind]) => kinds?.includes(kind) !== false) ?? PLAIN[0]!)[1];
}

/**
 * The `--columns` that would make a record of an unknown shape readable, from what its values look like; null if it has no
 * list that could be spans or relations.
 *
 * @example closestColumns({ uid: 7, body: 'Ann met Bo.', ents: [{ from: 0, to: 3, tag: 'PER' }] })
 * // 'id=uid,text=body,spans=ents,start=from,end=to,label=tag'
 */
export function closestColumns(record: Fields): string | null {
  const values = leaves(record);
  const lists = values.flatMap(({ path, value }) =>
    // Numbers for names are places in a list: no field of every record.
    Array.isArray(value) && value.length > 0 && !/^\d+$/.test(path) ? [{ path, first: value[0] as unknown }] : [],
  );
  const texts = values.flatMap(({ path, value }) =>
    typeof value === 'string' && /\s/.test(value) ? [{ path, value }] : [],
  );
  const longest = texts.toSorted((a, b) => b.value.length - a.value.length)[0];
  const text = longest?.path;
  const words = longest?.value ?? null;
  const spans = lists.flatMap(({ path, first }) => withParts(path, 'spans', spanParts(first, words)));
  const relations = lists.flatMap(({ path, first }) => withParts(path, 'relations', relationParts(first)));
  if (spans.length === 0 && relations.length === 0) return null;
  const id = values.find(
    ({ path, value }) => isName(value) && path !== text && /(?:^|[._])(?:id|uid|key|doc|document|name)$/i.test(path),
  )?.path;
  return [
    ...(id === undefined || id === 'id' ? [] : [`id=${id}`]),
    ...(text === undefined || text === 'text' ? [] : [`text=${text}`]),
    ...(spans[0] ?? []),
    ...(relations[0] ?? []),
  ].join(',');
}

/** Whether a record has a text and nothing that looks like annotations. */
export function isBareText(record: Fields): boolean {
  return typeof record['text'] === 'string' && closestColumns(record) === null;
}

function withParts(path: string, part: string, parts: readonly string[] | null): string[][] {
  return parts === null ? [] : [[`${part}=${path}`, ...parts]];
}

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/** Fields and those one level below, by path. */
function leaves(record: Fields): Leaf[] {
  return Object.entries(record).flatMap(([name, value]) =>
    isRecord(value)
      ? Object.entries(value).map(([inner, own]) => ({ path: `${name}.${inner}`, value: own }))
      : [{ path: name, value }],
  );
}

/** Two places in order and a short name: objects, or lists, which need no map if they are in this order. */
function spanParts(first: unknown, text: string | null): string[] | null {
  if (Array.isArray(first)) {
    const parts = unknownList(first);
    const [start, end] = [...parts.keys()].filter((at) => Number.isSafeInteger(parts[at]));
    const label = parts.findIndex((part) => typeof part === 'string' && part !== '');
    if (start === undefined || end === undefined || label < 0) return null;
    if (!COUNTING.some((offsets) => isPiece(parts[start], parts[end], text, offsets))) return null;
    return [
      ...named('start', String(start), '0'),
      ...named('end', String(end), '1'),
      ...named('label', String(label), '2'),
    ];
  }
  if (!isRecord(first)) return null;
  const fields = leaves(first);
  const words = fields.filter(({ value }) => typeof value === 'string' && value !== '');
  const label =
    words.find(({ path }) => /label|type|tag/i.test(path)) ??
    words.find(({ path }) => /class|category/i.test(path)) ??
    words.find(({ value }) => /^[A-Z_-]+$/.test(String(value)));
  if (label === undefined) return null;
  const place = placeOf(fields, text);
  if (place !== null)
    return [...named('start', place.start), ...named('end', place.end), ...named('label', label.path)];
  const quote = words.find(
    ({ path, value }) =>
      path !== label.path &&
      parentOf(path) === parentOf(label.path) &&
      /text|quote|word|surface|value|span|mention|name/i.test(path) &&
      text?.includes(String(value)) !== false,
  );
  return quote === undefined ? null : [...named('label', label.path), ...named('quote', quote.path, 'text')];
}

/** The fields with the two ends of a span: by their names, or the only two whole numbers, if words begin and end there. */
function placeOf(fields: readonly Leaf[], text: string | null): { start: string; end: string } | null {
  const numbers = fields.filter(({ value }) => Number.isSafeInteger(value));
  const start = numbers.find(({ path }) => /start|begin|from|^lo/i.test(path));
  const end = numbers.find(({ path }) => /end|stop|^to$|until/i.test(path));
  if (start !== undefined && end !== undefined && start !== end)
    return parentOf(start.path) === parentOf(end.path) ? { start: start.path, end: end.path } : null;
  const [first, second, ...more] = numbers;
  if (first === undefined || second === undefined || more.length > 0) return null;
  const isPair = parentOf(first.path) === parentOf(second.path) && isPiece(first.value, second.value, text);
  return isPair ? { start: first.path, end: second.path } : null;
}

/** Added to the ends of a span to count from 0 to after its last character: from 0 or 1, with or without that character. */
const COUNTING: readonly (readonly [start: number, end: number])[] = [
  [0, 0],
  [0, 1],
  [-1, 0],
  [-1, -1],
];

/** Whether two numbers may be the ends of a piece of the text that cuts no word. */
function isPiece(first: unknown, last: unknown, text: string | null, [toStart, toEnd] = COUNTING[0]!): boolean {
  if (typeof first !== 'number' || typeof last !== 'number') return false;
  const [start, end] = [first + toStart, last + toEnd];
  if (start < 0 || end <= start) return false;
  const cutsWord = (at: number): boolean => /[\p{L}\p{N}]{2}/u.test(text?.slice(Math.max(0, at - 1), at + 1) ?? '');
  return text === null || (end <= text.length && !cutsWord(start) && !cutsWord(end));
}

function parentOf(path: string): string {
  return path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
}

function relationParts(first: unknown): string[] | null {
  if (!isRecord(first)) return null;
  const names = Object.keys(first).filter((name) => isName(first[name]));
  const source = names.find((name) => /source|head|subj|from|arg1/i.test(name));
  const target = names.find((name) => /target|tail|obj|^to|arg2/i.test(name));
  const type = names.find((name) => /type|label|rel|pred/i.test(name));
  if (source === undefined || target === undefined || type === undefined) return null;
  return [...named('source', source), ...named('target', target), ...named('type', type)];
}

function named(part: string, path: string, usual = part): string[] {
  return path === usual ? [] : [`${part}=${path}`];
}

function isName(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
