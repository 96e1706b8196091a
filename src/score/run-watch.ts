import type { Plan } from '../recipe/plan.ts';
import type { Run } from './run.ts';
import type { ScoreSink } from './score.ts';

/** Where a watcher puts its files: they appear with the run folder, or not at all. */
export interface RunFiles {
  whole(file: string, content: string): void;
  /** Adds to a file that grows while cases are scored. */
  piece(file: string, content: string): void;
}

/** Watches a run being scored and adds files of its own to the folder. */
export interface RunWatch {
  readonly sink: ScoreSink;
  /** Once all cases are scored and the run is known. */
  finish(run: Run): Promise<void>;
}

export type OpenRunWatch = (plan: Plan, files: RunFiles) => Promise<RunWatch>;

/** Several sinks as one, told in their order. */
export function joinSinks(sinks: readonly ScoreSink[]): ScoreSink {
  const waiting = sinks.filter((sink) => sink.ready !== undefined);
  return {
    intervals(share) {
      for (const sink of sinks) sink.intervals?.(share);
    },
    given(given) {
      for (const sink of sinks) sink.given?.(given);
    },
    verdicts(verdicts, given) {
      for (const sink of sinks) sink.verdicts?.(verdicts, given);
    },
    case(result, given) {
      for (const sink of sinks) sink.case?.(result, given);
    },
    ready() {
      for (const sink of waiting) {
        const wait = sink.ready?.() ?? null;
        if (wait !== null) return wait;
      }
      return null;
    },
  };
}
