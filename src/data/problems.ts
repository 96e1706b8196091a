import { harmless } from './visible.ts';

/** One thing wrong with the user's input, with all that is needed to fix it. */
export interface Problem {
  readonly file: string;
  readonly line: number | null;
  /** Of a dataset, where it has an id. */
  readonly item?: string | undefined;
  readonly field?: string | undefined;
  /** What was found and what was expected, as one sentence without a full stop. */
  readonly message: string;
  /** What to do next. */
  readonly next?: string | undefined;
  /** How many others there are that differ in numbers and quoted words only. */
  readonly more?: number;
}

export const PROBLEMS_SHOWN = 20;
/** Of those that are alike, so many are shown. */
const ALIKE_SHOWN = 3;

/** The user's input is wrong: exit code 2, all problems of the read at once. Its texts are safe to print. */
export class InputError extends Error {
  readonly problems: readonly Problem[];
  readonly total: number;

  constructor(problems: readonly Problem[], total: number = problems.length) {
    const shown = problems.slice(0, PROBLEMS_SHOWN).map(harmlessProblem);
    const rest = total - shown.reduce((sum, { more = 0 }) => sum + 1 + more, 0);
    super(shown.map(problemText).join('\n') + (rest > 0 ? `\n… and ${rest} more` : ''));
    this.name = 'InputError';
    this.problems = shown;
    this.total = total;
  }
}

/** A sentence, or several lines. A line break within one is shown, not printed: names may hold anything. */
export type Lines = string | readonly string[];

/** The call itself is wrong (an unknown preset, a flag that does not fit): exit code 2. */
export class UsageError extends Error {
  readonly next: string | null;

  constructor(message: Lines, next: Lines | null = null) {
    super(harmlessLines(message));
    this.name = 'UsageError';
    this.next = next === null ? null : harmlessLines(next);
  }
}

export function problemText(problem: Problem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
  const field = problem.field === undefined ? '' : ` ${problem.field}:`;
  const next = problem.next === undefined ? '' : ` (${problem.next})`;
  const more = problem.more === undefined ? '' : `\n${problem.file}: … and ${problem.more} more like this`;
  return `${place}:${field} ${problem.message}${next}${more}`;
}

/**
 * Gathers what is wrong while reading goes on, so that the user sees all of it at once.
 * Keeps the first few in full and counts the rest: a hostile file cannot fill the memory with messages.
 */
export class Problems {
  readonly #parent: Problems | null;
  readonly #most: number;
  readonly #shown: Problem[] = [];
  /** Those that are alike, by what they have in common: how many, and where the last one that is shown is. */
  readonly #alike = new Map<string, { count: number; last: number }>();
  #count = 0;

  /** With a parent, whatever is added here is added there too: the count of one file among all. */
  constructor(parent: Problems | null = null, most = PROBLEMS_SHOWN) {
    this.#parent = parent;
    this.#most = most;
  }

  add(problem: Problem): void {
    this.#count += 1 + (problem.more ?? 0);
    this.#fold(problem);
    this.#parent?.add(problem);
  }

  /** Takes over what was gathered elsewhere. */
  addAll(others: Problems): void {
    for (const problem of others.#shown) this.add(problem);
    this.#addUnshown(others.#count - others.#shown.reduce((sum, { more = 0 }) => sum + 1 + more, 0));
  }

  #fold({ more = 0, ...problem }: Problem): void {
    const key = shapeOf(problem);
    const alike = this.#alike.get(key);
    if (alike !== undefined && alike.count >= ALIKE_SHOWN) {
      alike.count += 1 + more;
      const last = this.#shown[alike.last]!;
      this.#shown[alike.last] = { ...last, more: (last.more ?? 0) + 1 + more };
      return;
    }
    if (this.#shown.length >= this.#most) return;
    this.#shown.push(more === 0 ? problem : { ...problem, more });
    this.#alike.set(key, { count: (alike?.count ?? 0) + 1 + more, last: this.#shown.length - 1 });
  }

  /** Takes over what ended the reading of a file, so that others are still read; any other error is thrown on. */
  addThrown(error: unknown): void {
    if (!(error instanceof InputError)) throw error;
    for (const problem of error.problems) this.add(problem);
  }

  #addUnshown(count: number): void {
    this.#count += count;
    if (this.#parent !== null) this.#parent.#addUnshown(count);
  }

  get count(): number {
    return this.#count;
  }

  /** Those that are kept, safe to print. */
  entries(): Problem[] {
    return inReadingOrder(this.#shown).map(harmlessProblem);
  }

  throwIfAny(): void {
    if (this.#count > 0) throw new InputError(inReadingOrder(this.#shown), this.#count);
  }
}

/** File by file and line by line: files are read in turns, but fixed one after the other. */
function inReadingOrder(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map((problem) => problem.file))];
  return problems.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? Infinity) - (b.line ?? Infinity) || 0,
  );
}

function harmlessLines(lines: Lines): string {
  return typeof lines === 'string' ? harmless(lines) : lines.map(harmless).join('\n');
}

/** What problems have in common that differ in numbers and quoted words only. */
function shapeOf({ file, field = '', message, next = '' }: Problem): string {
  // Fields of items begin with the id of their case: doc-a gold item 3.
  const plain = field.replace(/^.* (gold|predicted) item /, '$1 ');
  return [file, plain, message, next].map((part) => part.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '#')).join('\n');
}

function harmlessProblem({ file, line, field, message, next, more }: Problem): Problem {
  return {
    file: harmless(file),
    line,
    ...(field === undefined ? {} : { field: harmless(field) }),
    message: harmless(message),
    ...(next === undefined ? {} : { next: harmless(next) }),
    ...(more === undefined ? {} : { more }),
  };
}
