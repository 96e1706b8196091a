import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Case } from '../../data/case.ts';
import type { Role } from '../../data/format.ts';
import { noNotices } from '../../data/item-check.ts';
import { InputError } from '../../data/problems.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { FileWriter } from '../../data/write-file.ts';
import type { RecordCases } from '../../formats/record-cases.ts';
import type { CaseResult } from '../../measure/tally.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { Run } from '../../score/run.ts';
import { scoreToFolder } from '../../score/score-to-folder.ts';
import type { SummaryCounter } from '../summary.ts';
import { EXPORTERS, type Exporter, answersExporter } from './exporters.ts';
import { NO_ROOM } from './frozen-dataset.ts';
import { type Publishing, madeBy } from './publish-run.ts';
import { resultsFile, runFiles } from './run-settings.ts';
import type { ItemOutcome } from './scorer.ts';

export interface Scoring extends Publishing {
  readonly counter: SummaryCounter;
}

/**
 * One repeat, in the order of the dataset: its items and outputs are written, the same bytes whatever order the answers
 * came in, its scores are made, and each outcome is published with them. An item without an outcome is in none of these, so
 * that nothing is counted that was never asked. Null where nothing is scored.
 */
export async function scoreRepeat(
  scoring: Scoring,
  plan: Plan | null,
  repeat: number,
  outcomes: AsyncIterable<ItemOutcome>,
): Promise<Run | null> {
  const { options, prepared, publisher, counter } = scoring;
  const { repeats, set } = options.loaded.experiment;
  const { items, outputs, score } = runFiles(prepared.folder, repeat, repeats);
  const files = filesOf(scoring, repeat);
  const notices: Record<string, number> = {};
  let formats: RecordCases['formats'] | null = null;
  let result: CaseResult | null = null;
  let withoutGold = 0;
  async function* cases(): AsyncGenerator<Case> {
    for await (const outcome of outcomes) {
      const { item, entry, read } = outcome;
      for (const file of files) file.add(outcome);
      counter.add(entry);
      result = null;
      if (read !== null) {
        formats ??= read.formats;
        const own: Record<string, number> = { ...read.notices };
        for (const name in own) notices[name] = (notices[name] ?? 0) + own[name]!;
        if (!read.hasGold) withoutGold += 1;
        yield* read.cases;
      }
      if (!publisher.hasArrived(item.id, repeat)) await publisher.add(outcome, result);
    }
    for (const file of files) file.finish();
    if (withoutGold > 0 && withoutGold === files[0]!.rows) throw nothingToScoreBy(items, formats);
    if (withoutGold > 0) notices['casesWithoutGold'] = withoutGold;
  }
  const fileOf = (role: Role, path: string, at: number, format: string): ReadFile => ({
    role,
    name: path,
    path: resolve(path),
    format,
    ...files[at]!.digest(),
    rows: files[at]!.rows,
  });
  const all = cases();
  try {
    const first = await all.next();
    if (first.done === true || plan === null) return null;
    removeBroken(score);
    const reader = {
      async *[Symbol.asyncIterator]() {
        yield first.value;
        yield* all;
      },
      files: () => [
        fileOf('cases', items, 0, formats?.cases ?? 'unknown'),
        fileOf('predictions', outputs, 1, formats?.predictions ?? 'unknown'),
      ],
      get notices() {
        return { ...noNotices(), ...notices };
      },
    };
    return await scoreToFolder(plan, reader, {
      out: score,
      set,
      madeBy: madeBy(prepared),
      sink: { scored: ({ variants }) => (result = variants.at(-1)?.result ?? null) },
      ...(options.watch === undefined ? {} : { watch: options.watch }),
    });
  } catch (error) {
    for (const file of files) file.abandon();
    throw error;
  } finally {
    await all.return(undefined);
  }
}

function nothingToScoreBy(file: string, formats: RecordCases['formats'] | null): InputError {
  const message = `no gold items in this file, read as ${formats?.cases ?? 'unknown'}`;
  return new InputError([{ file, line: null, message, next: 'give them with --gold FILE' }]);
}

/** A file of lines, one for each outcome. */
class OutcomeFile {
  rows = 0;
  readonly #file: FileWriter;
  readonly #exporter: Exporter;
  readonly #plan: Plan | null;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(path: string, exporter: Exporter, plan: Plan | null) {
    this.#file = new FileWriter(path, { next: NO_ROOM });
    this.#exporter = exporter;
    this.#plan = plan;
  }

  add({ item, entry }: ItemOutcome): void {
    const line = `${JSON.stringify(this.#exporter(item, entry, this.#plan))}\n`;
    this.#hash.update(line);
    this.#bytes += Buffer.byteLength(line);
    this.rows += 1;
    this.#file.write(line);
  }

  digest(): { readonly sha256: string; readonly bytes: number } {
    return { sha256: this.#hash.copy().digest('hex'), bytes: this.#bytes };
  }

  finish(): void {
    this.#file.finish();
  }

  abandon(): void {
    this.#file.abandon();
  }
}

/** Items and outputs first; further ones where they are asked for. */
function filesOf({ options, prepared }: Scoring, repeat: number): OutcomeFile[] {
  const { repeats } = options.loaded.experiment;
  const { folder, plan, target } = prepared;
  const paths = runFiles(folder, repeat, repeats);
  const files: OutcomeFile[] = [];
  const exportTo = (path: string, exporter: Exporter): void => void files.push(new OutcomeFile(path, exporter, plan));
  exportTo(paths.items, (item) => item);
  exportTo(paths.outputs, EXPORTERS.outputs);
  if (target.predictions !== undefined) exportTo(paths.predictions, EXPORTERS[target.predictions]);
  if (options.results != null)
    exportTo(resultsFile(options.results, repeat, repeats), (item, entry) =>
      // The time that a recorded answer took to be found is not that of the system.
      answersExporter(plan)(item, target.kind === 'recorded' ? { ...entry, latencyMs: null } : entry, plan),
    );
  return files;
}

const SCORE_FILES = [
  'ledger.jsonl',
  'cases.jsonl',
  'measures.json',
  'figures.json',
  'audit.json',
  'report.md',
  'report.html',
  'timing.json',
];

/** Scores without their manifest are of no use, and would not be replaced as a run is. */
function removeBroken(folder: string): void {
  if (!existsSync(folder) || existsSync(join(folder, 'manifest.json'))) return;
  if (readdirSync(folder).every((name) => SCORE_FILES.includes(name))) rmSync(folder, { recursive: true });
}
