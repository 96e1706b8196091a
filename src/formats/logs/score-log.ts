import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import type { Direction } from '../../measure/measure.ts';
import type { ReportedValue } from '../../recipe/plan.ts';
import type { LogFile } from './log-file.ts';

/** One score of one sample, as the tool gave it. */
export interface LogScore {
  readonly name: string;
  /** Null: the tool gave none, for the reason in `missing`. */
  readonly value: number | null;
  readonly missing?: string;
  /** The tool's own verdict; without one, 1 and 0 are taken for it where a score is `binary`. */
  readonly passed?: boolean;
  /** The answer that was scored, where it is not the whole output. */
  readonly answer?: string | null;
  readonly reason?: string | null;
}

/** One sample of a log, or one of several attempts at it. */
export interface LogSample {
  readonly id: string;
  /** Names an attempt after the first: `epoch 2`. Attempts are resampled together. */
  readonly attempt: string | null;
  /** The same in the logs of all systems, so that their samples can be compared. */
  readonly input: string;
  readonly target: string | null;
  readonly output: string | null;
  /** Why the system gave no output that counts; null if it did. */
  readonly failed: string | null;
  readonly fields: Fields;
  readonly scores: readonly LogScore[];
  readonly line: number;
}

/** What is known of one of the scores of a log. */
export interface ScoreFacts {
  /** Null: the log does not say which way is better. */
  readonly direction: Direction | null;
  /** Of scores that can only be within it. */
  readonly range?: readonly [number | null, number | null];
  /** Whether 1 and 0 mean right and wrong. */
  readonly binary?: boolean;
  readonly settings: Fields;
  /** Why its mean means little: it is a measure only if it is asked for. */
  readonly leftOut?: string;
}

/** What one system did, as one tool logged it. */
export interface ScoreLog {
  readonly tool: string;
  readonly version: string | null;
  readonly task: string | null;
  readonly model: string | null;
  /** How the model was run: part of the signature as a hash. */
  readonly config: Fields;
  /** What its run is called where there are several. */
  readonly system: string;
  readonly scores: ReadonlyMap<string, ScoreFacts>;
  readonly samples: readonly LogSample[];
  /** Columns of the samples by which the log itself states means. */
  readonly slices: readonly string[];
  /** Means that the log states. */
  readonly reported: readonly ReportedValue[];
  /** What a reader of the result has to know: what was left out, and why. */
  readonly notices: readonly string[];
  readonly files: readonly ReadFile[];
}

/** How the logs of one tool are read. */
export interface LogReader {
  /** As `--format` names it. */
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** What its files are, for messages: `a log, .eval or .json`. */
  readonly about: string;
  /** Whether a file is one of them, by its first record or its entries. */
  recognises(file: LogFile): boolean;
  /** One log for each system. Each file is read to its end; what is wrong goes to `problems`. */
  read(files: readonly LogFile[], problems: Problems): Promise<readonly ScoreLog[]>;
}
