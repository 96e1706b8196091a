import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { readRules, USUAL_FILE } from '../compare/gate/rules.ts';
import type { Ceiling } from '../figures/run-figures.ts';
import { readRun } from '../score/read-run.ts';
import { measuresOf } from '../score/retally.ts';
import type { Run } from '../score/run.ts';
import type { Acceptances } from './acceptance.ts';
import type { Need } from './check.ts';
import { CHECKS } from './checks.ts';
import type { Audit } from './finding.ts';
import { OpenAudit } from './open-audit.ts';
import { readAuditCases, type TextSource } from './read-audit-cases.ts';
import { trainCases } from './read-train.ts';

export interface AuditOptions {
  /** Where the texts are; without it, checks that need them do not look. */
  readonly texts?: TextSource | null;
  /** Files of cases that the system was trained on. */
  readonly train?: readonly string[];
  /** A file of gate rules; without it, gate.yaml in the folder or beside it. */
  readonly gate?: string;
  /** Folders of runs that this one, as the baseline, is compared with. */
  readonly others?: readonly string[];
  /** Laid over what the recipe accepts. */
  readonly accept?: Acceptances;
  /** What figures.json of the run says of the people who made the gold. */
  readonly ceiling?: readonly Ceiling[] | null;
}

/** Audits a run from its folder. */
export async function auditRun(folder: string, options: AuditOptions = {}): Promise<Audit> {
  return auditReadRun(await readRun(folder), options);
}

/** The same for a run that has been read. */
export async function auditReadRun(run: Run, options: AuditOptions = {}): Promise<Audit> {
  const { texts = null, train = [], others = [], accept, ceiling = null } = options;
  const beside = [join(run.folder, USUAL_FILE), join(dirname(run.folder), USUAL_FILE)];
  const gate = options.gate ?? beside.find((file) => existsSync(file)) ?? null;
  const rules = gate === null ? null : readRules(gate);
  const compared: Run[] = [];
  for (const other of others) compared.push(await readRun(other));
  const { task, recipe } = run.manifest;
  const lacking: Need[] = [
    ...(train.length === 0 ? ['train' as const] : []),
    ...(texts === null ? ['texts' as const] : []),
  ];
  const open = new OpenAudit({ task, recipe: recipe.resolved, measures: measuresOf(run) }, CHECKS, lacking);
  for await (const given of readAuditCases(run, texts)) open.add(given);
  return open.finish({
    run,
    train: train.length === 0 ? null : trainCases(train, run),
    gate: rules,
    others: compared,
    ceiling,
    noTexts: texts === null ? 'the texts of the cases were not at hand' : (texts.notice ?? null),
    ...(accept === undefined ? {} : { accept }),
  });
}
