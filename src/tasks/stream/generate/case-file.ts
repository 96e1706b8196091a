import { dirname, isAbsolute, join } from 'node:path';

import { Problems, UsageError } from '../../../data/problems.ts';
import { isRecord } from '../../../data/record-fields.ts';
import { fileSource } from '../../../data/source.ts';
import { exactRecords, itemFile } from '../../../experiment/datasets/exact-records.ts';
import type { ConfigFile } from '../config/config-file.ts';
import type { DatasetValues } from './dataset-config.ts';
import type { GeneratedCase } from './generate-folder.ts';
import type { ScriptLine } from './scripted-model.ts';
import { caseId } from '../trace-records.ts';

const ID_FIELDS = ['case_id', 'id', 'case'];
const TEXT_FIELDS = ['presentation', 'text', 'case_text', 'input'];
/** The fields of MAC's own file, whose cases stand in a list under Cases. */
const MAC = { id: 'Case URL', initial: 'Initial Presentation', follow_up: 'Follow-up Presentation' } as const;

type Columns = NonNullable<DatasetValues['cases']>;

/** The file of cases: by flag, else by dataset.yaml, whose path starts from it. */
export function caseFileOf(flag: string | undefined, dataset: ConfigFile<DatasetValues> | null): string {
  const own = dataset?.values.cases?.file;
  const file = flag ?? (own === undefined || isAbsolute(own) ? own : join(dirname(dataset?.path ?? ''), own));
  if (file !== undefined) return file;
  throw new UsageError(
    'no cases: neither --cases nor cases.file of dataset.yaml names a file',
    'for example --cases cases.csv, with the columns id and presentation',
  );
}

/** The cases of a CSV, JSON or JSON lines file, or of MAC's. */
export async function readCases(file: string, columns: Columns): Promise<GeneratedCase[]> {
  const problems = new Problems();
  const cases = new Map<string, GeneratedCase>();
  for await (const { line, values } of rows(file, problems)) {
    const found = caseOf(values, columns);
    if ('fault' in found) problems.add({ file, line, message: found.fault });
    else if (cases.has(found.id)) problems.add({ file, line, message: `the case ${found.id} is there twice` });
    else cases.set(found.id, found);
  }
  problems.throwIfAny();
  return [...cases.values()];
}

async function* rows(
  file: string,
  problems: Problems,
): AsyncGenerator<{ readonly line: number; readonly values: Readonly<Record<string, unknown>> }> {
  for await (const batch of exactRecords(itemFile(fileSource(file), problems)))
    for (const { line, values } of batch) {
      const inner: unknown = values['Cases'];
      if (!Array.isArray(inner)) yield { line, values };
      else for (const one of inner as unknown[]) if (isRecord(one)) yield { line, values: one };
    }
}

function caseOf(values: Readonly<Record<string, unknown>>, columns: Columns): GeneratedCase | { fault: string } {
  const isMac = columns.id === undefined && Object.hasOwn(values, MAC.id);
  const field = (own: string | undefined, usual: readonly string[]): string | null =>
    own ?? usual.find((name) => Object.hasOwn(values, name)) ?? null;
  const idField = isMac ? MAC.id : field(columns.id, ID_FIELDS);
  const textField =
    isMac && columns.text === undefined ? MAC[columns.stage ?? 'initial'] : field(columns.text, TEXT_FIELDS);
  const has = `it has ${Object.keys(values).slice(0, 20).join(', ')}`;
  if (idField === null) return { fault: `expected an id under ${ID_FIELDS.join(', ')} or cases.id; ${has}` };
  if (textField === null)
    return { fault: `expected the case's text under ${TEXT_FIELDS.join(', ')} or cases.text; ${has}` };
  const raw = values[idField];
  const given = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
  const id = isMac ? `case-${given.toLowerCase()}` : given;
  if (!caseId.safeParse(id).success)
    return {
      fault: `${idField}: expected letters, digits, full stops, hyphens and underscores, found ${JSON.stringify(raw ?? null)}`,
    };
  const text = values[textField];
  if (typeof text !== 'string' || text.trim() === '')
    return { fault: `${textField}: expected the text of the case ${id}; ${has}` };
  return { id, text: text.trim() };
}

/** The lines of a script: {"agent", "text"} and perhaps "case". */
export async function readScript(file: string): Promise<{ readonly lines: ScriptLine[]; readonly hash: string }> {
  const problems = new Problems();
  const records = itemFile(fileSource(file), problems);
  const lines: ScriptLine[] = [];
  for await (const batch of exactRecords(records))
    for (const { line, values } of batch) {
      const { agent, text, case: own = null } = values;
      if (typeof agent === 'string' && typeof text === 'string' && (own === null || typeof own === 'string'))
        lines.push({ agent, text, case: own === '' ? null : own });
      else problems.add({ file, line, message: 'expected {"agent": "doctor0", "text": "…"} and perhaps "case"' });
    }
  problems.throwIfAny();
  return { lines, hash: `sha256:${records.digest().sha256}` };
}
