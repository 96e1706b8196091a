import { PROBLEMS_SHOWN, UsageError } from '../data/problems.ts';
import { closestNames } from '../text/closest-names.ts';

type Path = readonly string[];

/** What is wrong with one setting of a recipe; the path is what a user writes after --set. */
export interface SettingProblem {
  readonly path: Path;
  readonly message: string;
  readonly next: string | null;
  /** The place that sets it, if the path does not show it: an invalid --set line. */
  readonly place?: string;
}

/** A recipe has an invalid setting: exit code 2. The code that read the recipe adds the file and the line. */
export class SettingError extends UsageError {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[], placeOf: (path: Path) => string | null = () => null) {
    const only = problems.length === 1;
    const more = problems.length - PROBLEMS_SHOWN;
    const lines = problems.slice(0, PROBLEMS_SHOWN).map(({ path: parts, place: own, message, next }) => {
      const [path, place] = [parts.join('.'), own ?? placeOf(parts) ?? ''];
      // A --set line names the path itself.
      const where = [place, place.startsWith('--set ') && place.includes(path) ? '' : path];
      const text = [...where.filter((part) => part !== ''), message].join(': ');
      return only || next === null ? text : `${text} (${next})`;
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

export function settingError(path: Path, message: string, next: string | null = null): SettingError {
  return new SettingError([{ path, message, next }]);
}

/** An unknown name: suggests the closest valid one, or lists all of them. */
export function unknownName(path: Path, what: string, name: string, names: readonly string[]): SettingError {
  return settingError(path, `there is no ${what} called ${name}`, suggestion(name, names, `${what}s`));
}

/** The closest valid name, with its path if that helps, or all names there are. */
export function suggestion(name: string, names: readonly string[], what: string, path: Path = []): string | null {
  return didYouMean(name, names, path) ?? (names.length === 0 ? null : `${what}: ${names.join(', ')}`);
}

/** The closest valid names in a question; null if none is close. */
export function didYouMean(name: string, names: Iterable<string>, path: Path = []): string | null {
  const near = closestNames(name, names).map((one) => [...path, one].join('.'));
  return near.length === 0 ? null : `did you mean ${near.join(' or ')}?`;
}
