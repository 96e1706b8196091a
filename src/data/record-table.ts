import { InputError, Problems } from './problems.ts';
import { Records, type TableKind } from './records.ts';
import type { Digest, Source } from './source.ts';

/** One row of a table or one JSON object: values by name. */
export interface NamedRow {
  readonly line: number;
  readonly values: ReadonlyMap<string, unknown>;
}

export interface RecordTable {
  readonly kind: TableKind;
  /** In their order; of JSON objects, the fields of any. */
  readonly columns: readonly string[];
  readonly rows: readonly NamedRow[];
  readonly digest: Digest;
}

/** All rows of a table, or all objects of a JSON file. */
export async function readTable(source: Source, problems: Problems): Promise<RecordTable> {
  const file = new Records(source, { problems });
  await refuseEmpty(file);
  const columns = new Set<string>();
  const rows: NamedRow[] = [];
  for await (const batch of file.objects('first'))
    for (const { line, values } of batch) {
      const own = new Map(Object.entries(values));
      for (const name of own.keys()) columns.add(name);
      rows.push({ line, values: own });
    }
  return { kind: await file.kind(), columns: file.columns ?? [...columns], rows, digest: file.digest() };
}

/** What a table is, and its columns or the fields of its first object. What is wrong is reported when all is read. */
export async function peekTable(
  source: Source,
): Promise<Pick<RecordTable, 'kind'> & { readonly names: readonly string[] }> {
  const file = new Records(source, { problems: new Problems() });
  await refuseEmpty(file);
  const kind = await file.kind();
  try {
    if (kind === 'csv') {
      for await (const [header] of file.rows())
        if (header !== undefined) return { kind, names: header.cells.map((cell) => cell.trim()) };
    } else
      for await (const [first] of file.objects())
        if (first !== undefined) return { kind, names: Object.keys(first.values) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return { kind, names: [] };
}

async function refuseEmpty(file: Records): Promise<void> {
  const start = await file.start();
  if (start !== null && start.text.trim() !== '') return;
  await file.close();
  const message = 'the file is empty, expected a table or JSON records';
  throw new InputError([{ file: file.name, line: null, message }]);
}
