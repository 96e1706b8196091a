import { type Problem, Problems } from '../../../data/problems.ts';

/** Problems that are told at once, all of them, and not gathered. */
export class ToldProblems extends Problems {
  readonly #tell: (problem: Problem) => void;

  constructor(tell: (problem: Problem) => void) {
    super();
    this.#tell = tell;
  }

  override add(problem: Problem): void {
    this.#tell(problem);
  }
}
