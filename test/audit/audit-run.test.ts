import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import type { CaseSources } from '../../src/data/read-cases.ts';
import { fileSource } from '../../src/data/source.ts';
import { openCaseTexts } from '../../src/report/case-texts.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { auditRun } from '../../src/audit/audit-run.ts';
import { AuditWatch } from '../../src/audit/audit-watch.ts';
import type { Audit } from '../../src/audit/finding.ts';
import { consultReader, readConsultFiles } from '../../src/formats/consult/consult-reader.ts';
import { readRun } from '../../src/score/run-file.ts';
import { scoreToFolder } from '../../src/score/score-to-folder.ts';
import { withoutHashes } from '../report/made-up-run.ts';
import { readerOf } from './audited.ts';
import { cleanStreams } from './clean-sets.ts';
import { spanCase, STRICT } from './made-items.ts';

const parent = mkdtempSync(join(tmpdir(), 'assay-audit-run-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
let next = 0;

const example = (file: string) => fileSource(join(import.meta.dirname, '../../examples', file));
type Reader = Parameters<typeof scoreToFolder>[1];

/** The audit that looked on, and the one of the folder with the texts read again. */
async function bothWays(
  recipe: string | object,
  input: Reader,
  set: readonly string[] = [],
): Promise<{ watched: Audit; again: Audit; out: string }> {
  const plan = await planRecipe(recipe, ['interval.resamples=200', ...set]);
  const watch = new AuditWatch(plan);
  const out = join(parent, String((next += 1)));
  const watched = await watch.finish(await scoreToFolder(plan, input, { out, sink: watch.sink }));
  const run = await readRun(out);
  const texts = await openCaseTexts(run, null, null);
  const again = await auditRun(run, { texts });
  await texts.close();
  return { watched, again, out };
}

const JOURNALS: CaseSources = {
  cases: example('journal/journals.jsonl'),
  gold: example('journal/gold.jsonl'),
  predictions: example('journal/predictions.jsonl'),
};

describe('an audit from the folder is the one that was made while scoring', () => {
  test.each<[string, () => CaseSources]>([
    ['journal/ashwam', () => JOURNALS],
    ['pii/strict', () => ({ cases: example('pii/docs.json') })],
    ['pii/piranha', () => ({ cases: example('pii/docs.json') })],
    ['pii/piranha-as-coded', () => ({ cases: example('pii/docs.json') })],
    ['pii/every-scheme', () => ({ cases: example('pii/docs.json') })],
    ['pii/tab', () => ({ cases: example('pii/docs.json') })],
    ['pii/token', () => ({ gold: example('pii/gold.jsonl'), predictions: example('pii/predictions.jsonl') })],
    ['graph/openspec', () => ({ cases: example('graph/items.jsonl'), predictions: example('graph/outputs.jsonl') })],
    ['graph/as-coded', () => ({ cases: example('graph/items.jsonl'), predictions: example('graph/outputs.jsonl') })],
  ])('%s', async (recipe, sources) => {
    const { watched, again } = await bothWays(recipe, sources());
    expect(watched.findings.length).toBeGreaterThan(0);
    expect(again).toEqual(watched);
  });

  test('consultations', async () => {
    const plan = await planRecipe('consult/ayurmind', ['slice=[label]']);
    const [files] = await readConsultFiles(
      example('consult/cases.csv'),
      [{ system: 'guided', source: example('consult/guided.jsonl') }],
      plan,
    );
    const { watched, again } = await bothWays('consult/ayurmind', consultReader(files!, plan), ['slice=[label]']);
    expect(again).toEqual(watched);
  });

  test('streams', async () => {
    const { watched, again } = await bothWays('stream/exaid', readerOf(cleanStreams(12, 7)));
    expect(again).toEqual(watched);
  });

  test('offsets in other units than UTF-16 mark the same words', async () => {
    const spans = (label: string) => [{ start: 2, end: 6, label, text: 'Anna' }];
    const gold = join(parent, 'gold.jsonl');
    const predictions = join(parent, 'predictions.jsonl');
    writeFileSync(gold, `${JSON.stringify({ id: 'a', text: '🙂 Anna', spans: spans('PERSON') })}\n`);
    writeFileSync(predictions, `${JSON.stringify({ id: 'a', spans: spans('LOC') })}\n`);
    const { watched, again } = await bothWays('pii/strict', {
      gold: fileSource(gold),
      predictions: fileSource(predictions),
    });
    expect(again).toEqual(watched);
  });
});

describe('a run folder', () => {
  test('without texts is audited all the same, and the checks that need them say so', async () => {
    const { out } = await bothWays('journal/ashwam', JOURNALS);
    const { checks, findings } = await auditRun(out);
    expect(
      checks.filter(({ skipped }) => skipped === 'the texts of the cases were not at hand').map(({ name }) => name),
    ).toContain('duplicate-cases');
    expect(findings.map(({ name }) => name)).toContain('ungrounded-quotes');
  });

  test('whose ledger was changed is refused', async () => {
    const { out } = await bothWays(STRICT, readerOf([spanCase('a', ['A 0'], ['A 0'])]));
    withoutHashes(out);
    const { readFileSync } = await import('node:fs');
    const ledger = readFileSync(join(out, 'ledger.jsonl'), 'utf8');
    writeFileSync(join(out, 'ledger.jsonl'), ledger.replace('"verdict":"hit"', '"verdict":"missed"'));
    await expect(auditRun(out)).rejects.toThrow('case "a" has 0 hit in the ledger, but 1 in cases.jsonl');
  });

  test('is audited with the gate that lies beside it', async () => {
    const inner = join(parent, 'gated', 'run');
    const plan = await planRecipe(STRICT, ['interval=off']);
    await scoreToFolder(plan, readerOf([spanCase('a', ['A 0'], ['A 0'])]), { out: inner });
    writeFileSync(join(parent, 'gated', 'gate.yaml'), 'rules: [{ measure: f1, atLeast: 0 }]\n');
    const { findings } = await auditRun(inner);
    expect(findings.map(({ name, severity }) => `${severity} ${name}`)).toContain('error gate-cannot-fail');
  });

  test('is compared with others as their baseline', async () => {
    const first = join(parent, 'first');
    const second = join(parent, 'second');
    const cases = [spanCase('a', ['A 0'], ['A 0'])];
    await scoreToFolder(await planRecipe(STRICT, ['interval=off']), readerOf(cases), { out: first });
    await scoreToFolder(await planRecipe(STRICT, ['interval=off', 'pair.gate=[]']), readerOf(cases), { out: second });
    const { findings } = await auditRun(first, { others: [second] });
    expect(findings[0]).toMatchObject({ name: 'different-signatures', severity: 'error', subjects: ['second'] });
  });
});

test('training cases are read again each time they are asked for', async () => {
  const { trainCases } = await import('../../src/audit/audit-run.ts');
  const { out } = await bothWays('journal/ashwam', JOURNALS);
  const train = trainCases([join(import.meta.dirname, '../../examples/journal/journals.jsonl')], await readRun(out));
  for (let round = 0; round < 2; round += 1) expect(await Array.fromAsync(train)).toHaveLength(8);
  expect((await Array.fromAsync(train))[0]).toMatchObject({ id: 'D01', file: 'journals.jsonl' });
});
