/** One thing wrong with the user's input, with all that is needed to mend it. */
export interface Problem {
  readonly file: string;
  readonly line: number | null;
  readonly field?: string;
  /** What was found and what was expected, as one sentence without a full stop. */
  readonly message: string;
  /** What to do next. */
  readonly next?: string;
}

export const PROBLEMS_SHOWN = 20;

/** The user's input is wrong: exit code 2, all problems of the read at once. */
export class InputError extends Error {
  readonly problems: readonly Problem[];
  readonly total: number;

  constructor(problems: readonly Problem[], total: number = problems.length) {
    super(
      problems.map(problemText).join('\n') + (total > problems.length ? `\n… and ${total - problems.length} more` : ''),
    );
    this.name = 'InputError';
    this.problems = problems;
    this.total = total;
  }
}

/** The call itself is wrong (an unknown preset, a flag that does not fit): exit code 2. */
export class UsageError extends Error {
  readonly next: string | null;

  constructor(message: string, next: string | null = null) {
    super(message);
    this.name = 'UsageError';
    this.next = next;
  }
}

export function problemText(problem: Problem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
  const field = problem.field === undefined ? '' : ` ${problem.field}:`;
  const next = problem.next === undefined ? '' : ` (${problem.next})`;
  return `${place}:${field} ${problem.message}${next}`;
}

/**
 * Gathers what is wrong while reading goes on, so that the user sees all of it at once.
 * Keeps the first few in full and counts the rest: a hostile file cannot fill the memory with messages.
 */
export class Problems {
  readonly #shown: Problem[] = [];
  #count = 0;

  add(problem: Problem): void {
    this.#count += 1;
    if (this.#shown.length < PROBLEMS_SHOWN) this.#shown.push(problem);
  }

  get count(): number {
    return this.#count;
  }

  throwIfAny(): void {
    if (this.#count > 0) throw new InputError(this.#shown, this.#count);
  }
}
