import { resolve } from 'node:path';

import { InputError, type Problem, UsageError } from '../../data/problems.ts';
import { suggestion } from '../../prepare/setting-error.ts';
import type { Plan } from '../../recipe/plan.ts';
import { compareRuns } from '../../compare/compare-runs.ts';
import { type Gate, judgeGate } from '../../compare/gate/judge-gate.ts';
import { parseRules, readRules, type RulesFile } from '../../compare/gate/rules.ts';
import { readRun } from '../../score/read-run.ts';
import type { LoadedExperiment } from './load-experiment.ts';

/** A gate that could not be judged is refused before anything is paid for. */
export async function refuseBrokenGate(loaded: LoadedExperiment, plan: Plan | null): Promise<void> {
  const rules = rulesOf(loaded);
  if (rules === null) return;
  if (plan === null) throw new UsageError('a gate judges scores, and the experiment names no recipe', 'name a recipe');
  const baseline = baselineOf(loaded);
  const problems = [...rules.problems, ...misfits(rules, plan, baseline !== null)];
  if (problems.length > 0) throw new InputError(problems);
  if (baseline === null) return;
  try {
    await readRun(baseline);
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(`gate.baseline: ${error.message}`.split('\n'), 'name the folder of a run that was scored');
    throw error;
  }
}

/** What can be told of the rules before there is a run; the rest is told when they are judged. */
function misfits({ rules, problemOf }: RulesFile, { measures }: Plan, hasBaseline: boolean): Problem[] {
  const names = measures.map(({ name }) => name);
  return rules.flatMap((rule) => {
    if (rule.measure !== null && !names.includes(rule.measure))
      return [
        problemOf(
          rule.number,
          'measure',
          `the recipe has no measure ${rule.measure}`,
          suggestion(rule.measure, names, 'measures'),
        ),
      ];
    if (rule.kind === 'margin' && !hasBaseline)
      return [
        problemOf(
          rule.number,
          'notWorseThan',
          'there is no run to compare with',
          'give gate.baseline, or --baseline RUN',
        ),
      ];
    return [];
  });
}

export interface JudgedGates {
  /** Of each scored run; empty where the experiment has no gate. */
  readonly gates: readonly Gate[];
  /** Why it could not be judged. */
  readonly gateProblem: UsageError | null;
}

/** What the gate says. Answers were paid for by now: a gate that cannot be judged after all takes nothing else away. */
export async function judgeGates(loaded: LoadedExperiment, runs: readonly string[]): Promise<JudgedGates> {
  const rules = rulesOf(loaded);
  if (rules === null) return { gates: [], gateProblem: null };
  const baseline = baselineOf(loaded);
  const gates: Gate[] = [];
  try {
    for (const run of runs) gates.push(await judgeGate(run, rules, compareRuns, baseline === null ? {} : { baseline }));
    return { gates, gateProblem: null };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof InputError)) throw error;
    return { gates: [], gateProblem: new UsageError(`the gate cannot be judged: ${error.message}`.split('\n')) };
  }
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
      throw new UsageError(`gate: ${error.message}`.split('\n'), 'name a file of rules, see assay gate --help');
    throw error;
  }
}

function baselineOf({ experiment: { gate }, folder }: LoadedExperiment): string | null {
  return gate === undefined || typeof gate === 'string' || gate.baseline === undefined
    ? null
    : resolve(folder, gate.baseline);
}
