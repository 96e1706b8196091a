import { UsageError } from '../data/problems.ts';
import { type Source, sourceOf } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';
import { runAnswers } from './run-answers.ts';
import type { SourceFlags } from './scored-sources.ts';
import { systemFiles } from './system-file.ts';

type ConsultInputFlags = Pick<SourceFlags, 'cases' | 'gold' | 'predictions' | 'run'>;

export interface ConsultInputs {
  readonly cases: Source;
  readonly answers: readonly { readonly system: string; readonly source: Source }[];
}

/** The files that were named, or those that a run of an experiment left. */
export function consultInputs(plan: Plan, { cases, gold, predictions = [], run }: ConsultInputFlags): ConsultInputs {
  if (gold !== undefined)
    throw new UsageError(
      '--gold is not for consult recipes',
      'the class stands in the case file, or comes with --reviews',
    );
  if (run !== undefined) {
    if (cases !== undefined || predictions.length > 0)
      throw new UsageError('--run brings its own items and outputs', 'leave --cases and --predictions out');
    const { system, items, outputs } = runAnswers(plan, run);
    return { cases: items, answers: [{ system, source: outputs }] };
  }
  if (cases === undefined)
    throw new UsageError('a consult recipe needs the cases', 'give --cases FILE, a CSV with id and scenario');
  if (predictions.length === 0)
    throw new UsageError('a consult recipe needs the answers', 'give --predictions FILE, once for each system');
  return {
    cases: sourceOf(cases),
    answers: systemFiles(predictions).map(({ system, path }) => ({ system, source: sourceOf(path) })),
  };
}
