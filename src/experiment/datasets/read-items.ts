import type { Fields } from '../../data/item.ts';
import { Problems } from '../../data/problems.ts';
import { describe, idOf, isRecord, mayKeepAll, wrong } from '../../data/record-fields.ts';
import type { Source } from '../../data/source.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { exactRecords, itemFile } from './exact-records.ts';
import { type FieldMap, itemMapper } from './field-map.ts';
import { ITEM_SCHEMAS, type ItemTask } from './item-schemas.ts';
import { CASE_IDS, expectedOf, type ItemMaker, Notes, type Reading, recordItem } from './record-item.ts';

/** Files of items: JSON lines, JSON arrays or tables, and where their answers are. */
export interface ItemFiles {
  readonly sources: readonly Source[];
  readonly gold: Source | null;
  readonly map: FieldMap;
  /** Whose annotations count: `first`, a name, or null where there may be only one annotator. */
  readonly annotator?: string | null;
  readonly task: ItemTask | null;
  /** True if items without an expected output are taken: nothing scores them, or the recipe defines how they count. */
  readonly mayLackExpected?: boolean;
}

/** An item as a file gives it; without an id if the file has none. */
export interface ReadItem {
  readonly file: string;
  readonly line: number;
  readonly item: DatasetItemInit;
}

/** The items of files. What is wrong is gathered; items with something wrong are left out. */
export async function* readItems(files: ItemFiles, problems: Problems, notes: Notes): AsyncGenerator<ReadItem> {
  const { sources, gold: goldFile, annotator = null } = files;
  const { id: idField } = files.map;
  const gold = goldFile === null ? null : await readGold(goldFile, annotator, problems);
  /** Gold that no case has taken: never dropped in silence. */
  const left = new Map(gold);
  /** Of the files of cases alone. */
  const own = new Problems(problems);
  for (const source of sources) {
    const file = source.name;
    let maker: ItemMaker | null = null;
    for await (const batch of exactRecords(itemFile(source, own)))
      for (const { kind, line, values } of batch) {
        maker ??= itemMaker(files, { file, problems: own, notes, isTable: kind === 'csv', annotator, idField });
        const item = maker.item(values, line);
        if (item === null) continue;
        const id = item.id ?? '';
        const found = gold?.get(id);
        if (goldFile === null || (found === undefined && files.mayLackExpected === true)) yield { file, line, item };
        else if (item.expectedOutput !== undefined)
          problems.add({ file, line, message: `has an expected output already, beside ${goldFile.name}` });
        else if (found === undefined) {
          const next = 'give it an empty list there, or leave the case out';
          problems.add({ file, line, message: `no gold for ${describe(id)} in ${goldFile.name}`, next });
        } else {
          left.delete(id);
          yield { file, line, item: { ...item, expectedOutput: found.expected } };
        }
      }
    maker?.end?.();
  }
  // If cases are broken, gold that belongs to none of them is no news.
  if (goldFile === null || own.count > 0) return;
  for (const [id, { line }] of left) {
    const message = `gold for ${describe(id)}, which is none of the cases`;
    problems.add({ file: goldFile.name, line, message, next: 'add the case or remove the gold' });
  }
}

function itemMaker({ map, task }: ItemFiles, reading: Reading): ItemMaker {
  const mapper = itemMapper(map, task, reading);
  if (reading.isTable || (map.input ?? map.expected ?? map.metadata) !== null || map.json.size > 0) return mapper;
  const { columns, format = null } = task === null ? {} : ITEM_SCHEMAS[task];
  return {
    item(record, line) {
      const item = recordItem(record, format, line, reading);
      if (item !== undefined) return item;
      if (columns !== undefined) return mapper.item(record, line);
      const message = `expected an item with input and expected_output, found ${firstFields(record) || 'no fields'}`;
      const next = 'name the fields with --input FIELD,FIELD and --expected FIELD';
      reading.problems.add({ file: reading.file, line, message, next });
      return null;
    },
  };
}

function firstFields(record: Fields): string {
  return Object.keys(record).slice(0, 6).join(', ');
}

type Gold = ReadonlyMap<string, { readonly line: number; readonly expected: unknown }>;

/** Expected outputs in a separate file, by the id of their case. All of it is held. */
async function readGold(source: Source, annotator: string | null, problems: Problems): Promise<Gold> {
  const file = source.name;
  const gold = new Map<string, { readonly line: number; readonly expected: unknown }>();
  const reading: Reading = { file, problems, notes: new Notes(), isTable: false, annotator, idField: null };
  for await (const batch of exactRecords(itemFile(source, problems)))
    for (const { line, values } of batch) {
      const before = problems.count;
      const id = idOf(values, CASE_IDS, line, reading);
      const expected = goldOf(values, line, reading);
      if (expected === undefined) {
        const next = 'items, spans, annotations, entities or expected_output are looked for';
        problems.add({ file, line, message: `no gold in this record: it has ${firstFields(values)}`, next });
      }
      if (id === null || problems.count > before) continue;
      if (gold.has(id)) problems.add({ file, line, message: `the id ${describe(id)} was given before in this file` });
      else gold.set(id, { line, expected });
    }
  return gold;
}

function goldOf(record: Fields, line: number, reading: Reading): unknown {
  const whole = record['expected_output'] ?? record['expectedOutput'] ?? undefined;
  if (whole === undefined) return expectedOf(record, line, reading);
  if (!isRecord(whole)) return wrong(reading, line, 'expected_output', 'an object', whole);
  mayKeepAll(whole, 'expected_output', line, reading);
  return whole;
}
