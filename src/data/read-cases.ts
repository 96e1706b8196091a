import type { Case } from './case.ts';
import { DEFAULT_DATA_OPTIONS } from './data-options.ts';
import type { Format, ReadOptions, Role, Row } from './format.ts';
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
  const readers: RowReader[] = [];
  const others = (): Format[] => readers.flatMap((reader) => reader.format() ?? []);
  const open = (role: Exclude<Role, 'reviews'>): RowReader | null => {
    const source = sources[role];
    if (source === undefined) return null;
    const reader = rowReader(source, role, resolved, problems, others);
    readers.push(reader);
    return reader;
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
    files: () => readers.flatMap((reader) => reader.done()),
    notices,
    partFacts: () => ({ ids: [...driver.ids()], sides }),
  };
}

/** The cases of a file by itself, with the side that it has. */
export interface SideReader extends CaseReader {
  /** Whether its records have no ids. */
  isNumbered(): boolean;
}

/**
 * Reads one file as `readCases` reads it beside others, whichever side it has. All problems are left in `problems`, every
 * case comes. Rows that `isWanted` refuses are the caller's to report.
 */
export function readSide(
  source: Source,
  role: Exclude<Role, 'reviews'>,
  options: ReadOptions,
  problems: Problems,
  isWanted: (row: Row) => boolean = () => true,
): SideReader {
  const driver = rowReader(source, role, options, problems);
  const notices = noNotices();
  // The side that the file does not have is in another file, whatever the policy for what is missing there.
  const policies = {
    ...(role === 'predictions' ? { missingGold: 'empty' as const } : {}),
    ...(role === 'gold' ? { missingPrediction: 'empty' as const } : {}),
  };
  const join = {
    driver,
    gold: null,
    predictions: null,
    names: { driver: source.name, gold: source.name, predictions: source.name },
    options: { ...options, ...policies },
    problems,
    notices,
    isCheck: true,
    isWanted,
  };
  return {
    async *[Symbol.asyncIterator]() {
      yield* joinFiles(join);
      // Nobody was asked for an answer.
      if (role === 'gold') notices.unansweredCases = 0;
    },
    files: () => driver.done(),
    notices,
    isNumbered: () => driver.isNumbered(),
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
