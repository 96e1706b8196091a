import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { example, GRAPH, JOURNAL, PII, ROOT, temporaryFolder } from './run-assay.ts';

async function validator(name: string): Promise<ValidateFunction> {
  const done = await assayHere(['schema', name], { cwd: ROOT });
  expect(done.code).toBe(0);
  const schema: unknown = JSON.parse(done.stdout);
  if (typeof schema !== 'object' || schema === null) throw new Error('no schema');
  expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  return new Ajv2020({ strict: false }).compile(schema);
}

function lines(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

describe('assay schema', () => {
  it('lists rules, shapes, formats and similarities', async () => {
    const { stdout } = await assayHere(['schema'], { cwd: ROOT });
    for (const name of ['recipe', 'loc-in-org', 'merge', 'ledger', 'journal-items', 'consult-case', 'conll', 'jaccard'])
      expect(stdout).toContain(`  ${name}`);
  });

  it('describes the example files', async () => {
    const files = {
      'journal-case': 'journal/journals.jsonl',
      'journal-items': 'journal/gold.jsonl',
      spans: 'pii/gold.jsonl',
      'graph-item': 'graph/items.jsonl',
      'graph-output': 'graph/outputs.jsonl',
      'consult-answer': 'consult/guided.jsonl',
    };
    for (const [name, file] of Object.entries(files)) {
      const validate = await validator(name);
      for (const record of lines(example(file))) expect(validate(record) || validate.errors).toBe(true);
      expect(validate({ id: null, journal_id: null })).toBe(false);
    }
    const validate = await validator('annotated-document');
    const documents: unknown = JSON.parse(readFileSync(example('pii/docs.json'), 'utf8'));
    for (const record of Array.isArray(documents) ? documents : [])
      expect(validate(record) || validate.errors).toBe(true);
    const tables = { 'consult-case': 'consult/cases.csv', 'review-line': 'consult/reviews.csv' };
    for (const [name, file] of Object.entries(tables)) {
      const fits = await validator(name);
      const rows: unknown[] = parse(readFileSync(example(file), 'utf8'), { columns: true });
      expect(rows.length).toBeGreaterThan(5);
      for (const row of rows) expect(fits(row) || fits.errors).toBe(true);
      expect(fits({ id: '1', case_id: '1' })).toBe(false);
    }
  });

  it('describes the files of every run', async () => {
    const folder = temporaryFolder();
    const shapes = {
      ledger: await validator('ledger'),
      cases: await validator('cases'),
      measures: await validator('measures'),
      manifest: await validator('manifest'),
    };
    for (const call of [JOURNAL, PII, GRAPH]) {
      const quick = ['--set', 'interval.resamples=200', '--no-report'];
      await assayHere([...call, ...quick, '--out', join(folder, 'run')], { cwd: ROOT });
      for (const record of lines(join(folder, 'run/ledger.jsonl')))
        expect(shapes.ledger(record) || shapes.ledger.errors).toBe(true);
      for (const record of lines(join(folder, 'run/cases.jsonl')))
        expect(shapes.cases(record) || shapes.cases.errors).toBe(true);
      for (const name of ['measures', 'manifest'] as const) {
        const value: unknown = JSON.parse(readFileSync(join(folder, `run/${name}.json`), 'utf8'));
        expect(shapes[name](value) || shapes[name].errors).toBe(true);
      }
    }
  });
});
