import type { RecordsFormat } from '../format.ts';
import { InputError } from '../problems.ts';
import { isRecord } from '../record-fields.ts';

const MAGIC = Buffer.from('PAR1');

/**
 * Parquet, as data sets are stored on the Hugging Face hub: its rows are records of any shape that is read as JSON. Names of
 * numbered tags are taken from the data set's own description in the file. Needs the package hyparquet.
 */
export const parquet: RecordsFormat = {
  kind: 'records',
  name: 'parquet',
  about: 'Parquet: rows in any of the JSON shapes, such as a Hugging Face dataset',
  example: '',
  extensions: ['.parquet'],
  isBinary: (head) => head.subarray(0, 4).equals(MAGIC),
  async open(records, { options, file: name }) {
    const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
    const bytes = await records.bytes();
    const file = new Uint8Array(bytes).buffer;
    try {
      const metadata = await parquetMetadataAsync(file);
      const described = metadata.key_value_metadata?.find(({ key }) => key === 'huggingface')?.value;
      const tagNames = options.tagNames ?? tagNamesIn(described);
      const rows = await parquetReadObjects({ file, metadata });
      return {
        options: tagNames === undefined ? {} : { tagNames },
        async *values() {
          yield rows.map((row, at) => ({ line: at + 1, text: '', value: plain(row) }));
        },
      };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new InputError([{ file: name, line: null, message: `the Parquet file cannot be read (${reason})` }]);
    }
  },
};

/** Whole numbers may be as large as 2^64 there; typed arrays are lists. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (
    value instanceof Uint8Array ||
    value instanceof Int32Array ||
    value instanceof BigInt64Array ||
    value instanceof Float64Array
  )
    return Array.from<unknown>(value).map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__proto__')
      .map(([name, inner]) => [name, plain(inner)]),
  );
}

/** The names of the first list of classes, `info.features.ner_tags.feature.names`. */
function tagNamesIn(described: string | undefined): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(described ?? 'null');
  } catch {
    return undefined;
  }
  const info = isRecord(value) && isRecord(value['info']) ? value['info'] : {};
  for (const feature of Object.values(isRecord(info['features']) ? info['features'] : {})) {
    const inner = isRecord(feature) && isRecord(feature['feature']) ? feature['feature'] : {};
    if (Array.isArray(inner['names']) && inner['names'].every((name) => typeof name === 'string'))
      return inner['names'];
  }
  return undefined;
}
