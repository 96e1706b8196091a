import { basename } from 'node:path';

import { describe, isRecord, type Problem, Problems, readText, textLines, UsageError } from '../../plugin.ts';
import { caseName } from './flush-sizes.ts';

/** An ordered list of cases, one a line: `{"case_id": "case-1"}`, or the name alone. */
interface OrderedCases {
  readonly file: string;
  readonly cases: readonly string[];
  /** `sha256:…` of the decompressed bytes. */
  readonly sha256: string;
}

const MOST_BYTES = 1 << 26;

export async function readCaseList(file: string): Promise<OrderedCases> {
  const { text, sha256 } = await readText(file, MOST_BYTES);
  const problems = new Problems();
  const seen = new Map<string, number>();
  for (const { text: written, line } of textLines(text)) {
    const found = nameOn(written.trim());
    if (typeof found !== 'string') problems.add({ file, line, ...found });
    else if (seen.has(found)) problems.add({ file, line, message: `${found} is already on line ${seen.get(found)!}` });
    else seen.set(found, line);
  }
  if (seen.size === 0 && problems.count === 0) problems.add({ file, line: null, message: 'the list has no case' });
  problems.throwIfAny();
  return { file, cases: [...seen.keys()], sha256: `sha256:${sha256}` };
}

function nameOn(written: string): string | Pick<Problem, 'message' | 'next'> {
  if (!written.startsWith('{')) return caseName(written);
  let record: unknown;
  try {
    record = JSON.parse(written);
  } catch {
    return { message: 'not JSON', next: 'expected {"case_id": "…"} or the name of a case alone' };
  }
  const id = isRecord(record) ? record['case_id'] : undefined;
  return typeof id === 'string' && id !== ''
    ? caseName(id)
    : { message: `case_id: expected text, found ${describe(id)}` };
}

/** The first cases of an ordered list that a calibration rests on. */
export interface UsedList {
  readonly name: string;
  readonly sha256: string;
  readonly first: number;
  readonly missing: readonly string[];
}

export interface SubsetOfList {
  readonly list: OrderedCases;
  /** Null: all of it. */
  readonly first: number | null;
}

/** The cases of a list, or all of them; by case either way, so that nothing depends on an order. */
export function casesOfList<T extends { readonly caseId: string }>(
  all: readonly T[],
  subset: SubsetOfList | null,
): { readonly chosen: readonly T[]; readonly list: UsedList | null } {
  if (subset === null) return { chosen: all, list: null };
  const { file, cases, sha256 } = subset.list;
  const first = subset.first ?? cases.length;
  if (first > cases.length) throw new UsageError(`--first ${first}: ${file} has ${cases.length} cases`);
  const wanted = new Set(cases.slice(0, first));
  const chosen = all.filter(({ caseId }) => wanted.has(caseId));
  if (chosen.length === 0)
    throw new UsageError(
      `none of the ${wanted.size} cases of ${file} is in the folder`,
      'check that list and folder belong together',
    );
  const known = new Set(chosen.map(({ caseId }) => caseId));
  return {
    chosen,
    list: { name: basename(file), sha256, first, missing: [...wanted].filter((name) => !known.has(name)) },
  };
}
