import type { Backend } from '../../experiment/backend.ts';
import type { DryRun } from '../../experiment/run/dry-run.ts';
import type { LoadedExperiment } from '../../experiment/run/load-experiment.ts';
import { summaryTarget } from '../../experiment/run/run-experiment.ts';
import type { DryRun as DryRunView } from '../../report/experiment-dry-run.ts';

/** What a dry run found, as the report shows it. */
export function dryRunView(found: DryRun, { experiment }: LoadedExperiment, backend: Backend): DryRunView {
  const { prepared, answered, failed, cached, toAsk } = found;
  const { record, settings } = prepared;
  const { cost, tokens, timeMs } = settings.budget;
  const { repeats, target, prices } = experiment;
  const wanted = record.dataset.items * repeats;
  return {
    name: experiment.name,
    folder: found.folder,
    dataset: record.dataset,
    repeats,
    target: summaryTarget(prepared),
    identity: record.target,
    items: {
      answered,
      failed,
      cached,
      toCall: toAsk,
      leftOut: Math.max(0, wanted - answered - failed - cached - toAsk),
    },
    preview: found.preview,
    characters: found.characters,
    prices: prices ?? null,
    longestAnswer:
      'maxOutputTokens' in target && typeof target.maxOutputTokens === 'number' ? target.maxOutputTokens : null,
    limits: {
      concurrency: settings.most,
      retries: settings.policy.retries,
      timeoutSeconds: settings.policy.timeoutMs / 1000,
    },
    budget: { cost, tokens, seconds: timeMs === null ? null : timeMs / 1000 },
    recipe: prepared.plan?.name ?? null,
    publish: backend.place,
  };
}
