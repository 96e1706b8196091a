import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AnswerCache, CACHE_FILE, answerKey } from '../answer-cache.ts';
import { withoutNeedOfKeys } from '../models/access.ts';
import { LOG_FILE, openAnswerLog } from './answer-log.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import { readFrozen, readRecord, refuseForeign, runFolderOf } from './run-folder.ts';
import { type RunExperimentOptions, type RunSettings, settingsOf } from './run-settings.ts';

/** What lies ahead. */
interface Ahead {
  readonly items: number;
  /** Outcomes that are there. */
  readonly answered: number;
  readonly failed: number;
  /** Of the others, those whose answer is known from an earlier run. */
  readonly cached: number;
  readonly toAsk: number;
  /** How the first of those would be asked; null where there is nothing to show. */
  readonly preview: { readonly item: string; readonly text: string } | null;
  /** What would be sent in all, in characters, as far as the target can show it. */
  readonly characters: number | null;
}

export interface DryRun extends Ahead {
  readonly folder: string;
  /** Whether the run was begun before. */
  readonly begun: boolean;
  readonly prepared: PreparedRun;
  readonly settings: RunSettings;
}

/** What would be run. Nobody is asked, and nothing is written that stays. */
export async function dryRun(options: RunExperimentOptions): Promise<DryRun> {
  const { experiment } = options.loaded;
  const environment = withoutNeedOfKeys(options.environment ?? process.env);
  const own = runFolderOf(experiment);
  refuseForeign(own);
  const settings = settingsOf(experiment);
  const begun = readRecord(own) !== null;
  await using held = new AsyncDisposableStack();
  const folder = begun ? own : await mkdtemp(join(tmpdir(), 'assay-dry-run-'));
  if (!begun) held.defer(() => rm(folder, { recursive: true, force: true }));
  const prepared = await prepareRun({ ...options, environment }, folder, true);
  held.defer(() => prepared.target.close());
  return { folder: own, begun, prepared, settings, ...(await lookAhead(options, prepared)) };
}

async function lookAhead(options: RunExperimentOptions, { target, folder }: PreparedRun): Promise<Ahead> {
  const { loaded, limit, onlyFailed = false, cacheFolder } = options;
  const { repeats, cache: wantsCache } = loaded.experiment;
  await using held = new AsyncDisposableStack();
  const log = existsSync(join(folder, LOG_FILE)) ? await openAnswerLog(folder) : null;
  held.defer(() => log?.close());
  const keeps = cacheFolder !== null && wantsCache && target.cacheable && existsSync(join(cacheFolder, CACHE_FILE));
  const cache = keeps ? new AnswerCache(cacheFolder, options.onNotice) : null;
  held.defer(() => cache?.close());
  const seen = { items: 0, answered: 0, failed: 0, cached: 0, toAsk: 0 };
  let preview: Ahead['preview'] = null;
  let characters: number | null = 0;
  for await (const { id, input, metadata = null } of readFrozen(folder)) {
    if (seen.items >= (limit ?? Infinity)) break;
    seen.items += 1;
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      const hasOutcome = log?.has(id, repeat) === true;
      const hasFailed = log?.hasFailed(id, repeat) === true;
      if (hasFailed) seen.failed += 1;
      else if (hasOutcome) seen.answered += 1;
      if (onlyFailed ? !hasFailed : hasOutcome) continue;
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
  return { ...seen, preview, characters: seen.toAsk === 0 ? null : characters };
}
