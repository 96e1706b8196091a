import type { JsonFormat, ReadContext, Row } from '../format.ts';
import { type Fields, type Item, makeItem } from '../item.ts';
import { describe, isEmptyList, listOf, wrong } from '../record-fields.ts';
import { UNGIVEN } from './span-items.ts';

/** Masks have no labels. */
const LABEL = 'MASK';

/** What TAB's evaluation takes as a system's output: for each document the spans that it masks. */
export const masks: JsonFormat = {
  kind: 'json',
  name: 'masks',
  about: 'one JSON object from document ids to lists of masked [start, end] (the Text Anonymization Benchmark)',
  example: '{"d1":[[0,3],[8,10]],"d2":[]}',
  detects: (record) => isMasks(record) && Object.values(record).some((list) => !isEmptyList(list)),
  mayBe: isMasks,
  read(record, line, context) {
    return Object.entries(record).flatMap(([id, list]): Row[] => {
      if (id === '') wrong(context, line, 'id', 'a document id', id);
      const items = placed(list, id, line, context);
      if (items === null) return [];
      const sides = context.role === 'gold' ? { gold: items, predicted: null } : { gold: null, predicted: items };
      return [{ id, line, text: null, fields: {}, ...sides, failed: null }];
    });
  },
  writer: {
    extension: '.json',
    layout: 'whole',
    whole: (cases) =>
      `${JSON.stringify(
        Object.fromEntries(
          cases.map(({ id, items }) => [
            id,
            items.filter(({ start }) => start >= 0).map(({ start, end }) => [start, end]),
          ]),
        ),
      )}\n`,
  },
};

function isMasks(record: Fields): boolean {
  const lists = Object.values(record);
  return lists.length > 0 && lists.every((list) => Array.isArray(list) && list.every(isPlace));
}

function placed(list: unknown, id: string, line: number, context: ReadContext): Item[] | null {
  const places = listOf(list, describe(id), line, context);
  if (places === null) return null;
  const items: Item[] = [];
  places.forEach((place, index) => {
    if (!isPlace(place)) wrong(context, line, `${describe(id)}[${index}]`, 'two whole numbers [start, end]', place);
    else
      items.push(makeItem({ kind: 'span', index, label: LABEL, text: UNGIVEN, start: place[0], end: place[1], line }));
  });
  return items;
}

function isPlace(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
}
