import { describe, expect, it } from 'vitest';

import { compareCodePoints, cutoffCount, stopped, stopReport } from '../../../src/stream/concepts/stoplist.ts';
import { pythonFloat, reportCsv } from '../../../src/stream/concepts/stoplist-outputs.ts';

describe('cutoffCount', () => {
  it.each([
    [0.9, 40, 36],
    [0.9, 8, 8],
    [0.9, 10, 9],
    [0.5, 3, 2],
    [1, 7, 7],
    [0.0001, 5, 1],
    // 0.55 * 100 is 55.00000000000001 in floating point, 0.07 * 100 is 7.000000000000001: no more is asked for that.
    [0.55, 100, 55],
    [0.07, 100, 7],
  ])('of %d and %i traces is %i', (threshold, cases, cutoff) => {
    expect(cutoffCount(threshold, cases)).toBe(cutoff);
  });

  it.each([0, -0.1, 1.01, Number.NaN])('refuses the threshold %d', (threshold) => {
    expect(() => cutoffCount(threshold, 10)).toThrow('the threshold is');
  });
});

describe('stopReport', () => {
  const cases = [
    { concepts: ['C1', 'C2'], surfaces: ['ataxia', 'patient'] },
    { concepts: ['C1'], surfaces: ['patient', 'patient'] },
    { concepts: ['C1', 'C3'], surfaces: ['=cmd', 'ataxia', 'patient'] },
  ];

  it('counts the traces that have a concept, those in most first and then by name', () => {
    // ceil(0.6 * 3) = 2 of 3 traces.
    const report = stopReport(cases, 0.6);
    expect(report.cutoff).toBe(2);
    expect(report.rows.map(({ concept, type, dfCount, status }) => [concept, type, dfCount, status])).toEqual([
      ['C1', 'CUI', 3, 'STOPLISTED'],
      ['patient', 'SURFACE', 3, 'STOPLISTED'],
      ['ataxia', 'SURFACE', 2, 'STOPLISTED'],
      ['=cmd', 'SURFACE', 1, 'KEPT'],
      ['C2', 'CUI', 1, 'KEPT'],
      ['C3', 'CUI', 1, 'KEPT'],
    ]);
    expect(stopped(report, 'CUI')).toEqual(['C1']);
    expect(stopped(report, 'SURFACE')).toEqual(['patient', 'ataxia']);
  });

  it('does not depend on the order of the traces', () => {
    expect(stopReport(cases.toReversed(), 0.6)).toEqual(stopReport(cases, 0.6));
  });

  it('orders as code points do, which UTF-16 does not', () => {
    // U+FF5E is before U+1F600, though its unit is greater than the first of the emoji.
    expect(['😀', '～', 'b', 'ab', 'a'].toSorted(compareCodePoints)).toEqual(['a', 'ab', 'b', '～', '😀']);
    expect(compareCodePoints('😀', '😁')).toBeLessThan(0);
  });
});

describe('reportCsv', () => {
  it('writes rows and summary as the original does', () => {
    const report = stopReport(
      [
        { concepts: ['C1'], surfaces: ['a, "b"\nc'] },
        { concepts: [], surfaces: [] },
      ],
      0.5,
    );
    expect(reportCsv(report)).toBe(
      [
        'concept,type,df_count,df_fraction,status',
        'C1,CUI,1,0.5,STOPLISTED',
        '"a, ""b""\nc",SURFACE,1,0.5,STOPLISTED',
        '',
        '# SUMMARY',
        '# n_cases,2',
        '# threshold,0.5',
        '# cutoff_count,1',
        '# stoplisted_cuis,1',
        '# stoplisted_surfaces,1',
        '# total_unique_cuis,1',
        '# total_unique_surfaces,1',
        '',
      ].join('\n'),
    );
  });

  it('shows a control character of a surface and does not send it', () => {
    const csv = reportCsv(stopReport([{ concepts: [], surfaces: ['a\u001b[2J'] }], 1));
    expect(csv).toContain('a\\u001b[2J,SURFACE,1,1.0,STOPLISTED\n');
  });

  it('keeps a spreadsheet from taking a surface for a formula, and loses nothing by it', () => {
    const surfaces = ['=1+1', '+a', '-i g m', '@x', '\ty', "'=z", "'quoted'", 'a=b'];
    const cells = reportCsv(stopReport([{ concepts: [], surfaces }], 1))
      .split('\n')
      .slice(1, 1 + surfaces.length)
      .map((line) => line.split(',')[0]!);
    expect(cells.toSorted()).toEqual(["'=1+1", "'+a", "'-i g m", "'@x", "'\ty", "''=z", "'quoted'", 'a=b'].toSorted());
  });

  it('says that surfaces are not known, which is not that there are none', () => {
    const csv = reportCsv(stopReport([{ concepts: ['C1'], surfaces: null }], 1));
    expect(csv).toContain('# stoplisted_surfaces,not known\n');
    expect(csv).toContain('# total_unique_surfaces,not known\n');
  });

  // Python 3: repr(1/1), repr(1/3), repr(1/20000), repr(3/70000), repr(1e-300).
  it.each([
    [1, '1.0'],
    [1 / 3, '0.3333333333333333'],
    [1 / 20_000, '5e-05'],
    [3 / 70_000, '4.2857142857142856e-05'],
    [1e-300, '1e-300'],
    [0.0001, '0.0001'],
  ])('writes %d as Python does', (value, text) => {
    expect(pythonFloat(value)).toBe(text);
  });
});
