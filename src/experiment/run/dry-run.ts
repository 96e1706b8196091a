import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Cleanup } from '../../data/cleanup.ts';
import { AnswerCache, CACHE_FILE, answerKey } from '../answer-cache.ts';
import { withoutNeedOfKeys } from '../models/access.ts';
import { LOG_FILE, openAnswerLog } from './answer-log.ts';
import { prepareRun } from './prepare-run.ts';
import { readFrozen, readRecord, refuseOtherFolder, runFolderOf } from './run-folder.ts';
import type { RunExperimentOptions } from './run-settings.ts';

export type DryRun = Awaited<ReturnType<typeof dryRun>>;

/** What would be run. Nobody is asked, and nothing is written that stays. */
export async function dryRun(options: RunExperimentOptions) {
  const { experiment } = options.loaded;
  const { limit, onlyFailed = false, cacheFolder } = options;
  const own = runFolderOf(experiment);
  refuseOtherFolder(own);
  const begun = readRecord(own) !== null;
  await using held = new Cleanup();
  const folder = begun ? own : await mkdtemp(join(tmpdir(), 'assay-dry-run-'));
  if (!begun) held.defer(() => rm(folder, { recursive: true, force: true }));
  const environment = withoutNeedOfKeys(options.environment ?? process.env);
  const prepared = await prepareRun({ ...options, environment }, folder, true);
  const { target } = prepared;
  held.defer(() => target.close());
  const log = existsSync(join(folder, LOG_FILE)) ? await openAnswerLog(folder) : null;
  held.defer(() => log?.close());
  const keeps = cacheFolder !== null && experiment.cache && target.cacheable;
  const cache =
    keeps && existsSync(join(cacheFolder, CACHE_FILE)) ? new AnswerCache(cacheFolder, options.onNotice) : null;
  held.defer(() => cache?.close());
  /** Outcomes that are there; of the others, answers that are known from an earlier run, and those to be asked for. */
  const seen = { items: 0, answered: 0, failed: 0, cached: 0, toAsk: 0 };
  /** How the first of these would be asked; null if there is nothing to show. */
  let preview: { readonly item: string; readonly text: string } | null = null;
  /** What would be sent in all, as far as the target can show it. */
  let characters: number | null = 0;
  for await (const { id, input, metadata = null } of readFrozen(folder)) {
    if (seen.items >= (limit ?? Infinity)) break;
    seen.items += 1;
    for (let repeat = 1; repeat <= experiment.repeats; repeat += 1) {
      const outcome = log?.known(id, repeat);
      if (outcome !== undefined) seen[outcome.failed ? 'failed' : 'answered'] += 1;
      if (onlyFailed ? outcome?.failed !== true : outcome !== undefined) continue;
      const given = { id, input, metadata, repeat };
      if (cache !== null && cache.get(answerKey(target.identity, given)) !== null) {
        seen.cached += 1;
        continue;
      }
      seen.toAsk += 1;
      const text = await target.preview(given);
      characters = text === null || characters === null ? null : characters + text.length;
      if (text !== null) preview ??= { item: id, text };
    }
  }
  return { folder: own, begun, prepared, ...seen, preview, characters: seen.toAsk === 0 ? null : characters };
}
