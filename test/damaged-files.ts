import { InputError, UsageError } from '../src/data/problems.ts';
import { memorySource, type Source } from '../src/data/source.ts';
import { MersenneTwister } from '../src/stats/mersenne-twister.ts';

/** A small valid file whose bytes are damaged; `pack` makes the file of the damaged bytes, if these are inside another format. */
export interface SoundFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly pack?: (bytes: Buffer) => Buffer;
}

export interface FuzzOutcome {
  readonly accepted: number;
  readonly refused: number;
  /** Of the slowest file. */
  readonly longestMs: number;
  /** By which the largest resident set of the process grew. */
  readonly grownMiB: number;
}

/** Numbers that readers trip over: nothing, all ones, the greatest signed number, one too many. */
const INTEGERS = [0n, (1n << 64n) - 1n, 0x7fff_ffff_7fff_ffffn, 1n, 0x8000_0000_8000_0000n];
const DIGITS = ['0', '-1', '99999999999999999999', '4294967296', '2147483647', '1e999'];
const DEADLINE_MS = 5000;
const MOST_GROWN_MIB = 400;

/** Damages for each sound file of a fuzz test: ASSAY_FUZZ=100000 tries more than the suite does. */
export function damagesHere(usual: number): number {
  return Number(process.env['ASSAY_FUZZ'] ?? usual);
}

/**
 * Reads damaged copies of sound files. Throws at the first that ends in anything but a message for the user, or takes longer
 * than the deadline, with the file as base64; the same seed gives the same files.
 */
export async function fuzzReader(
  files: readonly SoundFile[],
  isAccepted: (source: Source) => Promise<boolean>,
  { count, seed = 1 }: { readonly count: number; readonly seed?: number },
): Promise<FuzzOutcome> {
  const random = new MersenneTwister(seed);
  const before = process.resourceUsage().maxRSS;
  let [accepted, refused, longestMs] = [0, 0, 0];
  for (const { name, bytes, pack = (inner: Buffer) => inner } of files) {
    if (!(await isAccepted(memorySource(name, pack(bytes))))) throw new Error(`${name} is not sound`);
    for (let at = 0; at < count; at += 1) {
      const file = pack(damagedBytes(bytes, random));
      const fault = (reason: unknown): Error =>
        new Error(`${name}, damage ${at}: ${String(reason)}\n${file.toString('base64').slice(0, 4000)}`, {
          cause: reason,
        });
      const start = performance.now();
      try {
        if (await isAccepted(memorySource(name, file))) accepted += 1;
        else refused += 1;
      } catch (error) {
        if (!(error instanceof InputError || error instanceof UsageError)) throw fault(error);
        refused += 1;
      }
      longestMs = Math.max(longestMs, performance.now() - start);
      if (longestMs > DEADLINE_MS) throw fault(`took ${Math.round(longestMs)} ms`);
      const grown = (process.resourceUsage().maxRSS - before) / 1024;
      if (grown > MOST_GROWN_MIB) throw fault(`the process grew by ${Math.round(grown)} MiB`);
    }
  }
  const grownMiB = Math.round((process.resourceUsage().maxRSS - before) / 1024);
  return { accepted, refused, longestMs: Math.round(longestMs), grownMiB };
}

/** One to three damages: flipped bits, cuts, ranges that are doubled, dropped or swapped, and numbers that lie. */
export function damagedBytes(sound: Buffer, random: MersenneTwister): Buffer {
  let bytes = Buffer.from(sound);
  const below = (n: number): number => random.below(Math.max(1, n));
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const range = (): readonly [from: number, to: number] => {
    const from = below(bytes.length);
    return [from, Math.min(bytes.length, from + 1 + below(pick([4, 40, bytes.length])))];
  };
  const damages: readonly (() => void)[] = [
    () => void (bytes[below(bytes.length)]! ^= 1 << below(8)),
    () => void (bytes[below(bytes.length)] = below(256)),
    () => void (bytes = bytes.subarray(0, below(bytes.length))),
    () => {
      const [from, to] = range();
      bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
    },
    () => {
      const [from, to] = range();
      bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    },
    () => {
      const [[a, b], at] = [range(), below(bytes.length)];
      const rest = Buffer.concat([bytes.subarray(0, a), bytes.subarray(b)]);
      bytes = Buffer.concat([rest.subarray(0, at), bytes.subarray(a, b), rest.subarray(at)]);
    },
    () => {
      const number = Buffer.alloc(8);
      if (below(2) === 0) number.writeBigUInt64LE(pick(INTEGERS));
      else number.writeBigUInt64BE(BigInt(below(300)) << BigInt(8 * below(7)));
      number.copy(bytes, below(bytes.length), 0, pick([1, 2, 4, 8]));
    },
    () => {
      const text = bytes.toString('latin1');
      const numbers = [...text.matchAll(/\d+/g)];
      if (numbers.length === 0) return;
      const { index, 0: digits } = pick(numbers);
      bytes = Buffer.from(text.slice(0, index) + pick(DIGITS) + text.slice(index + digits.length), 'latin1');
    },
  ];
  for (let left = 1 + below(3); left > 0 && bytes.length > 0; left -= 1) pick(damages)();
  return bytes;
}
