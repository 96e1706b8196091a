import { maskOf, seededState } from './mersenne-twister.ts';
import { compileWasm, type StartWasm, type WasmFunction } from './wasm-module.ts';

/** Draws that are added up in one pass: sums that do not wait for each other. */
export const TOGETHER = 4;
/** The largest whole number, on either side of 0, of a row and of the times that a unit is drawn. */
export const LARGEST_WHOLE = 2 ** 15 - 1;

/** Rows of whole numbers, one a unit, and how often each of the draws takes each unit. */
export interface DrawKernel {
  readonly times: readonly Int16Array[];
  /** The sums of row r for `block` draws, from place r · block on. */
  readonly sums: Int32Array;
  /** Adds the rows up: the sums of the draws `at` to `at` + TOGETHER − 1. */
  add(at: number): void;
  /** Draws into `times` as `timesDraw` does, with the same numbers. */
  resample(seed: number): (draw: number) => void;
}

/** Random numbers that are made at a time. */
const READY = 4096;

/**
 * Draws and sums in WebAssembly, eight products at a time: whole numbers have an exact sum, whatever its order. Neither
 * the units nor the times of a draw together may be more than LARGEST_WHOLE. null where there is no such WebAssembly.
 */
export function startKernel(units: number, rows: readonly Int16Array[], block = TOGETHER): DrawKernel | null {
  start ??= compileWasm([ADD, TWIST, COUNT]);
  if (start === null) return null;
  const bytes = 32 * Math.ceil(units / 16);
  const draws = rows.length * bytes;
  const sums = draws + TOGETHER * bytes;
  const state = sums + 4 * block * rows.length;
  const ready = state + 4 * (STATE + READY);
  const { memory, functions } = start(ready + 4 * READY);
  const { add, twist, count } = functions;
  rows.forEach((row, at) => new Int16Array(memory, at * bytes, units).set(row));
  const times = Array.from({ length: TOGETHER }, (_, at) => new Int16Array(memory, draws + at * bytes, units));
  return {
    times,
    sums: new Int32Array(memory, sums, block * rows.length),
    add: (at) => void (rows.length > 0 && add!(0, draws, bytes, sums + 4 * at, 4 * block)),
    resample(seed) {
      const numbers = new Uint32Array(memory, state, STATE + READY);
      numbers.set(seededState(seed), READY);
      const [last, mask] = [units - 1, maskOf(units - 1)];
      let next = READY;
      return (draw) => {
        times[draw]!.fill(0);
        if (last === 0) times[draw]![0] = 1;
        for (let left = last === 0 ? 0 : units; left > 0;) {
          if (next === READY) {
            numbers.copyWithin(0, READY);
            twist!(state, state + 4 * READY, ready);
            next = 0;
          }
          const end = Math.min(next + left, READY);
          left -= count!(ready + 4 * next, ready + 4 * end, draws + draw * bytes, mask, last);
          next = end;
        }
      };
    },
  };
}

let start: StartWasm | null | undefined;

const ofEachDraw = (code: (draw: number) => string): string => [0, 1, 2, 3].map(code).join(' ');

/** The products of the eight numbers `from` bytes on with the times of each draw. */
const productsFrom = (from: number): string => `
  local.get row v128.load 0 ${from} local.set eight
  ${ofEachDraw(
    (draw) => `
    local.get at ${'local.get bytes i32.add '.repeat(draw)} v128.load 0 ${from}
    local.get eight i32x4.dot_i16x8_s local.get sum${draw} i32x4.add local.set sum${draw}`,
  )}`;

/** For each row, from the first up to where the draws begin: the sums of the products, sixteen at a time. */
const ADD: WasmFunction = {
  name: 'add',
  params: ['row', 'draws', 'bytes', 'sums', 'apart'],
  numbers: ['at'],
  registers: ['sum0', 'sum1', 'sum2', 'sum3', 'eight'],
  returns: false,
  code: `
    loop
      ${ofEachDraw((draw) => `i32.const 0 i32x4.splat local.set sum${draw}`)}
      local.get draws local.set at
      loop
        ${productsFrom(0)} ${productsFrom(16)}
        local.get row i32.const 32 i32.add local.set row
        local.get at i32.const 32 i32.add local.tee at
        local.get draws local.get bytes i32.add i32.lt_u br_if 0
      end
      ${ofEachDraw(
        (draw) => `
        local.get sums
        ${[0, 1, 2, 3].map((lane) => `local.get sum${draw} i32x4.extract_lane ${lane}`).join(' ')}
        i32.add i32.add i32.add i32.store 2 ${4 * draw}`,
      )}
      local.get sums local.get apart i32.add local.set sums
      local.get row local.get draws i32.lt_u br_if 0
    end`,
};

/** Numbers of the state of MT19937. */
const STATE = 624;

const all = (number: number): string => `i32.const ${number} i32x4.splat`;

/** MT19937: number k + 624 from numbers k, k + 1 and k + 397, four at once; and each made ready to be used. */
const TWIST: WasmFunction = {
  name: 'twist',
  params: ['state', 'until', 'ready'],
  numbers: [],
  registers: ['mixed', 'made'],
  returns: false,
  code: `
    loop
      local.get state v128.load 0 0 ${all(0x80000000)} v128.and
      local.get state v128.load 0 4 ${all(0x7fffffff)} v128.and
      v128.or local.tee mixed i32.const 1 i32x4.shr_u
      local.get state v128.load 0 ${4 * 397} v128.xor
      local.get mixed ${all(1)} v128.and i32x4.neg ${all(0x9908b0df)} v128.and v128.xor local.set made
      local.get state local.get made v128.store 0 ${4 * STATE}
      local.get ready
      local.get made local.get made i32.const 11 i32x4.shr_u v128.xor local.tee made
      local.get made i32.const 7 i32x4.shl ${all(0x9d2c5680)} v128.and v128.xor local.tee made
      local.get made i32.const 15 i32x4.shl ${all(0xefc60000)} v128.and v128.xor local.tee made
      local.get made i32.const 18 i32x4.shr_u v128.xor v128.store 0 0
      local.get ready i32.const 16 i32.add local.set ready
      local.get state i32.const 16 i32.add local.tee state local.get until i32.lt_u br_if 0
    end`,
};

/** Adds 1 to the times of each number that is masked and not above the last one, and returns how many are not. */
const COUNT: WasmFunction = {
  name: 'count',
  params: ['ready', 'until', 'times', 'mask', 'last'],
  numbers: ['drawn', 'is', 'taken'],
  registers: [],
  returns: true,
  code: `
    loop
      local.get ready i32.load 2 0 local.get mask i32.and local.tee drawn
      local.get last i32.le_u local.tee is
      local.get taken i32.add local.set taken
      local.get times local.get drawn local.get is i32.mul i32.const 1 i32.shl i32.add local.tee drawn
      local.get drawn i32.load16_u 1 0 local.get is i32.add i32.store16 1 0
      local.get ready i32.const 4 i32.add local.tee ready local.get until i32.lt_u br_if 0
    end
    local.get taken`,
};
