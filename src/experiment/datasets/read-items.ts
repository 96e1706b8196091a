import type { Fields } from '../../data/item.ts';
import { Problems } from '../../data/problems.ts';
import { describe, idOf, isRecord, mayKeepAll, wrong } from '../../data/record-fields.ts';
import type { Source } from '../../data/source.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { exactRecords, itemFile } from './exact-records.ts';
import { type FieldMap, itemMapper, mapsParts } from './field-map.ts';
import { ITEM_SCHEMAS, type ItemTask } from './item-schemas.ts';
import {
  type ItemMaker,
  Notes,
  type Reading,
  CASE_IDS,
  caseFields,
  caseItem,
  expectedOf,
  isPlainItem,
  plainItem,
} from './record-item.ts';

/** Files of items: JSON lines, JSON arrays or tables, and where their answers are. */
export interface ItemFiles {
  readonly sources: readonly Source[];
  /** Expected outputs, where they have a file of their own. */
  readonly gold: Source | null;
  readonly map: FieldMap;
  /** Whose annotations count: `first`, a name, or null where there may be only one annotator. */
  readonly annotator?: string | null;
  readonly task: ItemTask | null;
}

/** An item as a file gives it; without an id of its own where the file has none. */
export interface ReadItem {
  readonly file: string;
  readonly line: number;
  readonly item: DatasetItemInit;
}

/** The items of files. What is wrong is gathered; items with something wrong are left out. */
export async function* readItems(files: ItemFiles, problems: Problems, notes: Notes): AsyncGenerator<ReadItem> {
  const annotator = files.annotator ?? null;
  const gold = files.gold === null ? null : await readGold(files.gold, annotator, problems);
  /** Of the files of cases alone. */
  const own = new Problems(problems);
  for (const source of files.sources) {
    const file = source.name;
    let maker: ItemMaker | null = null;
    for await (const batch of exactRecords(itemFile(source, own)))
      for (const { kind, line, values } of batch) {
        maker ??= itemMaker(files, { file, problems: own, notes, isTable: kind === 'csv', annotator });
        const made = maker.item(values, line);
        const item = made === null || gold === null ? made : gold.joined(made, file, line);
        if (item !== null) yield { file, line, item };
      }
    maker?.end?.();
  }
  // Where cases are broken, gold that belongs to none of them is no news.
  if (own.count === 0) gold?.end();
}

function itemMaker({ map, task }: ItemFiles, reading: Reading): ItemMaker {
  const mapper = itemMapper(map, task, reading);
  if (reading.isTable || mapsParts(map)) return mapper;
  const { columns, format = null } = task === null ? {} : ITEM_SCHEMAS[task];
  return {
    item(record, line) {
      if (isPlainItem(record)) return plainItem(record, map.id, line, reading);
      if (columns !== undefined) return mapper.item(record, line);
      const fields = caseFields(record, format);
      if (fields?.input !== undefined) return caseItem(record, fields, map.id, line, reading);
      reading.problems.add({
        file: reading.file,
        line,
        message: `expected an item with input and expected_output, found ${firstFields(record) || 'no fields'}`,
        next: 'name the fields with --input FIELD,FIELD and --expected FIELD',
      });
      return null;
    },
  };
}

function firstFields(record: Fields): string {
  return Object.keys(record).slice(0, 6).join(', ');
}

interface Gold {
  /** The item with its expected output; null where something is wrong. */
  joined(item: DatasetItemInit, file: string, line: number): DatasetItemInit | null;
  /** Once all cases have been joined: gold that belongs to none of them is never dropped in silence. */
  end(): void;
}

/** Expected outputs in a file of their own, to be joined with the cases by id. All of it is held. */
async function readGold(source: Source, annotator: string | null, problems: Problems): Promise<Gold> {
  const { name } = source;
  const gold = new Map<string, { readonly line: number; readonly expected: unknown; isTaken: boolean }>();
  const report = (file: string, line: number, message: string, next?: string): null => {
    problems.add({ file, line, message, next });
    return null;
  };
  const reading: Reading = { file: name, problems, notes: new Notes(), isTable: false, annotator };
  for await (const batch of exactRecords(itemFile(source, problems)))
    for (const { line, values } of batch) {
      const before = problems.count;
      const id = idOf(values, CASE_IDS, line, reading);
      const expected = goldOf(values, line, reading);
      if (expected === undefined)
        report(
          name,
          line,
          `no gold in this record: it has ${firstFields(values)}`,
          'items, spans, annotations, entities or expected_output are looked for',
        );
      if (id === null || problems.count > before) continue;
      if (gold.has(id)) report(name, line, `the id ${describe(id)} was given before in this file`);
      else gold.set(id, { line, expected, isTaken: false });
    }
  return {
    joined(item, file, line) {
      const found = gold.get(item.id ?? '');
      if (item.expectedOutput !== undefined)
        return report(file, line, `has an expected output already, beside ${name}`);
      if (found === undefined)
        return report(
          file,
          line,
          `no gold for ${describe(item.id ?? '')} in ${name}`,
          'give it an empty list there, or leave the case out',
        );
      found.isTaken = true;
      return { ...item, expectedOutput: found.expected };
    },
    end() {
      for (const [id, { line, isTaken }] of gold)
        if (!isTaken)
          report(name, line, `gold for ${describe(id)}, which is none of the cases`, 'add the case or remove the gold');
    },
  };
}

function goldOf(record: Fields, line: number, reading: Reading): unknown {
  const whole = record['expected_output'] ?? record['expectedOutput'] ?? undefined;
  if (whole === undefined) return expectedOf(record, line, reading);
  if (!isRecord(whole)) return wrong(reading, line, 'expected_output', 'an object', whole);
  mayKeepAll(whole, 'expected_output', line, reading);
  return whole;
}
