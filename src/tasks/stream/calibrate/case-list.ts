import { textLines } from '../../../data/lines.ts';
import { type Problem, Problems, UsageError } from '../../../data/problems.ts';
import { describe, isRecord } from '../../../data/record-fields.ts';
import { readText } from '../../../data/read-file.ts';
import { caseName } from './flush-sizes.ts';

/** An ordered list of cases, one a line: `{"case_id": "case-1"}`, or the name alone. */
export interface CaseList {
  readonly file: string;
  readonly cases: readonly string[];
  /** `sha256:…` of the unpacked bytes. */
  readonly sha256: string;
}

const MOST_BYTES = 1 << 26;

export async function readCaseList(file: string): Promise<CaseList> {
  const { text, sha256 } = await readText(file, MOST_BYTES);
  const problems = new Problems();
  const seen = new Map<string, number>();
  for (const { text: written, line } of textLines(text)) {
    const found = nameOn(written.trim());
    if (typeof found !== 'string') problems.add({ file, line, ...found });
    else if (seen.has(found)) problems.add({ file, line, message: `${found} is already on line ${seen.get(found)!}` });
    else seen.set(found, line);
  }
  if (seen.size === 0 && problems.count === 0) problems.add({ file, line: null, message: 'it names no case' });
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

export interface Subset<T> {
  /** In the order of the list. */
  readonly chosen: readonly T[];
  /** Cases of the list that there is nothing of. */
  readonly missing: readonly string[];
}

/** The first cases of a list; all of it where `first` is null. */
export function firstCases<T extends { readonly caseId: string }>(
  all: readonly T[],
  list: CaseList,
  first: number | null,
): Subset<T> {
  if (first !== null && first > list.cases.length)
    throw new UsageError(`--first ${first}: ${list.file} has ${list.cases.length} cases`);
  const wanted = list.cases.slice(0, first ?? undefined);
  const byName = new Map(all.map((one) => [one.caseId, one]));
  const chosen = wanted.flatMap((name) => byName.get(name) ?? []);
  if (chosen.length === 0)
    throw new UsageError(
      `none of the ${wanted.length} cases of ${list.file} is there`,
      'check that list and folder belong together',
    );
  return { chosen, missing: wanted.filter((name) => !byName.has(name)) };
}
