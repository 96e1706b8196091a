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
    Array.isArray(value) && value.length > 0 ? [{ path, first: value[0] as unknown }] : [],
  );
  const spans = lists.flatMap(({ path, first }) => withParts(path, 'spans', spanParts(first)));
  const relations = lists.flatMap(({ path, first }) => withParts(path, 'relations', relationParts(first)));
  if (spans.length === 0 && relations.length === 0) return null;
  const texts = values.filter((leaf) => typeof leaf.value === 'string' && /\s/.test(leaf.value));
  const text = texts.toSorted((a, b) => String(b.value).length - String(a.value).length)[0]?.path;
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

function withParts(path: string, part: string, parts: readonly string[] | null): string[][] {
  return parts === null ? [] : [[`${part}=${path}`, ...parts]];
}

/** Fields and those one level below, by path. */
function leaves(record: Fields): { path: string; value: unknown }[] {
  return Object.entries(record).flatMap(([name, value]) =>
    isRecord(value)
      ? Object.entries(value).map(([inner, own]) => ({ path: `${name}.${inner}`, value: own }))
      : [{ path: name, value }],
  );
}

/** Two places in order and a short name: objects, or lists, which need no map if they are in this order. */
function spanParts(first: unknown): string[] | null {
  if (Array.isArray(first)) {
    const parts = unknownList(first);
    const [start, end] = [...parts.keys()].filter((at) => Number.isSafeInteger(parts[at]));
    const label = parts.findIndex((part) => typeof part === 'string' && part !== '');
    if (start === undefined || end === undefined || label < 0) return null;
    return [
      ...named('start', String(start), '0'),
      ...named('end', String(end), '1'),
      ...named('label', String(label), '2'),
    ];
  }
  if (!isRecord(first)) return null;
  const fields = leaves(first);
  const numbers = fields.filter(({ value }) => Number.isSafeInteger(value));
  const start = numbers.find(({ path }) => /start|begin|from|^lo/i.test(path)) ?? numbers[0];
  const end = numbers.find(({ path }) => /end|stop|^to$|until/i.test(path)) ?? numbers[1];
  const words = fields.filter(({ value }) => typeof value === 'string' && value !== '');
  const label =
    words.find(({ path }) => /label|type|class|tag|category/i.test(path)) ??
    words.find(({ value }) => /^[A-Z_-]+$/.test(String(value)));
  const quote = words.find(
    ({ path }) => path !== label?.path && /text|quote|word|surface|value|span|mention|name/i.test(path),
  );
  if (label === undefined || ((start === undefined || end === undefined) && quote === undefined)) return null;
  const isPlaced = start !== undefined && end !== undefined && start !== end;
  return [
    ...(isPlaced ? [...named('start', start.path), ...named('end', end.path)] : []),
    ...named('label', label.path),
    ...(isPlaced || quote === undefined ? [] : named('quote', quote.path, 'text')),
  ];
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
