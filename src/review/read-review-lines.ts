import { type Problem, Problems } from '../data/problems.ts';
import { MISSING_MARKS, numberOf } from './agreement/rating-value.ts';
import { describe } from '../data/record-fields.ts';
import { readTable } from '../data/record-table.ts';
import { memorySource, type Source } from '../data/source.ts';
import { orderedLine, type ReviewLine } from './review-lines.ts';
import {
  type LineForm,
  type LineLayout,
  lineLayout,
  type ReviewLineOptions,
  type LinePart,
  type LineQuestion,
} from './review-line-layout.ts';
import { looksLikeDate } from './sheets/spreadsheet-cells.ts';
import { spreadsheetRows } from './sheets/spreadsheet-rows.ts';
import { readSpreadsheetText } from './sheets/spreadsheet-text.ts';

/**
 * Reviews from files: a line for each answer (CSV, JSONL or a JSON array), or a table with a column for each question,
 * or one with a column for each expert. CSV may be as any spreadsheet saved it. All that is wrong is thrown at once.
 */
export async function readReviewLines(
  sources: readonly Source[],
  options: ReviewLineOptions = {},
): Promise<ReviewLine[]> {
  const problems = new Problems();
  const lines: PlacedLine[] = [];
  for (const source of sources) {
    try {
      for (const line of await linesOf(source, options, problems)) lines.push(line);
    } catch (error) {
      // This file cannot be read on; the problems of the others belong to the same message.
      problems.addThrown(error);
    }
  }
  const once = eachOnce(lines, problems);
  problems.throwIfAny();
  return once;
}

interface LineTable {
  readonly isTable: boolean;
  readonly columns: readonly string[];
  readonly rows: readonly LineRow[];
}

async function linesOf(source: Source, options: ReviewLineOptions, problems: Problems): Promise<PlacedLine[]> {
  const file = source.name;
  const own = new Problems(problems);
  const { columns, rows, isTable } = await open(await readSpreadsheetText(source), file, own);
  const layout = columns.length === 0 ? null : lineLayout(columns, file, options, own);
  if (layout === null) {
    if (own.count === 0) own.add({ file, line: null, message: 'no review was found in this file' });
    return [];
  }
  const { form, classField } = options;
  return rows.flatMap((row) => linesOfRow(row, { file, layout, isTable, form, classField, problems: own }));
}

