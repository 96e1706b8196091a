import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Case } from '../../data/case.ts';
import { unwrapped } from '../../data/dataset-item.ts';
import type { Role } from '../../data/format.ts';
import type { Fields } from '../../data/item.ts';
import { noNotices } from '../../data/item-check.ts';
import { InputError } from '../../data/problems.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { isRecord } from '../../data/record-fields.ts';
import { FileWriter } from '../../data/write-file.ts';
import type { RecordCases } from '../../formats/record-cases.ts';
import { PLAIN_CONSULT } from '../../recipe/consult-section.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { Run } from '../../score/run.ts';
import { scoreToFolder } from '../../score/score-to-folder.ts';
import type { LogEntry } from './answer-log.ts';
import type { ItemResult } from './item-trace.ts';
import { madeBy, type Session } from './publish-run.ts';
import { type FrozenItem, NO_ROOM, runFiles } from './run-folder.ts';
import { type ItemOutcome, outputRecord } from './scorer.ts';

/**
 * One repeat, in the order of the dataset: its items and outputs are written, the same bytes whatever order the answers
 * came in, its scores are made, and each outcome is published with them. An item without an outcome is in none of these, so
 * that nothing is counted that was never asked. Null where nothing is scored.
 */
export async function scoreRepeat(
  session: Session,
  plan: Plan | null,
  repeat: number,
  outcomes: AsyncIterable<ItemOutcome>,
): Promise<Run | null> {
  const { options, prepared, publisher, counter } = session;
  const { repeats, set } = options.loaded.experiment;
  const { items, outputs, score } = runFiles(prepared.folder, repeat, repeats);
  const files = filesOf(session, repeat);
  const notices: Record<string, number> = {};
  let formats: RecordCases['formats'] = { cases: 'unknown', predictions: 'unknown' };
  let result: ItemResult | null = null;
  let withoutGold = 0;
  async function* cases(): AsyncGenerator<Case> {
    for await (const outcome of outcomes) {
      const { item, entry, read } = outcome;
      for (const { file, exporter } of files) file.add(exporter(item, entry, prepared.plan));
      counter.add(entry);
      result = null;
      if (read !== null) {
        if (files[0]!.file.rows === 1) formats = read.formats;
        for (const [name, count] of Object.entries<number>({ ...read.notices }))
          notices[name] = (notices[name] ?? 0) + count;
        if (!read.hasGold) withoutGold += 1;
        yield* read.cases;
      }
      if (!publisher.hasArrived(item.id, repeat)) await publisher.add(outcome, result);
    }
    for (const { file } of files) file.finish();
    if (withoutGold === 0) return;
    notices['casesWithoutGold'] = withoutGold;
    const message = `no gold items in this file, read as ${formats.cases}`;
    if (withoutGold === files[0]!.file.rows)
      throw new InputError([{ file: items, line: null, message, next: 'give them with --gold FILE' }]);
  }
  const fileOf = (role: Role & keyof typeof formats, path: string, at: number): ReadFile => ({
    role,
    name: path,
    path: resolve(path),
    format: formats[role],
    ...files[at]!.file.digest(),
    rows: files[at]!.file.rows,
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
      files: () => [fileOf('cases', items, 0), fileOf('predictions', outputs, 1)],
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
    for (const { file } of files) file.abandon();
    throw error;
  } finally {
    await all.return(undefined);
  }
}

/** A file of lines, one for each outcome. */
class OutcomeFile extends FileWriter {
  rows = 0;
  #bytes = 0;
  readonly #hash = createHash('sha256');

  add(record: object): void {
    const line = `${JSON.stringify(record)}\n`;
    this.#hash.update(line);
    this.#bytes += Buffer.byteLength(line);
    this.rows += 1;
    this.write(line);
  }

  digest(): { readonly sha256: string; readonly bytes: number } {
    return { sha256: this.#hash.copy().digest('hex'), bytes: this.#bytes };
  }
}

/** An outcome as a line of a file that others expect. */
type Exporter = (item: FrozenItem, entry: LogEntry, plan: Plan | null) => object;

const outputLine: Exporter = (_, entry) => outputRecord(entry);

/** Items and outputs first; further ones where they are asked for. */
function filesOf({ options, prepared }: Session, repeat: number) {
  const { repeats } = options.loaded.experiment;
  const { folder, plan, target } = prepared;
  const paths = runFiles(folder, repeat, repeats);
  const file = (path: string, exporter: Exporter) => ({ file: new OutcomeFile(path, { next: NO_ROOM }), exporter });
  const files = [file(paths.items, (item) => item), file(paths.outputs, outputLine)];
  const { prediction } = target;
  if (prediction !== undefined)
    files.push(file(paths.predictions, ({ input }, entry) => prediction({ input, ...outputRecord(entry) })));
  if (options.results != null) {
    const path = repeats === 1 ? options.results : options.results.replace(/\.jsonl$/, `-${repeat}.jsonl`);
    const exporter = plan?.consult == null ? outputLine : consultationLine;
    // The time that a recorded answer took to be found is not that of the system.
    const timeless = (entry: LogEntry) => (target.kind === 'recorded' ? { ...entry, latencyMs: null } : entry);
    files.push(file(path, (item, entry, own) => exporter(item, timeless(entry), own)));
  }
  return files;
}

/** The case beside the answer to it; what a system says of the case itself does not count. */
function consultationLine(item: FrozenItem, entry: LogEntry, plan: Plan | null): object {
  const section = plan?.consult ?? PLAIN_CONSULT;
  const given = unwrapped({ ...item }, section.id);
  const text = given[section.text] ?? given['text'] ?? given['question'];
  const expected = item.expected_output;
  const gold = given[section.gold] ?? (typeof expected === 'string' ? expected : undefined);
  const known: Fields = {
    [section.answered]: item.id,
    ...(text === undefined ? {} : { [section.text]: text }),
    ...(gold === undefined ? {} : { [section.gold]: gold }),
  };
  if (entry.outcome === 'failed') return { ...known, error: outputRecord(entry).error };
  const { output, passages, latencyMs } = entry;
  const said: Fields = isRecord(output) ? output : { [section.response]: output };
  return {
    ...known,
    ...said,
    ...(passages === null || section.passages in said
      ? {}
      : { [section.passages]: passages.map((one) => ({ text: one.text, source: one.source })) }),
    ...('processing_time' in said || latencyMs === null ? {} : { processing_time: latencyMs / 1000 }),
    ...known,
  };
}

const SCORE_FILE = /^(?:(?:ledger|cases)\.jsonl|(?:measures|figures|audit|timing)\.json|report\.(?:md|html))$/;

/** Scores without their manifest are of no use, and would not be replaced as a run is. */
function removeBroken(folder: string): void {
  if (!existsSync(folder) || existsSync(join(folder, 'manifest.json'))) return;
  if (readdirSync(folder).every((name) => SCORE_FILE.test(name))) rmSync(folder, { recursive: true });
}
