import type { AsyncBuffer, ColumnMetaData, DecodedArray, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { flatten, parquetMetadata, parquetSchema } from 'hyparquet';
import { assembleNested } from 'hyparquet/src/assemble.js';
import { readColumn } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { getTreePath, isFlatColumn } from 'hyparquet/src/schema.js';

import { checkedPages } from './parquet-pages.ts';
import { UsageError } from './problems.ts';
import { isRecord } from './record-fields.ts';
import { isBomb } from './source.ts';
import { thriftEnd } from './thrift.ts';

/** Rows of a Parquet file as columns of JSON values, in the order of `names`. */
export interface ParquetBatch {
  readonly names: readonly string[];
  readonly columns: readonly (readonly unknown[])[];
}

const FOOTER = 8;
const MOST_METADATA_VALUES = 1 << 21;
const MOST_SCHEMA = 4096;
/** A group of rows is held as a whole, here and by the program that wrote it. */
const MOST_GROUP_BYTES = 3 << 26;
const CELL_BYTES = 8;
const NESTED_CELL_BYTES = 64;
/** The least that a row and a cell have as JSON. */
const ROW_BYTES = 16;
const NULL_BYTES = 4;
const BATCH_ROWS = 2000;
const BATCH_BYTES = 1 << 22;

/** A Parquet file, with its own description of a data set. Numbers of the file are checked before anything is allocated. */
export async function openParquetFile(file: AsyncBuffer, tick: () => void = () => undefined) {
  const metadata = await readMetadata(file);
  const tree = checkedSchema(metadata);
  checkGroups(metadata, tree, file.byteLength);
  return {
    described: metadata.key_value_metadata?.find(({ key }) => key === 'huggingface')?.value,
    async *batches(): AsyncGenerator<ParquetBatch> {
      const [total, rows] = [{ bytes: 0 }, { bytes: 0 }];
      for (const [at, group] of metadata.row_groups.entries()) {
        const leaves = await readLeaves(file, group, tree, tick, (bytes, held) => {
          total.bytes += bytes;
          refuseGroup(held, at);
          refuseBomb(total.bytes, file.byteLength);
        });
        const columns = tree.children.map((child) => columnOf(child, leaves, Number(group.num_rows)));
        yield* batchesOf(tree, columns, Number(group.num_rows), (bytes) => {
          rows.bytes += bytes;
          refuseBomb(rows.bytes, file.byteLength);
        });
      }
    },
  };
}

async function readMetadata(file: AsyncBuffer): Promise<FileMetaData> {
  const { byteLength: size } = file;
  if (size < FOOTER) throw new Error('it is too short');
  const length = new DataView(await file.slice(size - FOOTER, size)).getUint32(0, true);
  if (length > size - FOOTER) throw new Error('its metadata is longer than the file');
  const footer = await file.slice(size - FOOTER - length, size);
  thriftEnd(new DataView(footer, 0, length), 0, MOST_METADATA_VALUES);
  // Looking for places of the earth never ends if a column has fewer than no children.
  return parquetMetadata(footer, { geoparquet: false });
}

function checkedSchema({ schema }: FileMetaData): SchemaTree {
  if (schema.length > MOST_SCHEMA) throw new Error(`it has more than ${MOST_SCHEMA} columns`);
  for (const { type, type_length: width, logical_type: logical, name, num_children: children } of schema) {
    countOf(children ?? 0);
    if (logical?.type === 'VARIANT')
      throw new UsageError(`the column ${name} is of the type VARIANT, which is not read`, 'store it as JSON text');
    if (type === 'FIXED_LEN_BYTE_ARRAY' && countOf(width) === 0) throw new Error('a value has no bytes');
  }
  return parquetSchema({ schema });
}

function checkGroups(metadata: FileMetaData, tree: SchemaTree, size: number): void {
  const columns = metadata.schema.filter(({ num_children: children }) => (children ?? 0) === 0).length;
  let [rows, stored, decompressed] = [0, 0, 0];
  metadata.row_groups.forEach((group, at) => {
    const groupRows = countOf(group.num_rows);
    rows += groupRows;
    if (group.columns.length !== columns) throw new Error('a group of rows lacks columns');
    let held = 0;
    for (const { meta_data: meta, file_path: path } of group.columns) {
      if (meta === undefined || path !== undefined) throw new Error('a column is in another file');
      const { start, end } = placeOf(meta);
      const schemaPath = getTreePath(tree, meta.path_in_schema);
      const isFlat = isFlatColumn(schemaPath);
      const values = countOf(meta.num_values);
      if (
        end > size - FOOTER ||
        schemaPath.at(-1)?.element.type !== meta.type ||
        (schemaPath.at(-1)?.children.length ?? 1) > 0
      )
        throw new Error('a column is not where the metadata has it');
      if (isFlat ? values !== groupRows : values < groupRows)
        throw new Error(`a column has ${values} values for ${groupRows} rows`);
      stored += end - start;
      decompressed += countOf(meta.total_uncompressed_size);
      held += values * (isFlat ? CELL_BYTES : NESTED_CELL_BYTES * schemaPath.length);
    }
    refuseGroup(held, at);
  });
  if (stored > size) throw new Error('its columns overlap');
  refuseBomb(Math.max(decompressed, rows * (ROW_BYTES + NULL_BYTES * columns)), size);
}

function refuseGroup(bytes: number, at: number): void {
  if (bytes > MOST_GROUP_BYTES)
    throw new UsageError(
      `group ${at + 1} of its rows needs more than ${MOST_GROUP_BYTES >> 20} MiB`,
      'write it with smaller row groups',
    );
}

function refuseBomb(bytes: number, size: number): void {
  if (isBomb(bytes, size))
    throw new UsageError(
      'its rows are more than 250 times larger than the file',
      'if they are meant to be, convert it to JSON lines',
    );
}

/** A number of the metadata, which may be of any type there. */
function countOf(value: unknown): number {
  const count = typeof value === 'bigint' ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
    throw new Error('its metadata has a number that is not possible');
  return count;
}

function placeOf(meta: ColumnMetaData): { readonly start: number; readonly end: number } {
  const start = countOf(meta.dictionary_page_offset || meta.data_page_offset);
  return { start, end: start + countOf(meta.total_compressed_size) };
}

/** The columns of a group that have values, by their paths. */
async function readLeaves(
  file: AsyncBuffer,
  group: RowGroup,
  tree: SchemaTree,
  tick: () => void,
  onGrowth: (bytes: number, held: number) => void,
): Promise<Map<string, DecodedArray>> {
  const rows = Number(group.num_rows);
  let held = 0;
  const grow = (bytes: number): void => onGrowth(bytes, (held += bytes));
  const leaves = new Map<string, DecodedArray>();
  for (const { meta_data: meta } of group.columns) {
    if (meta === undefined || rows === 0) continue;
    const { start, end } = placeOf(meta);
    const schemaPath = getTreePath(tree, meta.path_in_schema);
    const bytes = await file.slice(start, end);
    const decompress = checkedPages(bytes, { meta, schemaPath, grow });
    const { data } = readColumn(
      { view: new DataView(bytes), offset: 0 },
      { groupStart: 0, selectStart: 0, selectEnd: rows, groupRows: rows },
      {
        ...meta,
        pathInSchema: meta.path_in_schema,
        element: schemaPath.at(-1)!.element,
        schemaPath,
        parsers: DEFAULT_PARSERS,
        // A name that gives every page to the hook, also one that is not compressed.
        codec: 'SNAPPY',
        compressors: {
          SNAPPY(page, size) {
            tick();
            return decompress(page, size);
          },
        },
      },
    );
    leaves.set(meta.path_in_schema.join('.'), flatten(data));
  }
  return leaves;
}

/** A column of the schema's first level, put together from those below it. */
function columnOf(child: SchemaTree, leaves: Map<string, DecodedArray>, rows: number): DecodedArray {
  if (rows > 0 && child.children.length > 0) assembleNested(leaves, child, DEFAULT_PARSERS);
  const column = leaves.get(child.path.join('.')) ?? [];
  if (column.length !== rows) throw new Error(`a column has ${column.length} values for ${rows} rows`);
  return column;
}

function* batchesOf(
  { children }: SchemaTree,
  columns: readonly DecodedArray[],
  rows: number,
  onGrowth: (bytes: number) => void,
): Generator<ParquetBatch> {
  const names = children.map(({ element }) => element.name);
  for (let row = 0; row < rows;) {
    const batch = columns.map((): unknown[] => []);
    const first = row;
    for (let bytes = 0; row < rows && row < first + BATCH_ROWS && bytes < BATCH_BYTES; row++) {
      let rowBytes = ROW_BYTES;
      columns.forEach((column, at) => batch[at]!.push(jsonValue(column[row], (length) => (rowBytes += length))));
      onGrowth(rowBytes);
      bytes += rowBytes;
    }
    yield { names, columns: batch };
  }
}

/** Whole numbers may be as large as 2^64 there; typed arrays are lists. `add` hears of the bytes as JSON, about. */
function jsonValue(value: unknown, add: (bytes: number) => void): unknown {
  add(typeof value === 'string' ? value.length : NULL_BYTES);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (
    value instanceof Uint8Array ||
    value instanceof Int32Array ||
    value instanceof BigInt64Array ||
    value instanceof Float64Array
  )
    return Array.from<unknown>(value).map((element) => jsonValue(element, add));
  if (Array.isArray(value)) return value.map((element) => jsonValue(element, add));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__proto__')
      .map(([name, inner]) => {
        add(name.length);
        return [name, jsonValue(inner, add)];
      }),
  );
}
