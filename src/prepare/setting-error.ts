import { PROBLEMS_SHOWN, UsageError } from '../data/problems.ts';
import { nearestNames } from '../text/nearest.ts';

/** What is wrong with one setting of a recipe; the path is what a user writes after --set. */
export interface SettingProblem {
  readonly path: readonly string[];
  readonly message: string;
  readonly next: string | null;
  /** Where it was said, if the path cannot tell: a --set line that is none. */
  readonly place?: string;
}

/** A recipe says something that cannot be: exit code 2. Whoever read the recipe adds the file and the line. */
export class SettingError extends UsageError {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[], placeOf: (path: readonly string[]) => string | null = () => null) {
    const only = problems.length === 1;
    const more = problems.length - PROBLEMS_SHOWN;
    const lines = problems.slice(0, PROBLEMS_SHOWN).map((problem) => {
      const path = problem.path.join('.');
      const place = problem.place ?? placeOf(problem.path) ?? '';
      // A --set line names the path itself.
      const where = [place, place.startsWith('--set ') && place.includes(path) ? '' : path].filter(
        (part) => part !== '',
      );
      const next = only || problem.next === null ? '' : ` (${problem.next})`;
      return `${[...where, problem.message].join(': ')}${next}`;
    });
    super([...lines, ...(more > 0 ? [`… and ${more} more`] : [])], only ? (problems[0]?.next ?? null) : null);
    this.problems = problems;
  }
}

/** Gathers what is wrong, part by part, so that all of it is reported at once; the same problem counts once. */
export class SettingProblems {
  readonly #found = new Map<string, SettingProblem>();

  get all(): readonly SettingProblem[] {
    return [...this.#found.values()];
  }

  /** What a part gives; undefined where it is wrong. */
  attempt<T>(part: () => T): T | undefined {
    try {
      return part();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  add(error: unknown): void {
    if (!(error instanceof SettingError)) throw error;
    for (const problem of error.problems)
      this.#found.set([problem.place, ...problem.path, problem.message].join('\n'), problem);
  }

  throwIfAny(): void {
    if (this.#found.size > 0) throw new SettingError(this.all);
  }
}

export function settingError(path: readonly string[], message: string, next: string | null = null): SettingError {
  return new SettingError([{ path, message, next }]);
}

/** A name that is none of those there are: the nearest right one, or all of them. */
export function unknownName(
  path: readonly string[],
  what: string,
  name: string,
  names: readonly string[],
): SettingError {
  return settingError(path, `there is no ${what} called ${name}`, suggestion(name, names, `${what}s`));
}

/** The nearest right name, with its path where that helps, or all names there are. */
export function suggestion(
  name: string,
  names: readonly string[],
  what: string,
  path: readonly string[] = [],
): string | null {
  const near = nearestNames(name, names).map((one) => [...path, one].join('.'));
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  return names.length === 0 ? null : `${what}: ${names.join(', ')}`;
}
