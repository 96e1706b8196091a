import { UsageError } from '../data/problems.ts';
import type { CaseReader, CaseSources } from '../data/read-cases.ts';
import { bytesOfLines } from '../data/file-rows.ts';
import { reopenable, type Source } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';
import { caseReader, formatOf } from './case-formats.ts';

/** One of several parts of the cases, from 1; together, in their order, they are all cases in their order. */
export type Shard = Readonly<{ number: number; of: number }>;

export const MOST_SHARDS = 100_000;

/** `3/16`. */
export function parseShard(written: string, flag = '--shard'): Shard {
  const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(written) ?? []).map(Number);
  if (number >= 1 && number <= of && of <= MOST_SHARDS) return { number, of };
  throw new UsageError(
    `${flag} ${written}: expected NUMBER/SHARDS, with a number from 1 to the number of shards`,
    'for example --shard 3/16; a scheduler that counts from 0 needs one more',
  );
}

/** The cases of a shard. */
export interface ShardReader extends CaseReader {
  /** Whether all files were read whole, so that what is known of them is the same in every shard. */
  readonly isWhole: boolean;
}

/**
 * A shard of the cases of some files. Of a file that has all of a case in one line, only the lines of the shard are parsed;
 * of others everything is, and the cases of other shards are left out: which these are is known once all were counted.
 */
export async function shardCases(given: CaseSources, plan: Plan, { number, of }: Shard): Promise<ShardReader> {
  const { cases, gold, predictions } = given;
  const place = (total: number, shard: number): number => (shard === of ? total : Math.floor((total / of) * shard));
  if (cases !== undefined && gold === undefined && predictions === undefined && formatOf(plan).task === null) {
    const file = await reopenable(cases);
    const bytes = await bytesOfLines(file, plan.data);
    if (bytes !== null) {
      const lines = { from: place(bytes, number - 1), to: number === of ? Infinity : place(bytes, number) };
      const reader = caseReader({ cases: file }, { ...plan, data: { ...plan.data, lines } });
      return Object.assign(reader, { isWhole: false });
    }
  }
  const again = (source: Source | undefined) => (source === undefined ? undefined : reopenable(source));
  const sources = { cases: await again(cases), gold: await again(gold), predictions: await again(predictions) };
  let total = 0;
  const all = caseReader(sources, plan)[Symbol.asyncIterator]();
  while ((await all.next()).done !== true) total += 1;
  const [from, to] = [place(total, number - 1), place(total, number)];
  const reader = caseReader(sources, plan);
  return {
    async *[Symbol.asyncIterator]() {
      let at = 0;
      for await (const one of reader) {
        if (at >= from && at < to) yield one;
        at += 1;
      }
    },
    files: () => reader.files(),
    get notices() {
      return reader.notices;
    },
    isWhole: true,
  };
}
