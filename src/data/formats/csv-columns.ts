import { nearestNames } from '../../text/nearest.ts';
import type { DataOptions } from '../data-options.ts';
import type { ReadContext } from '../format.ts';
import { UsageError } from '../problems.ts';
import { describe, wrong } from '../record-fields.ts';
import { harmless } from '../visible.ts';
import type { CsvRecord } from '../csv-records.ts';

/** What Assay looks for in a table; a column map gives the file's own names. */
export const PARTS = ['id', 'text', 'start', 'end', 'label', 'annotator'] as const;
export type Part = (typeof PARTS)[number];

/** Where the parts stand in a table. */
export interface Columns {
  readonly names: readonly string[];
  readonly places: ReadonlyMap<Part, number>;
  /** The other columns, kept as fields. */
  readonly others: readonly { readonly name: string; readonly at: number }[];
}

/** What a file calls a part. */
export function columnName(part: Part, options: DataOptions): string {
  return options.columns[part] ?? part;
}

/** Finds the columns in a header; null, with the problems noted, when one that is needed is not there. */
export function columnsOf({ cells, line }: CsvRecord, context: ReadContext): Columns | null {
  refuseUnknownParts(context.options);
  const names = cells.map((cell) => cell.trim());
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (repeated !== undefined) return wrong(context, line, 'header', 'each column name once', repeated);
  if (names.includes('__proto__'))
    return wrong(context, line, 'header', 'other column names', '__proto__', 'rename or remove this column');

  const isCases = context.role === 'cases';
  const wanted: readonly Part[] = isCases ? ['id', 'text'] : PARTS;
  const needed: readonly Part[] = isCases ? ['id', 'text'] : ['id', 'start', 'end', 'label'];
  const places = new Map<Part, number>();
  let isComplete = true;
  if (isHeadless(names, wanted, context.options)) {
    const found = names.map((name) => describe(name)).join(', ');
    context.problems.add({
      file: context.file,
      line,
      field: 'header',
      message: `expected the names of the columns in the first line, found ${found}`,
      next: `write a line above it that names them, such as ${needed.join(',')}`,
    });
    return null;
  }
  for (const part of wanted) {
    const name = columnName(part, context.options);
    const at = names.indexOf(name);
    // The map may speak of the spans' files only, where `text` is the surface: a case file may keep the plain names.
    const place = at < 0 && isCases ? names.indexOf(part) : at;
    if (place >= 0) places.set(part, place);
    else if (needed.includes(part) || name !== part) {
      reportMissing(part, name, names, line, context);
      isComplete = false;
    }
  }
  if (!isComplete) return null;
  const used = new Set(places.values());
  const others = names.flatMap((name, at) => (used.has(at) || name === '' ? [] : [{ name, at }]));
  return { names, places, others };
}

/** A first line with none of the names that are looked for, and a number among its cells, is a row: no map would help. */
function isHeadless(names: readonly string[], wanted: readonly Part[], options: DataOptions): boolean {
  return (
    names.some((name) => /^-?\d+(?:\.\d+)?$/.test(name)) &&
    !wanted.some((part) => names.includes(part) || names.includes(columnName(part, options)))
  );
}

function reportMissing(part: Part, name: string, names: readonly string[], line: number, context: ReadContext): void {
  const near = nearestNames(name, names, 1);
  context.problems.add({
    file: context.file,
    line,
    field: `column ${name}`,
    message: `expected a column for ${part}, found only ${names.map((one) => describe(one)).join(', ')}`,
    next: `map it with --columns ${part}=${near[0] ?? 'NAME'}`,
  });
}

function refuseUnknownParts(options: DataOptions): void {
  for (const name of Object.keys(options.columns)) {
    if (PARTS.some((part) => part === name)) continue;
    const near = nearestNames(name, PARTS, 1);
    throw new UsageError(
      `columns: there is no part called ${harmless(name)}`,
      near.length > 0 ? `did you mean ${near[0]!}?` : `parts: ${PARTS.join(', ')}`,
    );
  }
}
