import { resolve } from 'node:path';

import { InputError, UsageError } from '../../data/problems.ts';
import { compareRuns } from '../../runs/compare-runs.ts';
import { type Gate, judgeGate } from '../../runs/gate/judge-gate.ts';
import { parseRules, readRules, type RulesFile } from '../../runs/gate/read-rules.ts';
import { readRun } from '../../runs/read-run.ts';
import type { LoadedExperiment } from './load-experiment.ts';

/** A gate that could not be judged is refused before anything is paid for. */
export async function refuseBrokenGate(loaded: LoadedExperiment, isScored: boolean): Promise<void> {
  const rules = rulesOf(loaded);
  if (rules === null) return;
  if (!isScored) throw new UsageError('a gate judges scores, and the experiment names no recipe', 'name a recipe');
  if (rules.problems.length > 0) throw new InputError(rules.problems);
  const baseline = baselineOf(loaded);
  if (baseline === null) return;
  try {
    await readRun(baseline);
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(`gate.baseline: ${error.message}`, 'name the folder of a run that was scored');
    throw error;
  }
}

/** What the gate says of each scored run; nothing where the experiment has none. */
export async function judgeGates(loaded: LoadedExperiment, runs: readonly string[]): Promise<Gate[]> {
  const rules = rulesOf(loaded);
  if (rules === null) return [];
  const baseline = baselineOf(loaded);
  const gates: Gate[] = [];
  for (const run of runs) gates.push(await judgeGate(run, rules, compareRuns, baseline === null ? {} : { baseline }));
  return gates;
}

/** Of a file, or as they stand in the experiment. */
function rulesOf({ experiment: { gate }, folder, file }: LoadedExperiment): RulesFile | null {
  if (gate === undefined) return null;
  const rules = typeof gate === 'string' ? gate : gate.rules;
  if (typeof rules !== 'string') return parseRules(JSON.stringify({ rules }), `${file} (gate)`);
  try {
    return readRules(resolve(folder, rules));
  } catch (error) {
    // What it advises is for another command.
    if (error instanceof UsageError)
      throw new UsageError(`gate: ${error.message}`, 'name a file of rules, see assay gate --help');
    throw error;
  }
}

function baselineOf({ experiment: { gate }, folder }: LoadedExperiment): string | null {
  return gate === undefined || typeof gate === 'string' || gate.baseline === undefined
    ? null
    : resolve(folder, gate.baseline);
}
