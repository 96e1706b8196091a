/** A function over the memory: its code is the text format's instructions, with numbers and names of locals as they come. */
export interface WasmFunction {
  readonly name: string;
  readonly params: readonly string[];
  /** Locals beside the parameters: whole numbers, and registers of 16 bytes. */
  readonly numbers: readonly string[];
  readonly registers: readonly string[];
  /** Whether it leaves a whole number on the stack. */
  readonly returns: boolean;
  readonly code: string;
}

/** Starts a module with that many bytes of memory, all 0. */
export type StartWasm = (bytes: number) => {
  readonly memory: ArrayBuffer;
  readonly functions: Readonly<Record<string, WasmExport>>;
};
type WasmExport = (...numbers: readonly number[]) => number;

/** What is used of the engine's interface: TypeScript has its types among those of browsers alone. */
declare const WebAssembly:
  | {
      validate(bytes: Uint8Array): boolean;
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
      readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, WasmExport> };
    }
  | undefined;
const PAGE = 65_536;

/** Compiles the functions; null where the engine has no WebAssembly, or none with registers of 16 bytes. */
export function compileWasm(functions: readonly WasmFunction[]): StartWasm | null {
  const engine = typeof WebAssembly === 'undefined' ? undefined : WebAssembly;
  const bytes = moduleOf(functions);
  if (engine?.validate(bytes) !== true) return null;
  const module = new engine.Module(bytes);
  return (size) => {
    const memory = new engine.Memory({ initial: Math.ceil(size / PAGE) });
    return { memory: memory.buffer, functions: new engine.Instance(module, { env: { memory } }).exports };
  };
}

/** The instructions that are used here with their bytes (WebAssembly 2.0, section 5.4). */
const INSTRUCTIONS = new Map(
  `loop 0340, end 0b, br_if 0d, local.get 20, local.set 21, local.tee 22, i32.load 28, i32.load16_u 2f, i32.store 36,
  i32.store16 3b, i32.const 41, i32.lt_u 49, i32.le_u 4d, i32.add 6a, i32.mul 6c, i32.and 71, i32.shl 74,
  v128.load fd00, v128.store fd0b, i32x4.splat fd11, i32x4.extract_lane fd1b, v128.and fd4e, v128.or fd50,
  v128.xor fd51, i32x4.neg fda101, i32x4.shl fdab01, i32x4.shr_u fdad01, i32x4.add fdae01, i32x4.dot_i16x8_s fdba01`
    .split(/,\s+/)
    .map((entry) => entry.split(' '))
    .map(([name, bytes]) => [name!, [...Buffer.from(bytes!, 'hex')]]),
);
const [NUMBER, REGISTER, FUNCTION, MEMORY] = [0x7f, 0x7b, 0x60, 0x02];

/** A module that imports its memory as `env.memory` and exports its functions. */
function moduleOf(functions: readonly WasmFunction[]): Uint8Array {
  const types = functions.map(({ params, returns }) => [
    FUNCTION,
    ...list(params.map(() => [NUMBER])),
    ...list(returns ? [[NUMBER]] : []),
  ]);
  const section = (id: number, items: readonly (readonly number[])[]): number[] => [id, ...sized(list(items))];
  return Uint8Array.from([
    ...Buffer.from('\0asm\x01\0\0\0'),
    ...section(1, types),
    ...section(2, [[...text('env'), ...text('memory'), MEMORY, 0, 1]]),
    ...section(
      3,
      functions.map((_, at) => leb(at)),
    ),
    ...section(
      7,
      functions.map(({ name }, at) => [...text(name), 0, ...leb(at)]),
    ),
    ...section(
      10,
      functions.map((own) => sized(bodyOf(own))),
    ),
  ]);
}

function bodyOf({ params, numbers, registers, code }: WasmFunction): number[] {
  const locals = [...params, ...numbers, ...registers];
  const bytes = `${code.trim()} end`.split(/\s+/).flatMap((word) => {
    const [place, known] = [locals.indexOf(word), INSTRUCTIONS.get(word)];
    if (place >= 0 === (known !== undefined || word === String(Number(word))))
      throw new Error(`${word}: expected an instruction, a number or a local, and one of these`);
    return known ?? leb(place < 0 ? Number(word) : place);
  });
  const declared = [
    [...leb(numbers.length), NUMBER],
    [...leb(registers.length), REGISTER],
  ];
  return [...list(declared), ...bytes];
}

/** Signed LEB128, in which unsigned numbers may be written too. */
function leb(value: number): number[] {
  const [low, rest] = [value & 0x7f, value >> 7];
  return rest === (low & 0x40 ? -1 : 0) ? [low] : [low | 0x80, ...leb(rest)];
}

function sized(bytes: readonly number[]): number[] {
  return [...leb(bytes.length), ...bytes];
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...leb(items.length), ...items.flat()];
}

function text(name: string): number[] {
  return sized([...Buffer.from(name)]);
}
