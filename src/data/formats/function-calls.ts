import type { JsonFormat } from '../format.ts';
import type { Fields, Item } from '../item.ts';
import { withFields } from '../extra-fields.ts';
import { annotationList, hasEmptyList, idOf, isRecord, without } from '../record-fields.ts';
import { relationItem, sideOfRole } from './mentions.ts';
import { tripleRecords } from './triples.ts';

const LISTS = ['ground_truth', 'result', 'calls'];
/** How a call without arguments is related to itself. */
const BARE = 'calls';
const READ = new Set(['id', ...LISTS]);

/**
 * Possible answers of the Berkeley Function Calling Leaderboard: calls as `{function: {argument: [values that are right]}}`.
 * Each argument is a triple (function, argument, first value), with all values that are right as a field; a call without
 * arguments is (function, calls, function). https://gorilla.cs.berkeley.edu/leaderboard.html
 */
export const functionCalls: JsonFormat = {
  kind: 'json',
  name: 'function-calls',
  about: 'function calls with arguments, as in the Berkeley Function Calling Leaderboard',
  example: '{"id":"q1","ground_truth":[{"area":{"base":[10],"height":[5]}}]}',
  kinds: ['relationship'],
  detects: (record) => LISTS.some((name) => isCallList(record[name])),
  mayBe: (record) => hasEmptyList(record, ['ground_truth', 'calls']),
  read(record, line, context) {
    const id = idOf(record, ['id'], line, context);
    if (id === null) return null;
    const likely = LISTS.filter((name) => isCallList(record[name]));
    const calls = annotationList(record, [...likely, ...LISTS], line, context);
    const list = calls?.name ?? LISTS[0]!;
    const items: Item[] = [];
    for (const [at, call] of (calls?.list ?? []).entries())
      for (const [name, given] of Object.entries(isRecord(call) ? call : {})) {
        const entries = Object.entries(isRecord(given) ? given : {});
        const add = (label: string, target: string, fields: Fields): void => {
          const place = { index: items.length, line, field: `${list}[${at}].${name}`, context };
          const item = relationItem({ source: name, label, target, fields: { call: at, ...fields } }, place);
          if (item !== null) items.push(item);
        };
        if (entries.length === 0) add(BARE, name, {});
        for (const [argument, values] of entries) add(argument, valueText(values), { values });
      }
    const fields = without(record, new Set(['id', list]), line, context);
    return { id, line, text: null, fields, ...sideOfRole(calls && items, context, calls?.missing), failed: null };
  },
  writer: {
    extension: '.jsonl',
    layout: 'records',
    holds: ['names', 'pieces'],
    record: ({ id, items, fields }) => withFields({ id, ground_truth: callsOf(items) }, fields, READ),
  },
};

/** The first value that is right; one that may be left out has an empty text among its values. */
function valueText(values: unknown): string {
  const first: unknown = Array.isArray(values) ? (values.find((value) => value !== '') ?? values[0]) : values;
  const text = typeof first === 'string' ? first : JSON.stringify(first);
  return text === undefined || text === '' ? '""' : text;
}

/** Arguments with the values that they were read with, or with the one that they have. */
function callsOf(items: readonly Item[]): Fields[] {
  const calls = Map.groupBy(tripleRecords({ items }), ({ item, triple }) =>
    JSON.stringify([item.fields['call'] ?? 0, triple.subject]),
  );
  return [...calls.values()].map((own) => {
    const entries = own.flatMap(({ item, triple }): [string, unknown][] => {
      const { values } = item.fields;
      if (Array.isArray(values) && valueText(values) === triple.object) return [[triple.predicate, values]];
      const isBare = triple.predicate === BARE && triple.object === triple.subject;
      return isBare ? [] : [[triple.predicate, [triple.object]]];
    });
    return { [own[0]!.triple.subject]: Object.fromEntries(entries) };
  });
}

function isCallList(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  if (!isRecord(first)) return false;
  const entries = Object.values(first);
  return entries.length === 1 && isRecord(entries[0]) && Object.values(entries[0]).every(Array.isArray);
}
