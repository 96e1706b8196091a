import { describe, expect, it } from 'vitest';

import { DEFAULT_DATA_OPTIONS } from '../../src/data/data-options.ts';
import { mayKeepAll, without } from '../../src/data/record-fields.ts';
import { Problems } from '../../src/data/problems.ts';

function context() {
  return { file: 'f', role: 'gold', options: DEFAULT_DATA_OPTIONS, problems: new Problems() } as const;
}

const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);

describe('without', () => {
  it('gives the fields that have no other use', () => {
    const own = context();
    expect(without({ id: 'a', text: 'b', year: 1, meta: { tags: ['x'] } }, new Set(['id', 'text']), 1, own)).toEqual({
      year: 1,
      meta: { tags: ['x'] },
    });
    expect(own.problems.count).toBe(0);
  });

  it('leaves out what may not be kept, and says so', () => {
    const own = context();
    const record = { ok: 1, deep: nested(501), ...(JSON.parse('{"__proto__":{"admin":true}}') as object) };
    const rest = without(record, new Set(), 7, own);
    expect(rest).toEqual({ ok: 1 });
    expect(Object.getPrototypeOf(rest)).toBe(Object.prototype);
    expect(() => {
      own.problems.throwIfAny();
    }).toThrow(/^f:7: deep: nested more than 500 levels deep .*\nf:7: __proto__: the key __proto__ is not allowed/);
  });
});

describe('mayKeepAll', () => {
  it.each([
    ['plain values', { a: 1, b: 'x', c: null, d: true }, 0],
    ['500 levels', { a: nested(500) }, 0],
    ['501 levels', { a: nested(501) }, 1],
    ['a hundred thousand levels', { a: JSON.parse(`${'['.repeat(1e5)}${']'.repeat(1e5)}`) as unknown }, 1],
    ['a wide list', { a: Array.from({ length: 1e5 }, () => ({ b: 1 })) }, 0],
  ])('of %s', (_, fields, faults) => {
    const own = context();
    expect(mayKeepAll(fields, 'items[0]', 1, own)).toBe(faults === 0);
    expect(own.problems.count).toBe(faults);
  });
});
