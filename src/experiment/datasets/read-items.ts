import type { Fields } from '../../data/item.ts';
import { Problems } from '../../data/problems.ts';
import type { Source } from '../../data/source.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { type FieldMap, mapsParts } from './field-map.ts';
import { GoldFile } from './gold-file.ts';
import { ITEM_SCHEMAS, type ItemTask } from './item-schemas.ts';
import { ItemMapper } from './mapped-item.ts';
import { isPlainItem, plainItem } from './plain-item.ts';
import { type Notes, type ReadItem, type Reading, readingOf, recordReader } from './read-records.ts';

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

/** The items of files, a few at a time. What is wrong is gathered; items with something wrong are left out. */
export async function* readItems(files: ItemFiles, problems: Problems, notes: Notes): AsyncGenerator<ReadItem[]> {
  const gold = files.gold === null ? null : await GoldFile.read(files.gold, files.annotator ?? null, problems);
  /** Of the files of cases alone. */
  const own = new Problems(problems);
  for (const source of files.sources) {
    const file = source.name;
    let make: ItemMaker | null = null;
    for await (const batch of recordReader(source, own).records()) {
      const out: ReadItem[] = [];
      for (const { kind, line, values } of batch) {
        make ??= itemMaker(files, readingOf(file, kind === 'csv', own, notes, files.annotator ?? null));
        const made = make.item(values, line);
        const item = made === null || gold === null ? made : gold.joined(made, file, line);
        if (item !== null) out.push({ file, line, item });
      }
      yield out;
    }
    make?.end();
  }
  // Where cases are broken, gold that belongs to none of them is no news.
  if (own.count === 0) gold?.end();
}

interface ItemMaker {
  item(record: Fields, line: number): DatasetItemInit | null;
  end(): void;
}

function itemMaker({ map, task }: ItemFiles, reading: Reading): ItemMaker {
  const columns = (task === null ? null : ITEM_SCHEMAS[task].columns) ?? null;
  const mapper = new ItemMapper(map, reading, columns);
  if (reading.isTable || mapsParts(map)) return mapper;
  if (columns !== null)
    return {
      item: (record, line) =>
        isPlainItem(record) ? plainItem(record, map.id, line, reading) : mapper.item(record, line),
      end: () => undefined,
    };
  return { item: (record, line) => byShape(record, map.id, task, line, reading), end: () => undefined };
}

function byShape(
  record: Fields,
  idField: string | null,
  task: ItemTask | null,
  line: number,
  reading: Reading,
): DatasetItemInit | null {
  if (isPlainItem(record)) return plainItem(record, idField, line, reading);
  const known = Object.values(ITEM_SCHEMAS).find(({ records }) => records?.detects(record) === true);
  const own = task === null ? known?.records : ITEM_SCHEMAS[task].records;
  if (own !== undefined) return own.item(record, idField, line, reading);
  reading.problems.add({
    file: reading.file,
    line,
    message: `expected an item with input and expected_output, found ${fieldsOf(record)}`,
    next: 'name the fields with --input FIELD,FIELD and --expected FIELD',
  });
  return null;
}

function fieldsOf(record: Fields): string {
  const names = Object.keys(record);
  return names.length === 0 ? 'no fields' : names.slice(0, 6).join(', ');
}
