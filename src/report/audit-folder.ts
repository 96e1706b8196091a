import { type AuditOptions, auditRun } from '../audit/audit-run.ts';
import { CHECKS } from '../audit/checks.ts';
import type { Audit } from '../audit/finding.ts';
import { AUDIT_CHECKS } from '../recipe/audit-section.ts';
import { unlistedNotices } from '../score/run-folder.ts';
import { readRunWith } from '../score/run-queries.ts';
import { openCaseTexts } from './case-texts.ts';
import { readFigures } from './html/run-parts.ts';

export interface AuditFolderOptions extends Omit<AuditOptions, 'texts' | 'ceiling'> {
  /** The path of the texts now, if not where they were scored. */
  readonly cases?: string | null;
  /** The recipe of the run, if it has custom measures or checks: their code is not in a run folder. */
  readonly recipe?: string | object | undefined;
  /** Receives a sentence if edits of the run cannot be noticed. */
  readonly onNotice?: (notice: string) => void;
}

/**
 * Audits a run from its folder, with the texts of the files that were scored where they can still be read.
 *
 * @example const { findings } = await auditFolder('runs/first', { train: ['train.jsonl'] })
 */
export async function auditFolder(
  folder: string,
  { cases = null, recipe, onNotice, ...options }: AuditFolderOptions = {},
): Promise<Audit> {
  const run = await readRunWith(folder, recipe);
  for (const notice of unlistedNotices([run])) onNotice?.(notice);
  const texts = await openCaseTexts(run, null, cases);
  try {
    return await auditRun(run, { ...options, texts, ceiling: (await readFigures(run))?.ceiling ?? null });
  } finally {
    await texts.close();
  }
}

/** Every check with what it looks for, in the order of the reports. */
export function auditChecks(): [name: string, about: string][] {
  const about = new Map(CHECKS.map((check): [string, string] => [check.name, check.about]));
  return AUDIT_CHECKS.flatMap((name): [string, string][] => {
    const text = about.get(name);
    return text === undefined ? [] : [[name, text]];
  });
}
