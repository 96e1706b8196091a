import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { writeCorpus } from '../../bench/corpus.ts';
import { fileSource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { caseShape } from '../../src/measure/results.ts';
import { readLedger } from '../../src/score/run-file.ts';
import type { Run } from '../../src/score/run.ts';
import { scoreToFolder } from '../../src/score/score-to-folder.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function rows<T>(file: string, schema: z.ZodType<T>): T[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));
}

const overall = (run: Run, name: string) =>
  run.measures.measures.find((measure) => measure.name === name && Object.keys(measure.slice).length === 0);

describe('a run folder', () => {
  it('holds a ledger whose lines add up to every count and measure', async () => {
    const out = join(folder, 'pii');
    const run = await scoreToFolder(
      await planRecipe('pii/piranha'),
      { cases: fileSource(join(examples, 'pii/docs.json')) },
      { out },
    );
    const ledger = await Array.fromAsync(readLedger(out));
    const count = (verdict: string): number => ledger.filter((line) => line.verdict === verdict).length;
    expect(overall(run, 'precision')?.value).toBe(count('hit') / (count('hit') + count('spurious')));
    expect(overall(run, 'recall')?.value).toBe(count('hit') / (count('hit') + count('missed')));
    expect(overall(run, 'precision')?.n).toBe(count('hit') + count('spurious'));
    for (const { rule, verdict, label, n } of run.measures.rules) {
      expect(
        ledger.filter((line) => line.rule === rule && line.verdict === verdict && line.label === label),
      ).toHaveLength(n);
    }
    for (const { case: id, counts } of rows(join(out, 'cases.jsonl'), caseShape)) {
      const own = ledger.filter((line) => line.case === id);
      for (const verdict of ['hit', 'missed', 'spurious', 'excused'] as const)
        expect(own.filter((line) => line.verdict === verdict)).toHaveLength(counts[verdict]);
    }
    expect(run.manifest.outputs['ledger.jsonl']).toEqual({ rows: ledger.length });
  });

  it('writes offsets in the unit of the files: the span after an emoji is where the document says', async () => {
    const out = join(folder, 'emoji');
    await scoreToFolder(
      await planRecipe('pii/strict'),
      { cases: fileSource(join(examples, 'pii/docs.json')) },
      { out },
    );
    const documents = z
      .array(z.object({ doc_id: z.string(), text: z.string() }))
      .parse(JSON.parse(readFileSync(join(examples, 'pii/docs.json'), 'utf8')));
    const texts = new Map(documents.map((document) => [document.doc_id, [...document.text]]));
    const placed = (await Array.fromAsync(readLedger(out))).flatMap(({ case: id, gold }) =>
      gold === undefined ? [] : [{ id, gold }],
    );
    expect(placed).toHaveLength(77);
    for (const { id, gold } of placed) expect(texts.get(id)?.slice(gold.start, gold.end).join('')).toBe(gold.text);
  });

  it('names no time, host or folder outside timing.json', async () => {
    const out = join(folder, 'clean');
    await scoreToFolder(
      await planRecipe('journal/ashwam'),
      {
        cases: fileSource(join(examples, 'journal/journals.jsonl')),
        gold: fileSource(join(examples, 'journal/gold.jsonl')),
        predictions: fileSource(join(examples, 'journal/predictions.jsonl')),
      },
      { out },
    );
    const others = readdirSync(out).filter((name) => name !== 'timing.json');
    for (const name of others) expect(readFileSync(join(out, name), 'utf8')).not.toContain(folder);
    expect(readFileSync(join(out, 'manifest.json'), 'utf8')).not.toContain(examples);
  });

  it('gives one pass over many schemes the same figures as each preset alone', async () => {
    const corpus = join(folder, 'corpus.jsonl');
    writeCorpus(corpus, 60);
    const scored = async (preset: string): Promise<Run> =>
      scoreToFolder(await planRecipe(preset), { cases: fileSource(corpus) }, { out: join(folder, 'scheme') });
    const all = await scored('pii/every-scheme');
    const alone = {
      exact: 'pii/exact',
      type: 'pii/type',
      partial: 'pii/partial',
      'iou-0.5': 'pii/iou',
      token: 'pii/token',
      character: 'pii/character',
    };
    for (const [scheme, preset] of Object.entries(alone)) {
      const single = await scored(preset);
      for (const name of ['precision', 'recall', 'f1']) {
        const together = all.measures.measures.find(
          (measure) =>
            measure.name === name && measure.slice['scheme'] === scheme && measure.slice['label'] === undefined,
        );
        expect(together?.value, `${scheme} ${name}`).toBe(overall(single, name)?.value);
        expect(together?.value).toBeGreaterThan(0);
      }
    }
  });
});

it('cases from memory get a run folder too, with no input to name', async () => {
  const { makeCase, makeItem, score } = await import('assay');
  const item = makeItem({ kind: 'span', index: 0, label: 'X', text: 'ab', start: 0, end: 2 });
  const out = join(folder, 'memory');
  const result = await score('pii/strict', [makeCase({ id: 'one', text: 'abc', gold: [item], predicted: [item] })], {
    out,
  });
  expect(result.measures[0]).toMatchObject({ name: 'precision', value: 1, n: 1 });
  expect(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))).toMatchObject({
    inputs: [],
    outputs: { 'ledger.jsonl': { rows: 1 } },
  });
});
