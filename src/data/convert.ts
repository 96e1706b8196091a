import type { Case } from './case.ts';
import { DEFAULT_DATA_OPTIONS } from './data-options.ts';
import type { CaseWriter, Format, ReadOptions } from './format.ts';
import { formatNamed, FORMATS } from './formats.ts';
import { noNotices } from './item-check.ts';
import { joinCase } from './join-case.ts';
import { type CaseLoss, caseLosses } from './case-losses.ts';
import { Problems, UsageError } from './problems.ts';
import { readCases } from './read-cases.ts';
import { rowReader } from './read-rows.ts';
import { fileSource, reopenable, type Source } from './source.ts';
import { writeCases, type WrittenSide } from './write-cases.ts';

export interface ConvertOptions extends Partial<ReadOptions> {
  /** Name of the format to write; by default `graph` if there are relations, else `spans`. */
  readonly to?: string;
  readonly side?: WrittenSide;
  /** The texts, if the file has none. */
  readonly texts?: Source;
}

export interface Converted {
  /** Formats that were read and written. */
  readonly from: string;
  readonly to: string;
  readonly cases: number;
  readonly items: number;
  /** What reading the result back does not give, item by item. */
  readonly losses: readonly CaseLoss[];
}

/**
 * Writes what a file or folder holds in another format, then reads that back and compares: what is missing is listed. What
 * is wrong with the file is thrown, all of it at once.
 */
export async function convert(given: Source, out: string, options: ConvertOptions = {}): Promise<Converted> {
  const { to, side = 'gold', texts, ...reading } = options;
  const source = await reopenable(given);
  const read = (from: Source, more: Partial<ReadOptions> = reading): SideReader => sideReader(from, side, texts, more);
  const target = writableFormat(to ?? (await likelyTarget(read(source))), out);
  const reader = read(source);
  const cases = await writeCases(reader.cases(), target.writer, out, side);
  const losses: CaseLoss[] = reader.leftOut();
  let items = 0;
  // Only what the writer could say is asked for: the texts that were given apart are no part of the result.
  const back = sideReader(fileSource(out), side, undefined, { format: target.format.name });
  const again = new Map<string, Case>();
  for await (const one of back.cases()) again.set(one.id, one);
  let number = 0;
  for await (const one of read(source).cases()) {
    number += 1;
    items += one.gold.length + one.predicted.length;
    // A format without ids has the cases in their order.
    const same = again.get(one.id) ?? (back.isNumbered() ? again.get(String(number)) : undefined) ?? null;
    if (same !== null && same.id !== one.id) losses.push({ case: one.id, item: null, side: null, what: 'the id' });
    losses.push(...caseLosses(one, same));
  }
  return { from: reader.format(), to: target.format.name, cases, items, losses };
}

/** Formats that can be written. */
export function writableFormats(): readonly Format[] {
  return FORMATS.filter(({ writer }) => writer !== undefined);
}

export function writableFormat(name: string, out: string): { format: Format; writer: CaseWriter } {
  const format = formatNamed(name);
  if (format.writer === undefined)
    throw new UsageError(
      `${out}: ${name} can be read, but not written`,
      `--to ${writableFormats()
        .map((one) => one.name)
        .join('|')}`,
    );
  return { format, writer: format.writer };
}

interface SideReader {
  cases(): AsyncGenerator<Case>;
  /** Once they have been read. */
  format(): string;
  isNumbered(): boolean;
  /** What was not even read, since it has no place in a text. */
  leftOut(): CaseLoss[];
}

/** The cases of a file with one side of it, or both. */
function sideReader(
  source: Source,
  side: WrittenSide,
  texts: Source | undefined,
  given: Partial<ReadOptions>,
): SideReader {
  const options = { ...DEFAULT_DATA_OPTIONS, ...given };
  const problems = new Problems();
  const role = side === 'both' ? 'cases' : side === 'gold' ? 'gold' : 'predictions';
  if (texts !== undefined) {
    const reader = readCases({ cases: texts, [role]: source }, options, problems);
    return {
      async *cases() {
        // The file of texts may have a side too, which is not what was asked for.
        for await (const one of reader)
          yield {
            ...one,
            ...(side === 'gold' ? { predicted: [] } : {}),
            ...(side === 'predicted' ? { gold: [] } : {}),
          };
        problems.throwIfAny();
      },
      format: () => reader.files().find((file) => file.role === role)?.format ?? 'unknown',
      isNumbered: () => false,
      leftOut: () => [],
    };
  }
  const leftOut: CaseLoss[] = [];
  const reader = rowReader(source, role, options, problems);
  const names = { driver: source.name, gold: source.name, predictions: source.name };
  return {
    async *cases() {
      const settings = { names, options, problems, notices: noNotices() };
      for await (const batch of reader.rows())
        for (const row of batch) {
          for (const item of row.leftOut ?? [])
            leftOut.push({ case: row.id, item, side: null, what: 'the item: it has no place in a text' });
          yield joinCase(row, side === 'predicted' ? null : row, side === 'gold' ? null : row, settings);
        }
      problems.throwIfAny();
    },
    format: () => reader.done().format,
    isNumbered: () => reader.isNumbered(),
    leftOut: () => leftOut,
  };
}

async function likelyTarget(reader: SideReader): Promise<string> {
  for await (const { gold, predicted } of reader.cases())
    if ([...gold, ...predicted].some(({ kind }) => kind === 'relationship' || kind === 'entity')) return 'graph';
  return 'spans';
}
