import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { type CaseReader, readCases } from '../../src/data/read-cases.ts';
import { fileSource } from '../../src/data/source.ts';
import { type Plan, planRecipe } from '../../src/recipe/plan.ts';
import { auditRun } from '../../src/audit/audit-run.ts';
import { AuditWatch } from '../../src/audit/audit-watch.ts';
import { CONTENT_CHECKS } from '../../src/audit/checks.ts';
import type { Audit, Finding } from '../../src/audit/finding.ts';
import { consultReader, readConsultFiles } from '../../src/formats/consult/consult-reader.ts';
import { scoreToFolder } from '../../src/score/score-to-folder.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { measureStream } from '../../src/stream/measure/measure-stream.ts';
import type { ConceptExtractor } from '../../src/stream/concepts/extractor.ts';
import { noReference, referencePath } from './reference-data.ts';

/** The published concepts came from UMLS, which is not at hand: nothing is found, and nothing of it is looked at. */
const none: ConceptExtractor = {
  identity: { name: 'none', version: '1', settings: {}, knowledgeBase: null, stoplist: null },
  extract: () => Promise.resolve([]),
};

const CONTENT: ReadonlySet<string> = new Set(CONTENT_CHECKS.map(({ name }) => name));

const out = mkdtempSync(join(tmpdir(), 'assay-audit-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

async function audited(plan: Plan, reader: CaseReader): Promise<Audit> {
  const watch = new AuditWatch(plan);
  return watch.finish(await scoreToRun(plan, reader, { sink: watch.sink }));
}

/** What the checks on contents found. */
function content({ findings }: Audit): Finding[] {
  return findings.filter(({ name }) => CONTENT.has(name));
}

function said(audit: Audit): string[] {
  return content(audit).map(({ name, severity }) => `${name} ${severity}`);
}

describe.skipIf(noReference)('journals', () => {
  const journal = async (predictions: string): Promise<Audit> => {
    const file = (name: string): ReturnType<typeof fileSource> => fileSource(referencePath(`journal/${name}.jsonl`));
    const plan = await planRecipe('journal/ashwam', ['interval=off']);
    return audited(
      plan,
      readCases({ cases: file('journals'), gold: file('gold'), predictions: file(predictions) }, plan.data),
    );
  };

  test('the copied gold is found', async () => {
    const [found, ...more] = content(await journal('copied_gold_predictions'));
    expect(more).toEqual([]);
    expect(found).toMatchObject({ name: 'copied-gold', severity: 'error', cases: { total: 10 }, items: { total: 50 } });
    expect(found?.title).toContain(
      'All 10 cases with 50 items have predictions equal to gold, 9 of them in the same order',
    );
  });

  test('few exact hits and weak predictions are no copies', async () => {
    expect(said(await journal('sample_predictions'))).toEqual([]);
    expect(said(await journal('weak_predictions'))).toEqual([]);
  });
});

describe.skipIf(noReference)('consultations', () => {
  test('the placeholder answers are found, and the answers of the two real systems are not called that', async () => {
    const plan = await planRecipe('consult/ayurmind', ['interval=off']);
    const systems = ['vanilla_llm', 'single_agent_rag', 'ayurmind'];
    const files = await readConsultFiles(
      fileSource(referencePath('consult/evaluation_cases.csv')),
      systems.map((system) => ({ system, source: fileSource(referencePath(`consult/results_${system}.jsonl`)) })),
      plan,
    );
    const found: Record<string, string[]> = {};
    for (const own of files) found[own.system] = said(await audited(plan, consultReader(own, plan)));
    expect(found).toEqual({ vanilla_llm: ['repeated-answers error'], single_agent_rag: [], ayurmind: [] });
  });
});

describe.skipIf(noReference)('court cases', () => {
  test('hits on labels whose misses are excused, in the published result', async () => {
    const plan = await planRecipe('pii/piranha-as-coded', ['interval=off']);
    const source = fileSource(referencePath('pii/tab_piranha_10.json'));
    const audit = await audited(plan, readCases({ cases: source }, plan.data));
    expect(audit.findings.filter(({ name }) => name === 'excused-hits').map(({ severity }) => severity)).toEqual([
      'error',
    ]);
    expect(said(audit)).toEqual([]);
  });
});

describe.skipIf(noReference)('streams, from the ledger alone', () => {
  const variants = async (as: 'space' | 'concat'): Promise<Map<string, Audit>> => {
    const folder = join(out, as);
    const measured = await measureStream({
      traces: referencePath('stream/traces'),
      runs: referencePath('stream/runs'),
      variants: null,
      extractor: none,
      out: folder,
      set: [`stream.join=${as}`, 'interval=off'],
    });
    return new Map(
      await Promise.all(measured.map(async ({ variant }) => [variant, await auditRun(join(folder, variant))] as const)),
    );
  };

  test('the fallback timestamps of V1 and of no other; nothing is shredded as deltas came', async () => {
    const audits = await variants('concat');
    expect([...audits].map(([variant, audit]) => [variant, said(audit)])).toEqual([
      ['V0', []],
      // V1 has no flushes: its times are in the log, and no measure reads them.
      ['V1', ['fallback-timestamps warning']],
      ['V2', []],
      ['V3', []],
      ['V4', []],
    ]);
    const [v1] = content(audits.get('V1')!);
    expect(v1?.title).toContain('64 of 64 records (100 %)');
    expect(v1?.cases.total).toBe(8);
  });

  test('the words that a space between deltas shreds', async () => {
    const audits = await variants('space');
    for (const audit of audits.values()) expect(said(audit)[0]).toBe('split-words error');
    const [found] = content(audits.get('V0')!);
    expect(found?.cases.total).toBe(8);
    expect(found?.items.shown.some(({ text }) => /^[Ss]pin oc ere bell ar$/.test(text))).toBe(true);
  });

  test('a run that is read again is found the same fault with as while it was scored', async () => {
    const plan = await planRecipe('journal/ashwam', ['interval=off']);
    const file = (name: string): ReturnType<typeof fileSource> => fileSource(referencePath(`journal/${name}.jsonl`));
    const watch = new AuditWatch(plan);
    const folder = join(out, 'journal');
    const run = await scoreToFolder(
      plan,
      { cases: file('journals'), gold: file('gold'), predictions: file('copied_gold_predictions') },
      { out: folder, sink: watch.sink },
    );
    expect(content(await auditRun(folder))).toEqual(content(await watch.finish(run)));
  });
});
