import { describe, expect, it } from 'vitest';

import { CASE_CHANGES } from '../../../src/compare/case-change.ts';
import { compareRuns } from '../../../src/compare/compare-runs.ts';
import type { Comparison } from '../../../src/compare/comparison.ts';
import type { Case } from '../../../src/data/case.ts';
import { comparisonDocument } from '../../../src/report/comparison.ts';
import { buildReport } from '../../../src/report/html/build-report.ts';
import { renderTerminal } from '../../../src/report/render-terminal.ts';
import { makeStyle } from '../../../src/report/style.ts';
import { swappedComparison } from '../../../web/src/report/compare/swapped-comparison.ts';
import { type CaseTable, caseTable } from '../../../web/src/report/list/case-table.ts';
import { changeOf } from '../../../web/src/report/list/change.ts';
import { filterRows, showCounts } from '../../../web/src/report/list/filter-rows.ts';
import { sortRows } from '../../../web/src/report/list/sort-rows.ts';
import type { Counts } from '../../stats/made-up-counts.ts';
import { folders, spansCases } from '../../score/scored-folders.ts';
import { openReport } from './open-report.ts';

const scored = folders();

/** Hits, spurious and missed items of four gold items; F1 and errors often go different ways. */
const A: readonly Counts[] = [
  [0, 0, 4], // 4 errors, F1 0
  [0, 0, 4],
  [2, 1, 2],
  [3, 0, 1],
  [4, 0, 0],
  [1, 1, 3],
  [2, 0, 2],
];
const B: readonly Counts[] = [
  [2, 2, 2], // as many errors, F1 +0.5
  [0, 1, 4], // 1 more, the same F1
  [3, 0, 1],
  [3, 3, 1],
  [4, 0, 0],
  [1, 1, 3],
  [2, 0, 2],
];
const C: readonly Counts[] = A.map(([hit, spurious, missed]) => [hit, spurious + 1, missed]);

/** The sixth case has another spurious item, the seventh failed. */
function casesOf(rows: readonly Counts[], isOther: boolean): Case[] {
  return spansCases(rows, (at) => (at === 6 && isOther ? { failed: 'no answer' } : {})).map((one, at) =>
    at !== 5 || !isOther
      ? one
      : {
          ...one,
          predicted: one.predicted.map((item, place) => (place === 1 ? { ...item, end: item.end + 1 } : item)),
        },
  );
}

async function compared(name: string, set: readonly string[], third = false) {
  const all = [casesOf(A, false), casesOf(B, true), ...(third ? [casesOf(C, false)] : [])];
  const runs: string[] = [];
  for (const [at, cases] of all.entries()) runs.push((await scored(`${name}-${at}`, cases, { set })).folder);
  const comparison = await compareRuns(runs);
  const pieces: (string | Uint8Array)[] = [];
  await buildReport(runs, { comparison, write: (piece) => void pieces.push(piece) });
  const { head, index } = openReport(
    pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece))).join(''),
  );
  return { comparison, head, index, table: caseTable(index, head) };
}

/** Counts of the filter chips, lengths of the lists behind them, and groups of the cells of both tabs. */
function groupsOf(table: CaseTable, run: number) {
  const counts = showCounts(table, run);
  const order = sortRows(table, { by: 'file', measure: null, reverse: false }, run);
  const cells = table.ids.map((_, row) => changeOf(table, run, row)?.change ?? null);
  return CASE_CHANGES.map((show) => {
    const listed = filterRows(table, order, { show }, run).length;
    const drawn = cells.filter((change) => change === show).length;
    return [show, counts[show], listed, drawn];
  });
}

function expectAgreement({ changes, moved, paired }: Comparison, table: CaseTable): void {
  for (const one of changes.systems) {
    expect(groupsOf(table, one.system)).toEqual(CASE_CHANGES.map((show) => [show, one[show], one[show], one[show]]));
    expect(CASE_CHANGES.reduce((sum, show) => sum + one[show], 0)).toBe(paired);
    const own = moved.filter(({ system }) => system === one.system);
    expect(own.reduce((sum, { difference }) => sum + difference, 0)).toBe(one.errors.other - one.errors.baseline);
    for (const { case: id, difference, change } of own)
      expect(changeOf(table, one.system, table.ids.indexOf(id))).toEqual({ size: difference, change });
    // The list sorted by change begins with what got worse most.
    const [first] = sortRows(table, { by: 'change', measure: null, reverse: false }, one.system);
    const worst = own.filter(({ change }) => change === 'worse');
    expect(worst.map((row) => row.difference)[0]).toBe(changeOf(table, one.system, first!)?.size);
  }
}

describe('terminal, JSON and the tabs Cases and By system', () => {
  it('have one definition of what changed, where F1 would say something else', async () => {
    const { comparison, table } = await compared('changes', []);
    expect(comparison.changes).toEqual({
      by: null,
      systems: [{ system: 1, worse: 2, better: 1, others: 2, unchanged: 1, errors: { baseline: 16, other: 18 } }],
    });
    expect(comparison.moved.map(({ case: id, baseline, other }) => [id, baseline, other])).toEqual([
      ['c04', 1, 4],
      ['c03', 3, 1],
      ['c02', 4, 5],
    ]);
    expectAgreement(comparison, table);
    // The seventh failed in the other run: it is in no group.
    expect(changeOf(table, 1, 6)).toBeNull();
    const text = renderTerminal(comparisonDocument(comparison), makeStyle());
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '2 more errors · 1 fewer errors · 2 as many, others · 1 unchanged 16 → 18 errors',
    );
    expect(text).toMatch(/c04 +1 +4 +3 more +▼ worse/);
  });

  it('agree if failed cases count as empty answers, and of three systems', async () => {
    const { comparison, table } = await compared('empty', ['data.failed=empty'], true);
    // Four missed where two were: the seventh is compared too.
    expect(comparison).toMatchObject({ paired: 7, changes: { systems: [{ worse: 3 }, { worse: 7, better: 0 }] } });
    expectAgreement(comparison, table);
    expect(changeOf(table, 1, 6)).toEqual({ size: 2, change: 'worse' });
  });

  it('agree with the baseline swapped', async () => {
    const { comparison, head, index } = await compared('swapped', []);
    const swapped = swappedComparison(comparison);
    const table = caseTable(
      { ...index, runs: index.runs.toReversed() },
      { ...head, comparison: swapped, runs: head.runs.toReversed() },
    );
    expect(swapped.changes.systems).toMatchObject([{ worse: 1, better: 2, errors: { baseline: 18, other: 16 } }]);
    expectAgreement(swapped, table);
  });
});
