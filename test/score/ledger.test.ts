import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Item, makeItem } from '../../src/data/item.ts';
import { fileSource } from '../../src/data/source.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { presetNames, presetTask } from '../../src/recipe/presets.ts';
import { caseReader, planOfCases } from '../../src/formats/case-formats.ts';
import { idInFiles, ledgerRecord, ledgerRecordShape, ledgerVerdicts } from '../../src/score/ledger.ts';
import { readCaseResults, readLedger, readLedgerCases } from '../../src/score/run-file.ts';
import { makeCaseScorer } from '../../src/score/score-case.ts';
import { offsetMap, type OffsetMap } from '../../src/text/offsets.ts';
import { temporaryFolder, verdict, writeRun } from '../report/made-up-run.ts';
import { runsHere } from '../many-runs.ts';
import { anyVerdict, TEXT } from './any-verdict.ts';

const counts = { hit: 1, missed: 0, spurious: 0, excused: 0 };
const LEDGER = [
  verdict({ verdict: 'hit', case: 'a', gold: { index: 0, label: 'LOC', text: 'x', start: 1, end: 2 } }),
  verdict({ verdict: 'missed', case: 'b "q"\\' }),
  verdict({ verdict: 'excused', case: 'a', scheme: 'token', weight: 3 }),
];

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) out.push(item);
  return out;
}

describe('readLedger', () => {
  it('gives every verdict in order, unknown fields kept', async () => {
    const folder = writeRun({}, [], [...LEDGER, { ...LEDGER[0]!, later: true }]);
    expect(await all(readLedger(folder))).toEqual([...LEDGER, { ...LEDGER[0], later: true }]);
  });

  it('gives those of the named cases, whatever is in their ids', async () => {
    const folder = writeRun({}, [], LEDGER);
    expect(await all(readLedger(folder, new Set(['b "q"\\'])))).toEqual([LEDGER[1]]);
    expect(await all(readLedger(folder, new Set(['a'])))).toEqual([LEDGER[0], LEDGER[2]]);
    expect(await all(readLedger(folder, new Set()))).toEqual([]);
  });

  it('finds a case whose id does not stand first in its line', async () => {
    const folder = writeRun({}, [], []);
    const { case: id, ...rest } = LEDGER[0]!;
    writeFileSync(join(folder, 'ledger.jsonl'), `${JSON.stringify({ ...rest, case: id })}\n`);
    expect(await all(readLedger(folder, new Set(['a'])))).toEqual([LEDGER[0]]);
  });

  it('names the line that is broken, and looks only at those it was asked for', async () => {
    const folder = writeRun({}, [], LEDGER);
    appendFileSync(join(folder, 'ledger.jsonl'), '{"case":"z","verdict":"maybe"}\n');
    await expect(all(readLedger(folder))).rejects.toThrow(/ledger\.jsonl:4: /);
    expect(await all(readLedger(folder, new Set(['a'])))).toHaveLength(2);
  });

  it('says when there is no ledger', async () => {
    const folder = writeRun({}, [], LEDGER);
    rmSync(join(folder, 'ledger.jsonl'));
    await expect(all(readLedger(folder))).rejects.toThrow('this file of the run is missing');
    await expect(all(readLedger(temporaryFolder()))).rejects.toThrow('is not a run: it has no manifest.json');
  });
});

describe('readCaseResults', () => {
  it('gives what each case added up to', async () => {
    const folder = writeRun(
      {},
      [
        { case: 'a', counts, measures: { f1: null } },
        { case: 'b', counts, answered: false },
      ],
      [],
    );
    expect(await all(readCaseResults(folder))).toEqual([
      { case: 'a', counts, measures: { f1: null } },
      { case: 'b', counts, measures: {}, answered: false },
    ]);
  });
});

describe('idInFiles', () => {
  it('is what a variant was made from, never a part of its id', () => {
    expect(idInFiles({ case: 'a (hi)', from: 'a' })).toBe('a');
    expect(idInFiles({ case: 'ann@example.org' })).toBe('ann@example.org');
    expect(idInFiles({ case: 'ann@example.org', cluster: 'north' })).toBe('ann@example.org');
  });

  it('is the cluster of `id@variant` in runs scored before there was `from`', () => {
    expect(idInFiles({ case: 'a@b@x.org', cluster: 'a' })).toBe('a');
  });
});

