import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import type { DataOptions } from '../../src/data/data-options.ts';
import type { Item } from '../../src/data/item.ts';
import { InputError } from '../../src/data/problems.ts';
import { type CaseReader, readCases } from '../../src/data/read-cases.ts';
import { memorySource, type Source } from '../../src/data/source.ts';

/** Files by role: content under a usual name, or a source with its own. */
export type Files = Partial<Record<'cases' | 'gold' | 'predictions', string | Uint8Array | Source>>;

export function readerOf(files: Files, options: Partial<DataOptions> = {}): CaseReader {
  const sourceOf = (role: keyof Files): Source | undefined => {
    const given = files[role];
    return typeof given === 'string' || given instanceof Uint8Array ? memorySource(`${role}.jsonl`, given) : given;
  };
  return readCases({ cases: sourceOf('cases'), gold: sourceOf('gold'), predictions: sourceOf('predictions') }, options);
}

export async function casesOf(files: Files, options: Partial<DataOptions> = {}): Promise<Case[]> {
  return Array.fromAsync(readerOf(files, options));
}

/** The one case of the files. */
export async function caseOf(files: Files, options: Partial<DataOptions> = {}): Promise<Case> {
  const cases = await casesOf(files, options);
  if (cases.length !== 1) throw new Error(`expected one case, read ${cases.length}`);
  return cases[0]!;
}

/** What reading complains about; throws when it does not, or when it is no complaint about the input. */
export async function complaint(files: Files, options: Partial<DataOptions> = {}): Promise<InputError> {
  try {
    await casesOf(files, options);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

/** The complaint's lines. */
export async function problems(files: Files, options: Partial<DataOptions> = {}): Promise<string[]> {
  return (await complaint(files, options)).message.split('\n');
}

/** Label, text and place of each item, short enough to compare at a glance: `PER Ann 0..3`. */
export function shown(items: readonly Item[]): string[] {
  return items.map((item) => `${item.label} ${item.text} ${item.start}..${item.end}`);
}

/** A folder for the running test, removed when it is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-data-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** One JSON record a line. */
export function jsonl(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Bytes as a stream of pieces cut at the given places. */
export async function* cutAt(bytes: Buffer, places: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const place of [...places, bytes.length].sort((a, b) => a - b)) {
    if (place < from || place > bytes.length) continue;
    yield bytes.subarray(from, place);
    from = place;
  }
}

/** A source that hands its bytes on in such pieces. */
export function cutSource(name: string, bytes: Buffer, places: readonly number[]): Source {
  return { name, path: null, open: () => cutAt(bytes, places) };
}
