/** The type of a column; any cell may be null. Nested values are JSON text. */
export type ColumnType = 'text' | 'int' | 'number' | 'boolean';
export type TableColumns = Readonly<Record<string, ColumnType>>;
export type TableCell = string | number | boolean | null;

/** Rows that are held before they are written: a group of rows is what a reader holds too. */
const GROUP = 20_000;

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
} as const;

/** A Parquet file in the making, a group of rows at a time; its bytes go to `append`. */
export async function openParquet(columns: TableColumns, append: (bytes: Buffer) => void) {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const bytes = new ByteWriter();
  const flush = (): void => {
    append(Buffer.from(bytes.getBytes()));
    bytes.index = 0;
  };
  const names = Object.keys(columns);
  const writer = new ParquetWriter({
    writer: bytes,
    createdBy: 'assay',
    schema: [
      { name: 'root', num_children: names.length },
      ...names.map((name) => ({ name, ...ELEMENTS[columns[name]!], repetition_type: 'OPTIONAL' as const })),
    ],
  });
  let held = names.map((): TableCell[] => []);
  const write = (): void => {
    if (held[0]!.length === 0) return;
    // Into bytes at hand it writes at once.
    void writer.write({ columnData: names.map((name, at) => ({ name, data: held[at]! })), rowGroupSize: GROUP });
    held = names.map(() => []);
    flush();
  };
  return {
    add(cells: readonly TableCell[]): void {
      cells.forEach((cell, at) => held[at]!.push(cell));
      if (held[0]!.length === GROUP) write();
    },
    end(): void {
      write();
      void writer.finish();
      flush();
    },
  };
}
