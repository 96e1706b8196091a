import { recordOfSide } from '../dataset-item.ts';
import type { JsonFormat, ReadContext, Row, TextFormat } from '../format.ts';
import type { Fields } from '../item.ts';
import { InputError } from '../problems.ts';
import { isRecord } from '../record-fields.ts';

const MAGIC = Buffer.from('PAR1');

export interface NumberedRecord {
  readonly value: Fields;
  readonly line: number;
}

/**
 * Parquet, as data sets are stored on the Hugging Face hub: its rows are records of any shape that is read as JSON. Names of
 * numbered tags are taken from the data set's own description in the file. Needs the package hyparquet.
 */
export function parquetFormat(
  shapeOf: (rows: readonly NumberedRecord[], context: ReadContext) => JsonFormat | null,
): TextFormat {
  return {
    kind: 'text',
    name: 'parquet',
    about: 'Parquet: rows in any of the JSON shapes, such as a Hugging Face dataset',
    example: '',
    extensions: ['.parquet'],
    detects: () => false,
    isBinary: (head) => head.subarray(0, 4).equals(MAGIC),
    async *read(records, context) {
      const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
      const bytes = await records.bytes();
      const file = new Uint8Array(bytes).buffer;
      try {
        const metadata = await parquetMetadataAsync(file);
        const described = metadata.key_value_metadata?.find(({ key }) => key === 'huggingface')?.value;
        const tagNames = context.options.tagNames ?? tagNamesIn(described);
        const options = tagNames === undefined ? context.options : { ...context.options, tagNames };
        const rows = await parquetReadObjects({ file, metadata });
        const numbered = rows.flatMap((row, at): NumberedRecord[] => {
          const value = plain(row);
          if (!isRecord(value)) return [];
          return [{ value: context.role === 'cases' ? value : recordOfSide(value, context.role), line: at + 1 }];
        });
        const taggedContext = { ...context, options };
        const shape = shapeOf(numbered, taggedContext);
        const out: Row[] = [];
        for (const { value, line } of numbered) {
          if (context.numbering !== undefined) context.numbering.at += 1;
          const read = shape?.read(value, line, taggedContext) ?? null;
          if (read !== null) out.push(...('id' in read ? [read] : read));
        }
        yield out;
      } catch (error) {
        if (error instanceof InputError) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new InputError([
          { file: context.file, line: null, message: `the Parquet file cannot be read (${reason})` },
        ]);
      }
    },
  };
}

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
