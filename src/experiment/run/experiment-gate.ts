import { resolve } from 'node:path';

import { compareRuns } from '../../compare/compare-runs.ts';
import { type Gate, judgeGate } from '../../compare/gate/judge-gate.ts';
import { parseRules, readRules, type RulesFile } from '../../compare/gate/rules.ts';
import { InputError, type Problem, UsageError } from '../../data/problems.ts';
import { suggestion } from '../../prepare/setting-error.ts';
import type { Plan } from '../../recipe/plan.ts';
import { readRun } from '../../score/run-file.ts';
import type { Run } from '../../score/run.ts';
import type { LoadedExperiment } from './load-experiment.ts';

/** A gate that could not be judged is refused before anything is paid for. */
export async function refuseBrokenGate(loaded: LoadedExperiment, plan: Plan | null): Promise<void> {
  const gate = gateOf(loaded);
  if (gate === null) return;
  if (plan === null) throw new UsageError('a gate judges scores, and the experiment names no recipe', 'name a recipe');
  const { rules, baseline } = gate;
  const problems = [...rules.problems, ...misfits(rules, plan, baseline !== undefined)];
  if (problems.length > 0) throw new InputError(problems);
  if (baseline !== undefined) {
    const next = 'name the folder of a run that was scored';
    await readRun(baseline).catch((error: unknown) => reword(error, 'gate.baseline', next));
  }
}

/** What can be checked of the rules before there is a run; the rest is checked when they are judged. */
function misfits({ rules, problemOf }: RulesFile, { measures }: Plan, hasBaseline: boolean): Problem[] {
  const names = measures.map(({ name }) => name);
  return rules.flatMap(({ number, measure, kind }) => {
    if (measure !== null && !names.includes(measure)) {
      const next = suggestion(measure, names, 'measures');
      return [problemOf(number, 'measure', `the recipe has no measure ${measure}`, next)];
    }
    if (kind !== 'margin' || hasBaseline) return [];
    const next = 'give gate.baseline, or --baseline RUN';
    return [problemOf(number, 'notWorseThan', 'needs a run to compare with', next)];
  });
}

/** The gate of each scored run. The answers are paid for by now, so a gate that cannot be judged is only reported. */
export async function judgeGates(loaded: LoadedExperiment, runs: readonly Run[]) {
  const gate = gateOf(loaded);
  const gates: Gate[] = [];
  if (gate === null) return { gates, gateProblem: null };
  const { rules, ...against } = gate;
  try {
    for (const { folder } of runs) gates.push(await judgeGate(folder, rules, compareRuns, against));
    return { gates, gateProblem: null };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof InputError)) throw error;
    return { gates: [], gateProblem: new UsageError(`the gate cannot be judged: ${error.message}`.split('\n')) };
  }
}

/** The rules, from a file or the experiment itself, and the run to compare with. */
function gateOf({ experiment, folder, file }: LoadedExperiment): { rules: RulesFile; baseline?: string } | null {
  if (experiment.gate === undefined) return null;
  const gate = typeof experiment.gate === 'string' ? { rules: experiment.gate } : experiment.gate;
  const against = gate.baseline === undefined ? {} : { baseline: resolve(folder, gate.baseline) };
  if (typeof gate.rules !== 'string')
    return { rules: parseRules(JSON.stringify({ rules: gate.rules }), `${file} (gate)`), ...against };
  try {
    return { rules: readRules(resolve(folder, gate.rules)), ...against };
  } catch (error) {
    return reword(error, 'gate', 'name a file of rules, see assay gate --help');
  }
}

/** What it advises is for another command. */
function reword(error: unknown, setting: string, next: string): never {
  throw error instanceof UsageError ? new UsageError(`${setting}: ${error.message}`.split('\n'), next) : error;
}
