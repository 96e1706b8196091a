import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { readRules, USUAL_FILE } from '../compare/gate/rules.ts';
import { DEFAULT_DATA_OPTIONS } from '../data/data-options.ts';
import { offsetsFor } from '../data/item-check.ts';
import { Problems } from '../data/problems.ts';
import { rowReader } from '../data/read-rows.ts';
import { fileSource } from '../data/source.ts';
import { formatOf } from '../formats/case-formats.ts';
import { idInFiles, ledgerVerdicts } from '../score/ledger.ts';
import { readLedgerCases, readRun } from '../score/run-file.ts';
import { expectCounts, expectValues, lackingCode, measuresOf } from '../score/retally.ts';
import type { Run } from '../score/run.ts';
import { type AuditEnd, AuditWatch } from './audit-watch.ts';
import type { TrainCase } from './check.ts';
import type { Audit } from './finding.ts';
import { stringAt } from './recipe-parts.ts';
import type { AuditCase } from './audit-case.ts';

/** The source of the texts of cases, asked for in the order of the cases. */
export interface TextSource {
  of(id: string): Promise<string | null>;
  /** What keeps every text from being had, or from being trusted. */
  readonly notice?: string | null;
}

export interface AuditOptions extends Pick<AuditEnd, 'accept' | 'ceiling'> {
  /** Source of the texts; without it, checks that need them are skipped. */
  readonly texts?: TextSource | null;
  /** Files of cases that the system was trained on. */
  readonly train?: readonly string[];
  /** A file of gate rules; without it, gate.yaml in the folder or beside it. */
  readonly gate?: string;
  /** Folders of runs that this one, as the baseline, is compared with. */
  readonly others?: readonly string[];
}

/** Audits a run that was read, or is in a folder. */
export async function auditRun(given: Run | string, options: AuditOptions = {}): Promise<Audit> {
  const run = typeof given === 'string' ? await readRun(given) : given;
  await expectValues(run);
  const { texts = null, train = [], others = [], gate: named, ...rest } = options;
  const beside = [join(run.folder, USUAL_FILE), join(dirname(run.folder), USUAL_FILE)];
  const gate = named ?? beside.find((file) => existsSync(file)) ?? null;
  const rules = gate === null ? null : readRules(gate);
  const compared: Run[] = [];
  for (const other of others) compared.push(await readRun(other));
  const { task, recipe } = run.manifest;
  const { definitions = [] } = run;
  const watch = new AuditWatch({ task, resolved: recipe.resolved, measures: measuresOf(run), definitions });
  for await (const one of readAuditCases(run, texts)) watch.add(one);
  return watch.finish(run, {
    ...rest,
    lacking: lackingCode(run).filter(({ defines }) => defines === 'check'),
    train: train.length === 0 ? null : trainCases(train, run),
    gate: rules,
    others: compared,
    noTexts: texts === null ? 'the texts of the cases were not at hand' : (texts.notice ?? null),
  });
}

/** The cases of a run folder as they were when they had just been scored; texts are as good as `texts`. */
async function* readAuditCases(run: Run, texts: TextSource | null): AsyncGenerator<AuditCase> {
  const named = stringAt(run.manifest.recipe.resolved['data'], 'offsets');
  const unit = named === 'codepoint' || named === 'byte' ? named : 'utf16';
  for await (const { result, records } of readLedgerCases(run.folder, { schemes: false })) {
    const text = texts === null ? null : await texts.of(idInFiles(result));
    const verdicts = ledgerVerdicts(records, run.folder, offsetsFor(text, unit));
    expectCounts(run.folder, result, verdicts);
    yield { ...result, text, verdicts };
  }
}

/** The cases of files that a system was trained on, in whatever format they are, read again each time. */
export function trainCases(files: readonly string[], { manifest }: Run): AsyncIterable<TrainCase> {
  return {
    async *[Symbol.asyncIterator]() {
      for (const path of files) {
        const problems = new Problems();
        const [source, file] = [fileSource(path), basename(path)];
        const own = formatOf(manifest).texts?.(source, 'cases', manifest.recipe.resolved, problems);
        for await (const batch of own ?? rowReader(source, 'cases', DEFAULT_DATA_OPTIONS, problems).rows())
          for (const { id, text } of batch) yield { id, text, file };
        problems.throwIfAny();
      }
    },
  };
}
