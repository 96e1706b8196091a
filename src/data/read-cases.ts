import type { Case } from './case.ts';
import { DEFAULT_DATA_OPTIONS } from './data-options.ts';
import type { ReadOptions, Role } from './format.ts';
import { noNotices, type ReadNotices } from './item-check.ts';
import type { FileNames } from './join-case.ts';
import { joinFiles, type Sides } from './join-files.ts';
import { Problems, UsageError } from './problems.ts';
import { type ReadFile, rowReader, type RowReader } from './read-rows.ts';
import { type Source, standardInput } from './source.ts';

export type { ReadNotices } from './item-check.ts';

export interface CaseSources {
  readonly cases?: Source | undefined;
  readonly gold?: Source | undefined;
  readonly predictions?: Source | undefined;
}

/** Cases of one, two or three files, read as a stream; `files` and `notices` are complete when the stream has ended. */
export interface CaseReader extends AsyncIterable<Case> {
  files(): readonly ReadFile[];
  readonly notices: ReadNotices;
  /** Of a part of a file, what only all parts together tell: ids that must not come again, and sides that must be there. */
  partFacts?(): PartFacts;
}

export interface PartFacts {
  readonly ids: readonly string[];
  readonly sides: Sides;
}

/**
 * Joins the files by case id. Memory stays flat when they list the cases in the same order; otherwise the rows read
 * ahead wait for their case. All problems of all files are gathered and thrown together at the end. With `checked` they
 * are left there instead, every case comes, also a faulty one, and a side that no file has is no problem.
 */
export function readCases(
  sources: CaseSources,
  options: Partial<ReadOptions> = {},
  checked: Problems | null = null,
): CaseReader {
  const resolved: ReadOptions = { ...DEFAULT_DATA_OPTIONS, ...options };
  const problems = checked ?? new Problems();
  const open = (role: Exclude<Role, 'reviews'>): RowReader | null => {
    const source = sources[role];
    return source === undefined ? null : rowReader(source, role, resolved, problems);
  };
  const cases = open('cases');
  const gold = open('gold');
  const predictions = open('predictions');
  const driver = cases ?? gold;
  if (driver === null)
    throw new UsageError('nothing to score: no case file and no gold file', 'give --cases FILE, or --gold FILE');
  refuseSharedInput(sources);
  const notices = noNotices();
  const isCheck = checked !== null;
  const names = namesOf(sources);
  const ownGold = cases === null ? null : gold;
  let sides: Sides = { gold: false, predicted: false };
  const onSides = (known: Sides): void => void (sides = known);
  const isPart = resolved.lines !== undefined;
  const join = { driver, gold: ownGold, predictions, names, options: resolved, problems, notices, isCheck, isPart };
  return {
    [Symbol.asyncIterator]: () => joinFiles({ ...join, onSides }),
    files: () => [cases, gold, predictions].flatMap((reader) => (reader === null ? [] : [reader.done()])),
    notices,
    partFacts: () => ({ ids: [...driver.ids()], sides }),
  };
}

function namesOf({ cases, gold, predictions }: CaseSources): FileNames {
  const driver = cases?.name ?? gold?.name ?? '';
  return { driver, gold: gold?.name ?? driver, predictions: predictions?.name ?? driver };
}

function refuseSharedInput({ cases, gold, predictions }: CaseSources): void {
  const { name } = standardInput();
  if ([cases, gold, predictions].filter((source) => source?.path === null && source.name === name).length > 1)
    throw new UsageError('standard input can be read once only', 'give the other files by name');
}
