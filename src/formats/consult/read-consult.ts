import type { Problems } from '../../data/problems.ts';
import { singleFiles } from '../../data/read-folder.ts';
import { type NamedRow, readTable } from '../../data/record-table.ts';
import type { Role } from '../../data/format.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { describe, failureOf, isRecord } from '../../data/record-fields.ts';
import { unwrapped } from '../../data/dataset-item.ts';
import type { Source } from '../../data/source.ts';
import type { ConsultSection } from '../../recipe/consult-section.ts';

/** A consultation as its file gives it. */
export interface ConsultCase {
  readonly id: string;
  readonly text: string;
  readonly gold: string | null;
  /** Every other column: they slice, and reviewers may be shown them. */
  readonly columns: Readonly<Record<string, string>>;
  readonly line: number;
}

/** What one system answered to one case in one language. */
export interface ConsultAnswer {
  readonly caseId: string;
  readonly language: string;
  readonly response: string;
  readonly predicted: string | null;
  readonly passages: unknown;
  /** Sources, times and whatever else the record holds. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly failed: string | null;
  readonly file: string;
  readonly line: number;
}

export interface Read<T> {
  readonly rows: readonly T[];
  /** Its files, which are read as one. */
  readonly files: readonly ReadFile[];
}

/** Reads cases: CSV or JSON records. All that is wrong goes to `problems`. */
export async function readConsultCases(
  source: Source,
  section: ConsultSection,
  problems: Problems,
): Promise<Read<ConsultCase>> {
  const seen = new Set<string>();
  return readRecords(source, 'cases', problems, ({ line, values }, { name: file }) => {
    const record = unwrapped(Object.fromEntries(values), section.id);
    const at = { file, line };
    const id = idIn(record, [section.id, section.answered], 'id', at, problems);
    const text = record[section.text] ?? record['text'] ?? record['question'];
    if (typeof text !== 'string' || text.trim() === '')
      problems.add({ ...at, field: section.text, message: `expected what the person wrote, found ${describe(text)}` });
    if (id === null || typeof text !== 'string') return null;
    if (seen.has(id)) {
      problems.add({ ...at, field: section.id, message: `the id ${describe(id)} was given before in this file` });
      return null;
    }
    seen.add(id);
    // A dataset item may give the class alone as what is expected.
    const gold = record[section.gold] ?? values.get('expected_output') ?? values.get('expectedOutput');
    const own = new Set([section.id, section.answered, section.text, section.gold, 'text', 'question']);
    const columns = Object.entries(record).flatMap(([name, value]): [string, string][] =>
      own.has(name) || name === '' || !isPlain(value) ? [] : [[name, String(value)]],
    );
    return {
      id,
      text,
      gold: isPlain(gold) && String(gold).trim() !== '' ? String(gold).trim() : null,
      columns: Object.fromEntries(columns.filter(([, value]) => value.trim() !== '')),
      line,
    };
  });
}

/** Reads one system's answers: JSON records (or CSV). An answer with an `error` and no words has failed. */
export async function readConsultAnswers(
  source: Source,
  section: ConsultSection,
  problems: Problems,
): Promise<Read<ConsultAnswer>> {
  const seen = new Set<string>();
  return readRecords(source, 'predictions', problems, ({ line, values }, { name: file }) => {
    const record = unwrapped(Object.fromEntries(values), section.answered);
    const at = { file, line };
    const caseId = idIn(record, [section.answered, section.id], 'answered', at, problems);
    const failed = failureOf(record);
    // A target may answer with the words alone.
    const response = record[section.response] ?? record['output'];
    if (failed === null && typeof response !== 'string')
      problems.add({
        ...at,
        field: section.response,
        message: `expected the answer’s words, found ${describe(response)}`,
        next: 'an answer that failed states why: {"case_id": …, "error": "…"}',
      });
    const predicted = record[section.predicted];
    if (predicted !== undefined && predicted !== null && typeof predicted !== 'string')
      problems.add({ ...at, field: section.predicted, message: `expected a class, found ${describe(predicted)}` });
    const said = record['language'];
    if (said !== undefined && said !== null && typeof said !== 'string')
      problems.add({ ...at, field: 'language', message: `expected a language such as en, found ${describe(said)}` });
    if (caseId === null || (failed === null && typeof response !== 'string')) return null;
    const language = typeof said === 'string' && said.trim() !== '' ? languageCode(said) : section.languages[0]!;
    if (seen.has(`${caseId}\u0000${language}`)) {
      const message = `a second answer to ${describe(caseId)} in ${describe(language)}`;
      problems.add({ ...at, field: section.answered, message, next: 'one answer a case and language is expected' });
      return null;
    }
    seen.add(`${caseId}\u0000${language}`);
    return {
      caseId,
      language,
      response: typeof response === 'string' ? response : '',
      predicted: typeof predicted === 'string' && predicted.trim() !== '' ? predicted.trim() : null,
      passages: record[section.passages],
      fields: record,
      failed,
      file,
      line,
    };
  });
}

/** `Hindi`, `hi-IN` and `hi` are the same language. */
export function languageCode(said: string): string {
  const plain = said.trim().toLowerCase();
  const named: Readonly<Record<string, string>> = { english: 'en', hindi: 'hi', हिन्दी: 'hi', हिंदी: 'hi' };
  return Object.hasOwn(named, plain) ? named[plain]! : (plain.split(/[-_]/)[0] ?? plain);
}

async function readRecords<T>(
  source: Source,
  role: Role,
  problems: Problems,
  read: (row: NamedRow, file: Source) => T | null,
): Promise<Read<T>> {
  const rows: T[] = [];
  const files: ReadFile[] = [];
  for (const file of await singleFiles(source)) {
    let format = 'unknown';
    let digest = { sha256: '', bytes: 0 };
    const before = { rows: rows.length, problems: problems.count };
    try {
      const table = await readTable(file, problems);
      format = table.kind;
      for (const row of table.rows) {
        const made = read(row, file);
        if (made !== null) rows.push(made);
      }
      digest = table.digest;
      if (rows.length === before.rows && problems.count === before.problems)
        problems.add({ file: file.name, line: null, message: 'no record was found in this file' });
    } catch (error) {
      // The other files can still be read, and their problems belong to the same message.
      problems.addThrown(error);
    }
    const { name, path } = file;
    files.push({ role, name, path, format, ...digest, rows: rows.length - before.rows });
  }
  return { rows, files };
}

function idIn(
  record: Readonly<Record<string, unknown>>,
  names: readonly string[],
  setting: 'id' | 'answered',
  at: { readonly file: string; readonly line: number },
  problems: Problems,
): string | null {
  const name = names.find((one) => record[one] !== undefined && record[one] !== null) ?? names[0]!;
  const value = record[name];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  problems.add({
    ...at,
    field: name,
    message: `expected a case id (text or whole number), found ${describe(value)}`,
    ...(value === undefined ? { next: `is it called otherwise? --set consult.${setting}=NAME` } : {}),
  });
  return null;
}

function isPlain(value: unknown): value is string | number | boolean {
  return !isRecord(value) && ['string', 'number', 'boolean'].includes(typeof value);
}
