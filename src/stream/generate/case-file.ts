import { dirname, isAbsolute, join } from 'node:path';

import { z } from 'zod';

import { exactRecords, itemFile } from '../../experiment.ts';
import { fileSource, isRecord, Problems, UsageError } from '../../plugin.ts';
import type { ConfigFile } from '../config/config-file.ts';
import type { DatasetValues } from './dataset-config.ts';
import type { GeneratedCase } from './generate-folder.ts';
import type { ScriptLine } from './scripted-model.ts';
import { caseId } from '../trace-records.ts';

const ID_FIELDS = ['case_id', 'id', 'case'];
const TEXT_FIELDS = ['presentation', 'text', 'case_text', 'input'];
/** The fields of MAC's file, whose cases are in a list under Cases. */
const MAC = { id: 'Case URL', initial: 'Initial Presentation', follow_up: 'Follow-up Presentation' } as const;

type Columns = NonNullable<DatasetValues['cases']>;

/** The file of cases: by flag, else by dataset.yaml, whose path starts from it. */
export function caseFileOf(flag: string | undefined, dataset: ConfigFile<DatasetValues> | null): string {
  const file = dataset?.values.cases?.file;
  if (flag !== undefined) return flag;
  if (file !== undefined) return isAbsolute(file) ? file : join(dirname(dataset?.path ?? ''), file);
  throw new UsageError(
    'no cases: neither --cases nor cases.file of dataset.yaml names a file',
    'for example --cases cases.csv, with the columns id and presentation',
  );
}

/** The cases of a CSV, JSON or JSON lines file, or of MAC's. */
export async function readCaseFile(file: string, columns: Columns): Promise<GeneratedCase[]> {
  const problems = new Problems();
  const cases = new Map<string, GeneratedCase>();
  for await (const batch of exactRecords(itemFile(fileSource(file), problems)))
    for (const { line, values } of batch)
      for (const record of Array.isArray(values['Cases']) ? values['Cases'].filter(isRecord) : [values]) {
        const result = caseOf(record, columns);
        if ('fault' in result) problems.add({ file, line, message: result.fault });
        else if (cases.has(result.id)) problems.add({ file, line, message: `the case ${result.id} is there twice` });
        else cases.set(result.id, result);
      }
  problems.throwIfAny();
  return [...cases.values()];
}

function caseOf(values: Readonly<Record<string, unknown>>, columns: Columns): GeneratedCase | { fault: string } {
  const firstOf = (fields: readonly string[]): string | null =>
    fields.find((name) => Object.hasOwn(values, name)) ?? null;
  const isMac = columns.id === undefined && Object.hasOwn(values, MAC.id);
  const idField = isMac ? MAC.id : (columns.id ?? firstOf(ID_FIELDS));
  const textField = columns.text ?? (isMac ? MAC[columns.stage ?? 'initial'] : firstOf(TEXT_FIELDS));
  const has = `it has ${Object.keys(values).slice(0, 20).join(', ')}`;
  if (idField === null) return { fault: `expected an id under ${ID_FIELDS.join(', ')} or cases.id; ${has}` };
  if (textField === null)
    return { fault: `expected the case's text under ${TEXT_FIELDS.join(', ')} or cases.text; ${has}` };
  const raw = values[idField];
  const name = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
  const id = isMac ? `case-${name.toLowerCase()}` : name;
  if (!caseId.safeParse(id).success)
    return {
      fault: `${idField}: expected letters, digits, full stops, hyphens and underscores, found ${JSON.stringify(raw ?? null)}`,
    };
  const text = values[textField];
  if (typeof text !== 'string' || text.trim() === '')
    return { fault: `${textField}: expected the text of the case ${id}; ${has}` };
  return { id, text: text.trim() };
}

const scriptLine = z.object({ agent: z.string(), text: z.string(), case: z.string().nullish() });

/** The lines of a script: {"agent", "text"}, and "case" if a line is for one case. */
export async function readScript(file: string): Promise<{ readonly lines: ScriptLine[]; readonly hash: string }> {
  const problems = new Problems();
  const records = itemFile(fileSource(file), problems);
  const lines: ScriptLine[] = [];
  for await (const batch of exactRecords(records))
    for (const { line, values } of batch) {
      const { data } = scriptLine.safeParse(values);
      if (data !== undefined) lines.push({ ...data, case: data.case || null });
      else problems.add({ file, line, message: 'expected {"agent": "doctor0", "text": "…"}, and perhaps "case"' });
    }
  problems.throwIfAny();
  return { lines, hash: `sha256:${records.digest().sha256}` };
}
