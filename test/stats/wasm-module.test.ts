import { describe, expect, it } from 'vitest';

import { compileWasm, type WasmFunction } from '../../src/stats/wasm-module.ts';

const sum: WasmFunction = {
  name: 'sum',
  params: ['one', 'other'],
  numbers: [],
  registers: [],
  returns: true,
  code: 'local.get one local.get other i32.add',
};

describe('a module', () => {
  it('has the functions that were written, and a memory of the size asked for', () => {
    const store: WasmFunction = {
      ...sum,
      name: 'store',
      returns: false,
      code: 'local.get one local.get other i32.const -300 i32.add i32.store 2 70000',
    };
    const { memory, functions } = compileWasm([sum, store])!(70_100);
    expect(functions['sum']!(40, 2)).toBe(42);
    functions['store']!(8, 1_000_000);
    expect(new Int32Array(memory)[70_008 / 4]).toBe(999_700);
    expect(memory.byteLength).toBe(2 * 65_536);
  });

  it.each(['i32.plus', 'three', '1e', '1.0'])('is not made of a word that is nothing: %s', (word) => {
    expect(() => compileWasm([{ ...sum, code: `local.get ${word}` }])).toThrow(`${word}: expected an instruction`);
  });

  it('is not made where a local is called as an instruction', () => {
    expect(() => compileWasm([{ ...sum, params: ['one', 'end'], code: 'local.get end' }])).toThrow('end: expected');
  });

  it('is null where the engine would not run it', () => {
    expect(compileWasm([{ ...sum, code: 'i32.add' }])).toBeNull();
  });
});
