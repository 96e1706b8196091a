import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { auditFolder } from '../../../src/report/audit-folder.ts';
import { reportFiles } from '../../../src/report/html/watch-report.ts';
import { AuditWatch } from '../../../src/audit/audit-watch.ts';
import type { Audit } from '../../../src/audit/finding.ts';
import { CeilingWatch } from '../../../src/figures/ceiling-counts.ts';
import { joinSinks } from '../../../src/score/score.ts';
import { scoreToFolder } from '../../../src/score/score-to-folder.ts';
import { scoreToRun } from '../../../src/score/score-to-folder.ts';
import { readerOf } from '../audited.ts';
import { spans, STRICT, times } from '../made-items.ts';

const parent = mkdtempSync(join(tmpdir(), 'assay-one-person-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const places = (n: number) => Array.from({ length: n }, (_, at) => `A ${10 * at}`);
const using = (use: string) => ({ ...STRICT, prepare: { annotator: use } });

/**
 * Twenty documents. The system marks the first four places, in every fourth document the first one only: 65 in all. Each
 * person marks as many of the places as is said, in some documents perhaps none.
 */
const annotated = (people: Readonly<Record<string, number | ((at: number) => number)>>): Case[] =>
  times(20, (at) =>
    makeCase({
      id: `d${at}`,
      gold: Object.entries(people).flatMap(([name, n]) =>
        spans(...places(typeof n === 'number' ? n : n(at))).map((item) => ({ ...item, annotator: name })),
      ),
      predicted: spans(...places(at % 4 === 0 ? 1 : 4)),
    }),
  );

async function audited(recipe: object, cases: readonly Case[]): Promise<Audit> {
  const plan = await planRecipe(recipe, ['interval.resamples=500']);
  const [watch, people] = [new AuditWatch(plan), new CeilingWatch(plan)];
  const run = await scoreToRun(plan, readerOf(cases), { sink: joinSinks([watch.sink, people.sink]) });
  return watch.finish(run, { ceiling: people.list() });
}

async function said(recipe: object, cases: readonly Case[]): Promise<string[]> {
  const { findings } = await audited(recipe, cases);
  return findings
    .filter(({ name }) => name === 'single-annotator-dependence')
    .map(({ severity, title, subjects }) => `${severity}: ${title} [${subjects.join()}]`);
}

describe('one person whose gold decides', () => {
  test('is the one it is taken from, where everybody else’s gives another value', async () => {
    // Ann: 20 hits, 45 spurious, 40 / 85. Bo and Cy: 65 hits, 15 missed, 130 / 145.
    const lazy = annotated({ ann: 1, bo: 4, cy: 4 });
    const warning = 'warning: With bo alone, f1 would be 0.897 instead of 0.471 [ann]';
    expect(await said(using('first'), lazy)).toEqual([warning]);
    expect(await said(using('ann'), lazy)).toEqual([warning]);
    const { findings } = await audited(using('first'), lazy);
    expect(findings.find(({ name }) => name === 'single-annotator-dependence')?.why).toContain(
      'With the gold of one of them alone f1 is 0.471 with ann, 0.897 with bo and 0.897 with cy.',
    );
  });

  test('is the one who marks what nobody else does, where all is united', async () => {
    // 24 of cy's a document: 65 hits, 415 missed, 130 / 545. A majority leaves them out.
    const wild = annotated({ ann: 4, bo: 4, cy: 24 });
    expect(await said(using('union'), wild)).toEqual([
      'warning: With ann alone, f1 would be 0.897 instead of 0.239 [cy]',
    ]);
    expect(await said(using('majority'), wild)).toEqual([]);
    expect(await said(using('first'), wild)).toEqual([]);
  });

  test('is nobody where people are a little apart, or several are', async () => {
    // Bo marks a fifth place in every other document: 65 hits, 25 missed, 130 / 155 = 0.839.
    expect(await said(using('first'), annotated({ ann: 4, bo: (at) => 4 + (at % 2) }))).toEqual([]);
    expect(await said(using('union'), annotated({ ann: 4, bo: 4, cy: 4 }))).toEqual([]);
    // Two of three are wild.
    expect(await said(using('union'), annotated({ ann: 4, bo: 24, cy: 24 }))).toEqual([]);
    // One is far below, one far above.
    expect(await said(using('ann'), annotated({ ann: 2, bo: 4, cy: 40 }))).toEqual([]);
  });

  test('is told over the cases that the other annotated', async () => {
    // Bo leaves two documents out that were answered in full. Bo: 57 hits, 15 missed, 114 / 129; ann 18 hits, 39
    // spurious, 36 / 75.
    expect(await said(using('first'), annotated({ ann: 1, bo: (at) => (at === 1 || at === 2 ? 0 : 4) }))).toEqual([
      'warning: With bo alone, f1 would be 0.884 instead of 0.480 over the 18 cases of 20 that they annotated [ann]',
    ]);
    // In nine of twenty documents is not enough.
    expect(await said(using('first'), annotated({ ann: 1, bo: 4, cy: (at) => (at < 9 ? 1 : 0) }))).toHaveLength(1);
    expect(await said(using('first'), annotated({ ann: 1, bo: (at) => (at < 4 ? 4 : 0) }))).toEqual([]);
  });

  test('is looked for by cases of each person where they are scored one by one', async () => {
    const { checks } = await audited(using('each'), annotated({ ann: 1, bo: 4 }));
    expect(checks.find(({ name }) => name === 'single-annotator-dependence')?.skipped).toBeNull();
    expect(await said(using('each'), annotated({ ann: 1, bo: 4 }))).toEqual([]);
  });

  test('is found again from the folder', async () => {
    const plan = await planRecipe(using('union'), ['interval.resamples=500']);
    const out = join(parent, 'run');
    let watched: Audit | null = null;
    await scoreToFolder(plan, readerOf(annotated({ ann: 4, bo: 4, cy: 24 })), {
      out,
      watch: reportFiles({ texts: 'off', onAudit: (audit) => (watched = audit) }),
    });
    const again = await auditFolder(out);
    expect(again.findings).toEqual(watched!.findings);
    expect(again.findings.map(({ name }) => name)).toContain('single-annotator-dependence');
  });
});
