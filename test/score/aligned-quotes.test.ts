import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { fileSource, readRun, score } from '../../src/index.ts';
import { makeVerdict } from '../../src/judge/verdict.ts';
import { hidingOf } from '../../src/report/html/hide-texts.ts';
import { ledgerRecordShape, ledgerVerdicts } from '../../src/score/ledger.ts';
import { readLedger } from '../../src/score/run-file.ts';
import { assayHere } from '../cli/assay-here.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const TEXT = 'Dr John Smith met Ann Lee (30) in Oslo.';
/** Quotes of a model, the words of the text there, and how they were found. */
const QUOTES = [
  // One edit of the ten letters of "John Smith".
  ['Jon Smith', 'John Smith', { status: 'fuzzy', ambiguous: false, similarity: 0.9, quote: 'Jon Smith' }],
  ['ANN  LEE', 'Ann Lee', { status: 'normalised', ambiguous: false, similarity: 1, quote: 'ANN  LEE' }],
  ['Oslo', 'Oslo', { status: 'exact', ambiguous: false, similarity: 1 }],
  ['Bergen', 'Bergen', { status: 'missing', ambiguous: false, similarity: 0 }],
] as const;

function scoredFolder(): string {
  const cwd = temporaryFolder();
  const gold = [
    { start: 3, end: 13, label: 'NAME' },
    { start: 18, end: 25, label: 'NAME' },
    { start: 34, end: 38, label: 'NAME' },
  ];
  writeFileSync(join(cwd, 'gold.jsonl'), `${JSON.stringify({ id: 'd', text: TEXT, spans: gold })}\n`);
  const spans = QUOTES.map(([text]) => ({ text, label: 'NAME' }));
  writeFileSync(join(cwd, 'predictions.jsonl'), `${JSON.stringify({ id: 'd', spans })}\n`);
  return cwd;
}

it.each(['jsonl', 'gzip', 'zstd', 'parquet'])(
  'a ledger keeps the words of a quote next to those of the text, with %j',
  async (format) => {
    const cwd = scoredFolder();
    const files = ['--gold', 'gold.jsonl', '--predictions', 'predictions.jsonl', '--out', 'run'];
    const { code, stderr } = await assayHere(['score', 'spans/strict', ...files, '--ledger', format], { cwd });
    expect(code, stderr).toBe(0);
    const run = await readRun(join(cwd, 'run'));
    const verdicts = await Array.fromAsync(run.verdicts({ case: 'd' }));
    const items = verdicts.flatMap(({ predicted }) =>
      predicted === undefined || predicted === null ? [] : [predicted],
    );
    expect(items.toSorted((a, b) => a.index - b.index).map(({ text, aligned }) => [text, aligned])).toEqual(
      QUOTES.map(([, words, aligned]) => [words, aligned]),
    );
    expect(verdicts.map(({ verdict }) => verdict).toSorted()).toEqual(['hit', 'hit', 'hit', 'spurious']);
  },
);

it('a verdict that was read from a ledger has the words of its quote', async () => {
  const cwd = scoredFolder();
  const files = ['--gold', 'gold.jsonl', '--predictions', 'predictions.jsonl', '--out', 'run'];
  expect((await assayHere(['score', 'spans/strict', ...files], { cwd })).code).toBe(0);
  const records = await Array.fromAsync(readLedger(join(cwd, 'run')));
  expect(records.map((record) => ledgerRecordShape.parse(record))).toEqual(records);
  const predicted = ledgerVerdicts(records, 'run', null).flatMap((verdict) => verdict.predicted ?? []);
  expect(predicted.toSorted((a, b) => a.index - b.index).map(({ aligned }) => aligned)).toEqual(
    QUOTES.map(([, , aligned]) => aligned),
  );
});

it('a program that scores files gets the words of a quote too', async () => {
  const cwd = scoredFolder();
  const [gold, predictions] = ['gold.jsonl', 'predictions.jsonl'].map((name) => fileSource(join(cwd, name)));
  const run = await score('spans/strict', { gold: gold!, predictions: predictions! }, { set: ['interval=off'] });
  const verdicts = await Array.fromAsync(run.verdicts());
  const predicted = verdicts.flatMap((verdict) => verdict.predicted ?? []);
  expect(predicted.toSorted((a, b) => a.index - b.index).map(({ aligned }) => aligned)).toEqual(
    QUOTES.map(([, , aligned]) => aligned),
  );
});

it.each(['redacted', 'none'] as const)('a report hides the words of a quote with texts: %s', (texts) => {
  const item = makeItem({ kind: 'span', index: 0, label: 'NAME', text: 'John Smith', start: 3, end: 13 });
  const predicted = { ...item, aligned: QUOTES[0][2] };
  const base = { case: 'd', scheme: null, kind: 'span', verdict: 'spurious', rule: 'no-match', label: 'NAME' } as const;
  const hidden = hidingOf(texts, new Set())!.verdict(makeVerdict({ ...base, predicted }));
  expect(hidden.predicted?.aligned).toEqual({ ...QUOTES[0][2], quote: texts === 'none' ? '' : '▒▒▒ ▒▒▒▒▒' });
});

it('the lines of a ledger have a quote only if it is not the words of the text', async () => {
  const cwd = scoredFolder();
  const files = ['--gold', 'gold.jsonl', '--predictions', 'predictions.jsonl', '--out', 'run'];
  expect((await assayHere(['score', 'spans/strict', ...files], { cwd })).code).toBe(0);
  const lines = readFileSync(join(cwd, 'run/ledger.jsonl'), 'utf8');
  expect([...lines.matchAll(/"quote":("[^"]*")/g)].map(([, quote]) => quote)).toEqual(['"Jon Smith"', '"ANN  LEE"']);
});