describe('readLedgerCases', () => {
  const CASES = [
    { case: 'a', counts },
    { case: 'b', counts },
  ];

  it('gives each case with its lines, also one that has none', async () => {
    const ledger = [LEDGER[0]!, LEDGER[2]!];
    const cases = await all(readLedgerCases(writeRun({}, CASES, ledger)));
    expect(cases.map(({ result, records }) => [result.case, records])).toEqual([
      ['a', ledger],
      ['b', []],
    ]);
  });

  it('refuses a ledger that is not in the order of the cases', async () => {
    const folder = writeRun({}, CASES, [
      verdict({ verdict: 'hit', case: 'b' }),
      verdict({ verdict: 'hit', case: 'a' }),
    ]);
    await expect(all(readLedgerCases(folder))).rejects.toThrow(
      'the ledger is not in the order of cases.jsonl, from case "a" on',
    );
  });
});

const write = (verdicts: readonly Verdict[], offsets: OffsetMap | null): string[] =>
  verdicts.map((one) => JSON.stringify(ledgerRecord(one, offsets)));
const read = (lines: readonly string[], offsets: OffsetMap | null): Verdict[] =>
  ledgerVerdicts(
    lines.map((line) => ledgerRecordShape.parse(JSON.parse(line))),
    'ledger.jsonl',
    offsets,
  );

/** The line of the file that an item came from is for messages while it is read, and not in the ledger. */
function withoutLines(verdicts: readonly Verdict[]): Verdict[] {
  const bare = (item: Item | null): Item | null => (item === null ? null : { ...item, line: 0 });
  return verdicts.map((one) => ({
    ...one,
    gold: bare(one.gold),
    predicted: bare(one.predicted),
    rejected: one.rejected === null ? null : { ...one.rejected, item: bare(one.rejected.item)! },
  }));
}

function expectNothingLost(verdicts: readonly Verdict[], offsets: OffsetMap | null): void {
  const lines = write(verdicts, offsets);
  const again = read(lines, offsets);
  expect(again).toEqual(withoutLines(verdicts));
  expect(write(again, offsets)).toEqual(lines);
}

const FILES: Readonly<
  Record<string, readonly [cases: string | null, gold: string | null, predictions: string | null]>
> = {
  journal: ['journal/journals.jsonl', 'journal/gold.jsonl', 'journal/predictions.jsonl'],
  pii: ['pii/docs.json', null, null],
  graph: [null, 'graph/items.jsonl', 'graph/outputs.jsonl'],
  relations: [null, 'relations/gold.jsonl', 'relations/predictions.jsonl'],
  consult: ['consult/cases.csv', null, 'consult/plain.jsonl'],
};

describe('law: a verdict that is written and read is the same, and is written as the same bytes', () => {
  const presets = presetNames().filter((name) => Object.hasOwn(FILES, presetTask(name)));

  it.each(presets)('%s over its example', async (preset) => {
    const open = (name: string | null) =>
      name === null ? undefined : fileSource(new URL(`../../examples/${name}`, import.meta.url).pathname);
    const [cases, gold, predictions] = (FILES[preset.split('/')[0]!] ?? FILES[presetTask(preset)])!;
    const sources = { cases: open(cases), gold: open(gold), predictions: open(predictions) };
    const plan = await planOfCases(sources, await planRecipe(preset));
    const score = makeCaseScorer(plan);
    for await (const given of caseReader(sources, plan))
      for (const { case: scored, verdicts } of score(given)) expectNothingLost(verdicts, scored.offsets);
  });

  it('whatever it holds', () => {
    const offsets = offsetMap(TEXT, 'codepoint');
    fc.assert(
      fc.property(fc.array(anyVerdict, { maxLength: 4 }), fc.boolean(), (verdicts, inCodePoints) => {
        expectNothingLost(verdicts, inCodePoints ? offsets : null);
      }),
      { seed: 42, numRuns: runsHere(300) },
    );
  });

  it('with the candidate that came closest, which another line of the case holds in full', () => {
    const gold = makeItem({ kind: 'span', index: 0, label: 'A', text: 'Zoë', start: 0, end: 3, annotator: 'ann' });
    const other = makeItem({ kind: 'span', index: 0, label: 'B', text: 'Bo', start: 11, end: 13, fields: { sure: 1 } });
    const base = { case: 'a', scheme: null, kind: 'span' as const, rule: 'no-match' };
    const rejected = (item: Item) => ({ item, similarity: 0.25, why: 'too far' });
    expectNothingLost(
      [
        makeVerdict({ ...base, verdict: 'missed', label: 'A', gold, rejected: rejected(other) }),
        makeVerdict({ ...base, verdict: 'spurious', label: 'B', predicted: other, rejected: rejected(gold) }),
      ],
      null,
    );
  });

  it('a number that JSON cannot hold is refused', () => {
    const base = { case: 'a', scheme: null, kind: 'span' as const, verdict: 'hit' as const, rule: 'r', label: 'A' };
    for (const similarity of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => ledgerRecord(makeVerdict({ ...base, similarity }), null)).toThrow(RangeError);
  });
});
