import { describe, expect, it } from 'vitest';

import { displayWidth } from '../../src/report/display-width.ts';
import { makeStyle } from '../../src/report/style.ts';
import type { Column } from '../../src/report/document.ts';
import { tableLines } from '../../src/report/render-terminal-table.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const COLUMNS: readonly Column[] = [
  { title: 'label', shrinks: true },
  { title: 'n', align: 'right' },
];
const plain = makeStyle({ width: 40 });
const terminal = makeStyle({ width: 40, terminal: true });

describe('tableLines', () => {
  it('aligns by columns of the terminal, not by characters', () => {
    expect(
      tableLines(
        COLUMNS,
        [
          ['日本', '1'],
          ['नमस्ते', '20'],
          ['LOC', '300'],
        ],
        plain,
      ),
    ).toEqual(['label    n', '日本     1', 'नमस्ते    20', 'LOC    300']);
  });

  it('cuts a column that may shrink to fit a terminal', () => {
    const lines = tableLines(COLUMNS, [['x'.repeat(60), '7']], terminal);
    expect(lines[1]).toBe(`${'x'.repeat(36)}…  7`);
    expect(lines.every((line) => displayWidth(line) <= 40)).toBe(true);
  });

  it('cuts nothing in a pipe', () => {
    expect(tableLines(COLUMNS, [['x'.repeat(60), '7']], plain)[1]).toBe(`${'x'.repeat(60)}  7`);
  });

  it('leaves out what may go where the width does not suffice, equal numbers together', () => {
    const columns = [
      { title: 'name' },
      { title: 'a'.repeat(20), drop: 1 },
      { title: 'b', drop: 2 },
      { title: 'c'.repeat(20), drop: 2 },
    ];
    expect(tableLines(columns, [['x', '1', '2', '3']], plain)).toEqual([`name  ${'a'.repeat(20)}`, 'x     1']);
  });

  it('lets a cell span the rest of its row, and wraps it there', () => {
    const rows = [
      ['f1', { span: 'undefined (there is neither gold nor a prediction that counts)' }],
      ['recall', '0.5'],
    ];
    expect(tableLines([{ title: '' }, { title: '' }, { title: '' }], rows, plain)).toEqual([
      'f1      undefined (there is neither gold',
      '        nor a prediction that counts)',
      'recall  0.5',
    ]);
  });

  it('keeps hostile cells on their line and harmless', () => {
    const lines = tableLines(COLUMNS, [[HOSTILE, '1']], makeStyle({ width: 300 }));
    expect(lines).toHaveLength(2);
    expect(lines.flatMap(dangerous)).toEqual([]);
  });
});
