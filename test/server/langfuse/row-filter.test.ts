import { describe, expect, it } from 'vitest';

import { rowFilter } from '../../../src/server/langfuse/row-filter.ts';

const ROWS = [
  { id: 'a', tags: ['red', 'big'], size: 3, at: '2026-01-01T00:00:00.000Z', note: null, meta: { level: 2 } },
  { id: 'b', tags: ['red'], size: 5, at: '2026-03-01T00:00:00.000Z', note: 'hello', meta: {} },
  { id: 'c', tags: [], size: null, at: '2026-02-01T00:00:00.000Z', note: 'help', meta: { level: 9 } },
];
type Row = (typeof ROWS)[number];

function found(column: string, operator: string, value?: unknown, key?: string): string[] {
  const filter = rowFilter<Row>(JSON.stringify([{ type: 'any', column, operator, value, key }]), {
    id: (row) => row.id,
    tags: (row) => row.tags,
    size: (row) => row.size,
    at: (row) => row.at,
    note: (row) => row.note,
    meta: (row) => row.meta,
  });
  return ROWS.filter((row) => filter!(row)).map(({ id }) => id);
}

describe('rowFilter', () => {
  it('compares texts, numbers, times, lists and what is within metadata', () => {
    expect(found('id', '=', 'b')).toEqual(['b']);
    expect(found('id', '<>', 'b')).toEqual(['a', 'c']);
    expect(found('note', 'starts with', 'hel')).toEqual(['b', 'c']);
    expect(found('note', 'ends with', 'lo')).toEqual(['b']);
    expect(found('note', 'contains', 'el')).toEqual(['b', 'c']);
    expect(found('note', 'does not contain', 'p')).toEqual(['a', 'b']);
    expect(found('size', '>', 3)).toEqual(['b']);
    expect(found('size', '>=', 3)).toEqual(['a', 'b']);
    expect(found('size', '<=', 3)).toEqual(['a']);
    expect(found('at', '<', '2026-02-15T00:00:00+00:00')).toEqual(['a', 'c']);
    expect(found('tags', 'any of', ['big', 'blue'])).toEqual(['a']);
    expect(found('tags', 'none of', ['big'])).toEqual(['b', 'c']);
    expect(found('tags', 'all of', ['red', 'big'])).toEqual(['a']);
    expect(found('note', 'is null')).toEqual(['a']);
    expect(found('note', 'is not null')).toEqual(['b', 'c']);
    expect(found('meta', '=', '2', 'level')).toEqual(['a']);
    expect(found('meta', '>', 2, 'level')).toEqual(['c']);
  });

  it('refuses what it does not know rather than letting everything through', () => {
    expect(() => found('colour', '=', 'x')).toThrow('the column colour is not known here');
    expect(() => found('constructor', '=', 'x')).toThrow('is not known here');
    expect(() => found('id', 'resembles', 'x')).toThrow('the operator resembles is not known here');
    expect(() => rowFilter('{', {})).toThrow('a list of conditions in JSON');
    expect(() => rowFilter('{"a":1}', {})).toThrow('filter:');
    expect(rowFilter(undefined, {})).toBeNull();
  });
});
