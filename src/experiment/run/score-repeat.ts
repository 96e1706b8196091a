import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Case } from '../../data/case.ts';
import type { Role } from '../../data/format.ts';
import { noNotices } from '../../data/item-check.ts';
import { InputError } from '../../data/problems.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { FileWriter } from '../../data/write-file.ts';
import { formatOf } from '../../formats/case-formats.ts';
import type { RecordCases } from '../../formats/record-cases.ts';
import type { Plan } from '../../recipe/plan.ts';
import { plainNaming } from '../../score/run-about.ts';
import type { Run } from '../../score/run.ts';
import { scoreToFolder } from '../../score/score-to-folder.ts';
import { defined } from '../defined.ts';
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
  const { repeats, set, name: called, description } = options.loaded.experiment;
  const { items, outputs, score } = runFiles(prepared.folder, repeat, repeats);
  const files = filesOf(session, repeat);
  const notices: Record<string, number> = {};
  let formats: RecordCases['formats'] = { cases: 'unknown', predictions: 'unknown' };
  let result: ItemResult | null = null;
  let [withoutGold, answered] = [0, 0];
  async function* cases(): AsyncGenerator<Case> {
    for await (const outcome of outcomes) {
      const { item, entry, read } = outcome;
      for (const { file, lineOf } of files) file.add(lineOf(item, entry));
      counter.add(entry);
      result = null;
      if (read !== null) {
        if (files[0]!.file.rows === 1) formats = read.formats;
        for (const [name, count] of Object.entries<number>({ ...read.notices }))
          notices[name] = (notices[name] ?? 0) + count;
        answered += read.cases.filter((one) => one.answered && one.failed === null).length;
        if (!read.hasGold) withoutGold += 1;
        yield* read.cases;
      }
      if (!publisher.hasArrived(item.id, repeat)) await publisher.add(outcome, result);
    }
    for (const { file } of files) file.finish();
    const { absentLists } = notices;
    if (absentLists !== undefined && absentLists === answered) {
      delete notices['absentLists'];
      notices['absentListsEverywhere'] = absentLists;
    }
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
      ...plainNaming({
        name: repeats === 1 ? called : `${called} (repeat ${repeat})`,
        ...defined({ note: description, tags: options.tags }),
      }),
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
type LineOf = (item: FrozenItem, entry: LogEntry) => object;

/** Items and outputs first; further ones if they are asked for. */
function filesOf({ options, prepared }: Session, repeat: number) {
  const { repeats } = options.loaded.experiment;
  const { folder, plan, target } = prepared;
  const { prediction } = target;
  const paths = runFiles(folder, repeat, repeats);
  const file = (path: string, lineOf: LineOf) => ({ file: new OutcomeFile(path, { next: NO_ROOM }), lineOf });
  const files = [file(paths.items, (item) => item), file(paths.outputs, (_, entry) => outputRecord(entry))];
  if (prediction !== undefined)
    files.push(file(paths.predictions, ({ input }, entry) => prediction({ input, ...outputRecord(entry) })));
  if (options.results != null) {
    const path = repeats === 1 ? options.results : options.results.replace(/\.jsonl$/, `-${repeat}.jsonl`);
    const lineOf: LineOf = (item, entry) => {
      const write = plan === null ? undefined : formatOf(plan).write;
      const found = entry.outcome === 'answered' ? entry.passages : null;
      const passages = found?.map(({ text, source }) => ({ text, source })) ?? null;
      // The time that a recorded answer took to be found is not that of the system.
      const latencyMs = target.kind === 'recorded' ? null : entry.latencyMs;
      const answer = outputRecord(entry);
      return plan === null || write === undefined ? answer : write(item, { ...answer, passages, latencyMs }, plan);
    };
    files.push(file(path, lineOf));
  }
  return files;
}

const SCORE_FILE = /^(?:(?:ledger|cases)\.jsonl|(?:measures|figures|audit|timing|about)\.json|report\.(?:md|html))$/;

/** Scores without their manifest are of no use, and would not be replaced as a run is. */
function removeBroken(folder: string): void {
  if (!existsSync(folder) || existsSync(join(folder, 'manifest.json'))) return;
  if (readdirSync(folder).every((name) => SCORE_FILE.test(name))) rmSync(folder, { recursive: true });
}
