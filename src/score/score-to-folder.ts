import { hostname } from 'node:os';

import type { CaseReader, CaseSources } from '../data/read-cases.ts';
import type { Case } from '../data/case.ts';
import type { CaseResult } from '../measure/tally.ts';
import type { Plan } from '../recipe/plan.ts';
import { caseReader } from '../formats/case-formats.ts';
import { caseRecord, ledgerRecord } from './ledger.ts';
import type { Run } from './run.ts';
import { joinSinks, type OpenRunWatch } from './run-watch.ts';
import { RunWriter } from './run-writer.ts';
import { scoreCases, type ScoreSink } from './score.ts';
import { type RunOptions, runOf, withMeasures } from './score-to-run.ts';

export interface FolderOptions {
  readonly out: string;
  /** The `--set` lines, shown in the manifest. */
  readonly set?: readonly string[];
  /** Watches the run and adds files of its own: the reports, the audit, what figures are drawn from. */
  readonly watch?: OpenRunWatch;
  /** Further files made from the finished run, by name: outputs that other tools expect. */
  readonly files?: Readonly<Record<string, (run: Run) => string>>;
  /** Further JSON lines, one per case, by file name: outputs that other tools expect. */
  readonly caseRecords?: Readonly<Record<string, (result: CaseResult, given: Case) => unknown>>;
  /** Who gave the predictions, where that is known: model and prompt, as a part of the signature. */
  readonly madeBy?: string;
  /** False: no timing.json, for tasks whose every output is the same on any day. */
  readonly timing?: boolean;
  /** Further figures of the run, asked for once all cases are scored. */
  readonly alsoMeasured?: NonNullable<RunOptions['alsoMeasured']>;
  /** Also told of every verdict and case. */
  readonly sink?: ScoreSink;
  /** Told of the writer, so that an interrupt can clear away what is half done. */
  readonly onOpen?: (writer: Pick<RunWriter, 'abandon'>) => void;
}

/** Scores files, or cases from elsewhere, into a run folder: all of it, or nothing. */
export async function scoreToFolder(plan: Plan, input: CaseSources | CaseReader, options: FolderOptions): Promise<Run> {
  const started = Date.now();
  const reader = Symbol.asyncIterator in input ? input : caseReader(input, plan);
  const writer = new RunWriter(options.out);
  options.onOpen?.(writer);
  try {
    const extra = Object.entries(options.caseRecords ?? {});
    const watch = (await options.watch?.(plan, writer)) ?? null;
    const sink = joinSinks([
      ...(options.sink === undefined ? [] : [options.sink]),
      ...(watch === null ? [] : [watch.sink]),
    ]);
    const scored = await scoreCases(plan, reader, {
      ...sink,
      verdicts(verdicts, given) {
        const { offsets } = given;
        writer.lines(
          'ledger.jsonl',
          verdicts.map((verdict) => ledgerRecord(verdict, offsets)),
        );
        sink.verdicts?.(verdicts, given);
      },
      case(outcome, given) {
        writer.lines('cases.jsonl', [caseRecord(outcome)]);
        for (const [file, record] of extra) writer.lines(file, [record(outcome, given)]);
        sink.case?.(outcome, given);
      },
    });
    const result = await withMeasures(scored, options.alsoMeasured);
    const written = ['ledger.jsonl', 'cases.jsonl', ...extra.map(([file]) => file)];
    const outputs = Object.fromEntries(written.map((file) => [file, { rows: writer.rows(file) }]));
    const signature = options.madeBy === undefined ? result.signature : `${result.signature}|${options.madeBy}`;
    const run = runOf(plan, reader, { ...result, signature }, options.set ?? [], options.out, outputs);
    writer.whole('measures.json', measuresJson(run));
    for (const [file, make] of Object.entries(options.files ?? {})) writer.whole(file, make(run));
    await watch?.finish(run);
    const manifest = { ...run.manifest, files: writer.files() };
    writer.whole('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
    if (options.timing !== false) writer.whole('timing.json', timingJson(started, reader));
    writer.finish();
    return { ...run, manifest };
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** What is not the same on every day and machine. */
function timingJson(started: number, reader: CaseReader): string {
  const seconds = (Date.now() - started) / 1000;
  const paths = reader.files().map((file) => ({ role: file.role, path: file.path }));
  const timing = { started: new Date(started).toISOString(), seconds, host: hostname(), node: process.version, paths };
  return `${JSON.stringify(timing, null, 2)}\n`;
}

/** One measure a line: a diff of two runs then shows the measures that moved. */
function measuresJson(run: Run): string {
  const { signature, cases, measures, failedOtherwise, rules, confusion, ungrounded } = run.measures;
  const list = (rows: readonly unknown[]): string =>
    rows.length === 0 ? '[]' : `[\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`;
  const otherwise = failedOtherwise === undefined ? '' : `  "failedOtherwise": ${JSON.stringify(failedOtherwise)},\n`;
  return `{\n  "signature": ${JSON.stringify(signature)},\n  "cases": ${JSON.stringify(cases)},\n  "measures": ${list(measures)},\n${otherwise}  "rules": ${list(rules)},\n  "confusion": ${list(confusion)},\n  "ungrounded": ${JSON.stringify(ungrounded)}\n}\n`;
}