async function open(text: string, file: string, problems: Problems): Promise<LineTable> {
  if (/^\s*[[{]/.test(text)) {
    const { columns, rows } = await readTable(memorySource(file, text), problems);
    return {
      isTable: false,
      columns,
      rows: rows.map(({ line, values }) => ({ line, value: (column) => values.get(column) })),
    };
  }
  const { columns, rows } = await spreadsheetRows(text, file, problems);
  return {
    isTable: true,
    columns,
    rows: rows.map((row) => ({ line: row.line, value: (column) => row.cell(column) })),
  };
}

/** The same answer twice is one; two different ones by the same person to the same question are a mistake. */
function eachOnce(lines: readonly PlacedLine[], problems: Problems): ReviewLine[] {
  const seen = new Map<string, PlacedLine>();
  for (const placed of lines) {
    const { case_id, system, language, reviewer, role, field, part, text, value } = placed.line;
    const key = JSON.stringify([case_id, system, language, reviewer, role, field, part, text]);
    const before = seen.get(key);
    if (before === undefined) seen.set(key, placed);
    else if (before.line.value !== value)
      problems.add({
        ...placed.place,
        message: `the same question was given another answer before (${before.place.file}, line ${before.place.line ?? 1})`,
        next: 'keep one of them',
      });
  }
  return [...seen.values()].map(({ line }) => line);
}

interface LineRow {
  readonly line: number;
  value(column: string): unknown;
}

interface PlacedLine {
  readonly line: ReviewLine;
  readonly place: Pick<Problem, 'file' | 'line' | 'field'>;
}

interface RowContext {
  readonly file: string;
  readonly layout: LineLayout;
  /** Cells of a table are all text; in JSON a text that looks like a number is a text. */
  readonly isTable: boolean;
  readonly form: LineForm | undefined;
  readonly classField: string | undefined;
  readonly problems: Problems;
}

/** The lines of one row: one, or one for each answer of a wide table. What is wrong is noted, and the rest is read. */
function linesOfRow(row: LineRow, context: RowContext): PlacedLine[] {
  const { file, layout, problems } = context;
  const placeOf = (column: string): PlacedLine['place'] => ({ file, line: row.line, field: column });
  const columnOf = (part: LinePart): string => layout.places.get(part) ?? part;
  const textOf = (part: LinePart): string | null => {
    const column = layout.places.get(part);
    const value = column === undefined ? null : (row.value(column) ?? null);
    if (value === null || typeof value === 'string') return value === null || value.trim() === '' ? null : value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    problems.add({ ...placeOf(columnOf(part)), message: `expected text, found ${describe(value)}` });
    return null;
  };
  const needed = (part: LinePart, what: string): string | null => {
    const text = textOf(part)?.trim() ?? null;
    if (text === null) problems.add({ ...placeOf(columnOf(part)), message: `expected ${what}, found nothing` });
    return text;
  };

  const caseId = needed('case_id', 'the id of a case');
  const reviewer = layout.kind === 'experts' ? '' : needed('reviewer', 'the name of a reviewer');
  const role = roleOf(textOf('role'), placeOf(columnOf('role')), problems);
  if (caseId === null || reviewer === null || role === null) return [];
  const shared = {
    case_id: caseId,
    system: textOf('system')?.trim() ?? null,
    language: textOf('language')?.trim() ?? null,
    role,
    because: textOf('because'),
    at: textOf('at')?.trim() ?? null,
  };
  const kind = textOf('corrected_kind')?.trim();
  const corrected = kind === undefined ? {} : { corrected_kind: kind };
  const lineFor = (question: LineQuestion, column: string, who: string, text: string | null): PlacedLine[] => {
    const place = placeOf(column);
    // A wide table names the question in its header; elsewhere each line does, in separate columns.
    const aboutOf = (about: 'field' | 'part'): PlacedLine['place'] =>
      layout.kind === 'long' ? placeOf(columnOf(about)) : place;
    const value = readValue(row.value(column), question, { value: place, aboutOf }, context);
    const { field, part } = question;
    return value === null
      ? []
      : [{ line: orderedLine({ ...shared, ...corrected, reviewer: who, field, part, value, text }), place }];
  };

  if (layout.kind !== 'long')
    return layout.columns.flatMap(({ name, field, part, reviewer: own }) =>
      lineFor({ field, part }, name, own ?? reviewer, null),
    );
  const field = layout.places.has('field') ? needed('field', 'the name of a question') : (context.classField ?? null);
  const part = textOf('part')?.trim() ?? null;
  if (part !== null && context.isTable && looksLikeDate(part)) {
    problems.add({
      ...placeOf(columnOf('part')),
      message: `found ${describe(part)}, which looks like a date that a spreadsheet made of a place such as 1-12`,
      next: 'take the file as it was exported, or JSONL, which spreadsheets leave alone',
    });
    return [];
  }
  return field === null ? [] : lineFor({ field, part }, columnOf('value'), reviewer, textOf('text'));
}

function roleOf(role: string | null, place: PlacedLine['place'], problems: Problems): ReviewLine['role'] | null {
  const known = role?.trim().toLowerCase() ?? 'reviewer';
  if (known === 'reviewer' || known === 'adjudicator') return known;
  problems.add({
    ...place,
    message: `expected reviewer or adjudicator, found ${describe(role)}`,
    next: 'a model’s answers never count among people’s: leave its lines out',
  });
  return null;
}

interface ValuePlaces {
  readonly value: PlacedLine['place'];
  aboutOf(about: 'field' | 'part'): PlacedLine['place'];
}

/** Null if there is no answer, or one that cannot be, with the problem noted. */
function readValue(
  raw: unknown,
  question: LineQuestion,
  places: ValuePlaces,
  { form, isTable, problems }: RowContext,
): ReviewLine['value'] | null {
  if (raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')) return null;
  if (typeof raw !== 'string' && typeof raw !== 'boolean' && !(typeof raw === 'number' && Number.isFinite(raw))) {
    problems.add({ ...places.value, message: `expected a text, a number, true or false, found ${describe(raw)}` });
    return null;
  }
  const isMissing = typeof raw === 'string' && MISSING_MARKS.includes(raw.trim());
  if (form === undefined) {
    if (isMissing) return null;
    return isTable && typeof raw === 'string' ? asItLooks(raw) : raw;
  }
  const reading = form.valueOf(question, raw);
  if ('value' in reading) return reading.value;
  if (isMissing) return null;
  const { fault: message, next, about } = reading;
  const place = about === undefined ? places.value : places.aboutOf(about);
  problems.add({ ...place, message, next });
  return null;
}

function asItLooks(cell: string): ReviewLine['value'] {
  const text = cell.trim();
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return numberOf(text) ?? numberOf(text.replace(/^([+-]?\d+),(\d+)$/, '$1.$2')) ?? text;
}
