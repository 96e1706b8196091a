import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AnswerCache, CACHE_FILE, answerKey } from '../answer-cache.ts';
import { withoutNeedOfKeys } from '../models/access.ts';
import { AnswerLog, LOG_FILE } from './answer-log.ts';
import { type FrozenItem, readFrozen, readRecord, refuseForeign, runFolderOf } from './run-folder.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import { type RunExperimentOptions, type RunSettings, settingsOf } from './run-settings.ts';

export interface DryRun {
  readonly folder: string;
  /** Whether the run was begun before. */
  readonly begun: boolean;
  readonly prepared: PreparedRun;
  readonly settings: RunSettings;
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

/** What would be run. Nobody is asked, and nothing is written that stays. */
export async function dryRun(options: RunExperimentOptions): Promise<DryRun> {
  const { loaded, backend, onlyItems = null } = options;
  const environment = withoutNeedOfKeys(options.environment ?? process.env);
  const own = runFolderOf(loaded.experiment);
  refuseForeign(own);
  const settings = settingsOf(loaded.experiment);
  const begun = readRecord(own) !== null;
  const folder = begun ? own : await mkdtemp(join(tmpdir(), 'assay-dry-run-'));
  let prepared: PreparedRun | null = null;
  try {
    const { timeoutMs } = settings.policy;
    prepared = await prepareRun({ loaded, backend, folder, timeoutMs, environment, onlyItems, begin: false });
    return { folder: own, begun, prepared, settings, ...(await lookAhead(options, prepared, folder)) };
  } finally {
    await prepared?.target.close();
    if (!begun) await rm(folder, { recursive: true, force: true });
  }
}

type Ahead = Pick<DryRun, 'items' | 'answered' | 'failed' | 'cached' | 'toAsk' | 'preview' | 'characters'>;

async function lookAhead(options: RunExperimentOptions, prepared: PreparedRun, folder: string): Promise<Ahead> {
  const { loaded, limit = null, onlyFailed = false, cacheFolder } = options;
  const { repeats, cache: wantsCache } = loaded.experiment;
  const { target } = prepared;
  const log = existsSync(join(folder, LOG_FILE)) ? await AnswerLog.open(folder) : null;
  const keeps = cacheFolder !== null && wantsCache && target.cacheable && existsSync(join(cacheFolder, CACHE_FILE));
  const cache = keeps ? new AnswerCache(cacheFolder, options.onNotice) : null;
  const seen = { items: 0, answered: 0, failed: 0, cached: 0, toAsk: 0 };
  let preview: Ahead['preview'] = null;
  let characters: number | null = 0;
  const look = async (item: FrozenItem, repeat: number): Promise<void> => {
    const hasFailed = log?.hasFailed(item.id, repeat) === true;
    if (hasFailed) seen.failed += 1;
    else if (log?.has(item.id, repeat) === true) seen.answered += 1;
    if (log?.has(item.id, repeat) === true ? !(onlyFailed && hasFailed) : onlyFailed) return;
    const given = { id: item.id, input: item.input, metadata: item.metadata ?? null, repeat };
    if (cache !== null && cache.get(answerKey(target.identity, given)) !== null) {
      seen.cached += 1;
      return;
    }
    seen.toAsk += 1;
    const text = await target.preview(given);
    characters = text === null || characters === null ? null : characters + text.length;
    if (text !== null) preview ??= { item: item.id, text };
  };
  try {
    for await (const item of readFrozen(folder)) {
      if (limit !== null && seen.items >= limit) break;
      seen.items += 1;
      for (let repeat = 1; repeat <= repeats; repeat += 1) await look(item, repeat);
    }
    return { ...seen, preview, characters: seen.toAsk === 0 ? null : characters };
  } finally {
    cache?.close();
    await log?.close();
  }
}
