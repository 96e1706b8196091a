import type { Usage } from './fresh-process.ts';

/** A command that is measured, as the table shows it. */
export interface Command {
  readonly name: string;
  readonly run: () => Usage;
}

/** Medians over the rounds. */
export type Measured = Readonly<{ name: string; cpu: number; wall: number; peakMiB: number; rounds: number }>;

/** Runs each command once a round, so that a busy minute is everybody's; medians by name. */
export function measureInTurns(commands: readonly Command[], rounds: number): Map<string, Measured> {
  const usages = commands.map((): Usage[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, { run }] of commands.entries()) usages[at]!.push(run());
  return new Map(
    commands.map(({ name }, at) => {
      const of = (read: (usage: Usage) => number): number => median(usages[at]!.map(read));
      const [cpu, wall, peakMiB] = [of((one) => one.cpu), of((one) => one.wall), of((one) => one.peakMiB)];
      return [name, { name, cpu, wall, peakMiB, rounds }];
    }),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

export interface Mark {
  readonly name: string;
  /** Null if it could not be measured: `note` has the reason. */
  readonly value: number | null;
  readonly unit: 'times' | 's' | 'MiB' | 'a second' | 'folders' | 'pairs';
  readonly at: 'most' | 'least';
  readonly mark: number;
  /** Null where what it is compared with is not installed. */
  readonly met: boolean | null;
  readonly note: string | null;
}

export function atMost(name: string, value: number, mark: number, unit: Mark['unit'] = 'times'): Mark {
  return { name, value, unit, at: 'most', mark, met: value <= mark, note: null };
}

export function atLeast(name: string, value: number, mark: number, unit: Mark['unit'] = 'times'): Mark {
  return { name, value, unit, at: 'least', mark, met: value >= mark, note: null };
}

/** What one part of the benchmark found. */
export interface Findings {
  readonly measured: readonly Measured[];
  readonly marks: readonly Mark[];
  /** Commands that could not be measured, since they are not installed. */
  readonly absent?: readonly string[];
  /** What the time goes into: differences between commands, in seconds of processor time. */
  readonly parts?: readonly (readonly [name: string, cpu: number])[];
}
