import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { readLedger } from '../../src/score/run-file.ts';

/** A record of a trace or run log, as far as tests look at it. */
export interface LoggedRecord {
  readonly record_type: string;
  readonly start_seq: number;
  readonly end_seq: number;
  readonly trigger_reason: string;
  readonly error?: string;
  readonly schema_ok: boolean;
  readonly limits_ok: boolean;
}

export function records<T>(file: string): T[] {
  return jsonLines(gunzipSync(readFileSync(file)).toString('utf8'));
}

export function jsonLines<T>(text: string): T[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const record: T = JSON.parse(line);
      return record;
    });
}

/** The measures of a case, as a run folder of `stream measure` has them. */
export function caseMeasures(run: string, id: string): Readonly<Record<string, number>> {
  const cases = jsonLines<{ readonly case: string; readonly measures: Readonly<Record<string, number>> }>(
    readFileSync(join(run, 'cases.jsonl'), 'utf8'),
  );
  return cases.find((one) => one.case === id)?.measures ?? {};
}

/** A measure of all cases together. */
export function overallMeasure(run: string, name: string): number | null | undefined {
  const { measures }: { measures: readonly { readonly name: string; readonly value: number | null }[] } = JSON.parse(
    readFileSync(join(run, 'measures.json'), 'utf8'),
  );
  return measures.find((one) => one.name === name)?.value;
}

/** The concepts of a conversation as the ledger has them: those that summaries cover and those that they miss. */
export async function traceConcepts(run: string, id: string): Promise<string[]> {
  const verdicts = await Array.fromAsync(readLedger(run, new Set([id])));
  return verdicts.flatMap(({ kind, gold }) => (kind === 'concept' && gold !== undefined ? [gold.text] : []));
}

/** Names of all files below a folder, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
