import type { ColumnMetaData, DataReader, PageHeader, SchemaTree } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js';

import { PAGE_CODECS } from './page-codecs.ts';
import { lengthAt, thriftEnd } from './thrift.ts';

/** The column of a row group, as its pages are checked. */
export interface ParquetColumn {
  readonly meta: ColumnMetaData;
  readonly schemaPath: SchemaTree[];
  /** Called with the bytes that a page decompresses to, before they are made. */
  readonly grow: (bytes: number) => void;
}

interface Pages extends ParquetColumn {
  dictionaryLength: number;
}

type DataPage = NonNullable<PageHeader['data_page_header'] & PageHeader['data_page_header_v2']>;
type Encoding = DataPage['encoding'];

const MOST_HEADER_VALUES = 10_000;
/** Values behind the last one of a page, to fill its last run. */
const PADDING = 512;
const MOST_BIT_WIDTH = 32;

/**
 * Checks the page headers of a column against its metadata, and returns the decompressor of its pages, which checks what
 * is in them. hyparquet trusts both: one byte makes it allocate gigabytes or loop for ever.
 */
export function checkedPages(
  bytes: ArrayBuffer,
  column: ParquetColumn,
): (page: Uint8Array, size: number) => Uint8Array {
  const { codec, num_values: values } = column.meta;
  const decompress = PAGE_CODECS[codec];
  if (decompress === undefined) throw new Error(`the codec ${codec} is not supported`);
  const view = new DataView(bytes);
  const headers: PageHeader[] = [];
  const pages: Pages = { ...column, dictionaryLength: 0 };
  let read = 0;
  for (let at = 0; at < view.byteLength - 1;) {
    const start = thriftEnd(view, at, MOST_HEADER_VALUES);
    const header = parquetHeader({ view, offset: at });
    const { compressed_page_size: length, uncompressed_page_size: size } = header;
    if (!isCount(length) || !isCount(size) || length > view.byteLength - start)
      throw new RangeError('a page is longer than its column');
    at = start + length;
    column.grow(size);
    if (header.type === 'DICTIONARY_PAGE') pages.dictionaryLength = valuesOfDictionary(header);
    else read += checkHeader(header, pages, new Uint8Array(bytes, start, length));
    if (header.data_page_header_v2?.is_compressed !== false || header.type !== 'DATA_PAGE_V2') headers.push(header);
  }
  if (read !== Number(values)) throw new RangeError(`a column has ${read} values instead of ${values}`);
  return (page, size) => {
    const content = new Uint8Array(decompress(page, size));
    const header = headers.shift();
    if (content.length !== size || header === undefined)
      throw new RangeError('a page has not the length of its header');
    checkContent(content, header, pages);
    return content;
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

function valuesOfDictionary({ dictionary_page_header: dictionary, uncompressed_page_size: size }: PageHeader): number {
  // A truth value has a bit, any other at least a byte.
  if (!isCount(dictionary?.num_values) || dictionary.num_values > size * 8)
    throw new RangeError('a dictionary has more values than bytes');
  return dictionary.num_values;
}

/** The number of values of a page. */
function checkHeader(header: PageHeader, column: Pages, page: Uint8Array): number {
  const { type } = header;
  const data = type === 'DATA_PAGE' ? header.data_page_header : header.data_page_header_v2;
  if (data === undefined || !isCount(data.num_values) || data.num_values > Number(column.meta.num_values))
    throw new RangeError('a page has more values than its column');
  if (type === 'DATA_PAGE_V2') checkLevelsV2(header, column, page);
  return data.num_values;
}

function checkLevelsV2(
  { data_page_header_v2: data, uncompressed_page_size: size }: PageHeader,
  column: Pages,
  page: Uint8Array,
): void {
  const { num_values: values, num_nulls: nulls, num_rows: rows, is_compressed: isCompressed } = data!;
  const [repetitions, definitions] = [data!.repetition_levels_byte_length, data!.definition_levels_byte_length];
  if (
    ![nulls, rows, repetitions, definitions].every(isCount) ||
    nulls > values ||
    repetitions + definitions > Math.min(size, page.length)
  )
    throw new RangeError('the levels of a page are longer than the page');
  const view = viewOf(page);
  const { repetition, definition } = levelWidths(column);
  if (repetition > 0) checkRuns(view, 0, repetition, values);
  if (definition > 0) checkRuns(view, repetitions, definition, values);
  if (isCompressed === false)
    checkValues(viewOf(page.subarray(repetitions + definitions)), 0, values - nulls, data!.encoding, column, true);
}

function checkContent(content: Uint8Array, header: PageHeader, column: Pages): void {
  const view = viewOf(content);
  if (header.type === 'DATA_PAGE_V2') {
    const { num_values: values, num_nulls: nulls, encoding } = header.data_page_header_v2!;
    checkValues(view, 0, values - nulls, encoding, column, true);
  } else if (header.type === 'DATA_PAGE') {
    const { num_values: values, encoding } = header.data_page_header!;
    const { repetition, definition } = levelWidths(column);
    let at = 0;
    let present = values;
    if (repetition > 0) {
      checkRuns(view, 4, repetition, values);
      at = 4 + view.getUint32(0, true);
    }
    if (definition > 0) {
      const length = view.getUint32(at, true);
      checkRuns(view, at + 4, definition, values);
      present = presentValues({ view, offset: at + 4 }, length, values, column);
      at += 4 + length;
    }
    checkValues(view, at, present, encoding, column, false);
  }
}

function presentValues(reader: DataReader, length: number, values: number, { schemaPath }: ParquetColumn): number {
  const most = getMaxDefinitionLevel(schemaPath);
  const levels = new Int32Array(values);
  readRleBitPackedHybrid(reader, bitWidth(most), levels, length);
  return levels.reduce((sum, level) => (level === most ? sum + 1 : sum), 0);
}

function checkValues(
  view: DataView,
  at: number,
  values: number,
  encoding: Encoding,
  column: Pages,
  isV2: boolean,
): void {
  const { type } = column.meta;
  const width = column.schemaPath.at(-1)?.element.type_length ?? 0;
  if (encoding === 'RLE' && (isV2 || type === 'BOOLEAN')) checkRuns(view, at + 4, 1, values);
  else if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY' || encoding === 'RLE') {
    if (type === 'BOOLEAN' && !isV2) checkRuns(view, at + 4, 1, values);
    // A page without values may end here.
    else if (values > 0) {
      checkRuns(view, at + 1, view.getUint8(at), values);
      checkIndices(view, at, values, column.dictionaryLength);
    }
  } else if (
    encoding === 'BYTE_STREAM_SPLIT' &&
    values * (type === 'FIXED_LEN_BYTE_ARRAY' ? width : 4) > view.byteLength
  )
    throw new RangeError('a page has more values than bytes');
  else if (encoding === 'DELTA_BINARY_PACKED') checkBlocks(view, at);
  else if (encoding === 'DELTA_BYTE_ARRAY') {
    const reader = { view, offset: at };
    const [prefixes, suffixes] = [new Int32Array(values), new Int32Array(values)];
    deltaBinaryUnpack(reader, values, prefixes);
    deltaBinaryUnpack(reader, values, suffixes);
    let [before, bytes] = [0, 0];
    prefixes.forEach((prefix, index) => {
      if (prefix < 0 || prefix > before || suffixes[index]! < 0)
        throw new RangeError('a text begins with more than the one before it has');
      before = prefix + suffixes[index]!;
      bytes += before;
    });
    column.grow(bytes);
  }
}

/** A value that is not in the dictionary would be read as an absent one. */
function checkIndices(view: DataView, at: number, values: number, dictionaryLength: number): void {
  const width = view.getUint8(at);
  const indices = new Int32Array(values);
  if (width > 0) readRleBitPackedHybrid({ view, offset: at + 1 }, width, indices, view.byteLength - at - 1);
  for (const index of indices)
    if (index < 0 || index >= dictionaryLength)
      throw new RangeError(`a page has value ${index} of a dictionary of ${dictionaryLength}`);
}

function checkBlocks(view: DataView, at: number): void {
  const blocks = lengthAt(view, lengthAt(view, at).end).length;
  if (blocks > view.byteLength) throw new RangeError('a page has more blocks than bytes');
}

/** Checks the runs of equal and of packed values that `values` values are made of. */
export function checkRuns(view: DataView, start: number, width: number, values: number): void {
  if (width > MOST_BIT_WIDTH) throw new RangeError(`a value has ${width} bits`);
  let at = start;
  for (let seen = 0; seen < values;) {
    const { length: head, end } = lengthAt(view, at);
    const isPacked = head % 2 === 1;
    const count = Math.floor(head / 2) * (isPacked ? 8 : 1);
    seen += count;
    if (seen > values + PADDING) throw new RangeError('a run has more values than its page');
    at = end + (isPacked ? Math.max(1, (count * width) / 8) : (width + 7) >> 3);
  }
}

function levelWidths({ schemaPath }: ParquetColumn): { readonly repetition: number; readonly definition: number } {
  return {
    repetition: bitWidth(getMaxRepetitionLevel(schemaPath)),
    definition: bitWidth(getMaxDefinitionLevel(schemaPath)),
  };
}

function bitWidth(most: number): number {
  return 32 - Math.clz32(most);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
