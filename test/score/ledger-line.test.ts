import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeCase } from '../../src/data/case.ts';
import { type Item, makeItem } from '../../src/data/item.ts';
import { fileSource } from '../../src/data/source.ts';
import { caseReader, planOfCases } from '../../src/formats/case-formats.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { presetNames, presetTask } from '../../src/recipe/presets.ts';
import { ledgerRecord, type LedgerRecord } from '../../src/score/ledger.ts';
import { quoted } from '../../src/score/ledger-line.ts';
import { expandLines, isLedgerLine, type LedgerLine, ledgerLine } from '../../src/score/ledger-reader.ts';
import { type JudgedCase, ledgerLayout, ledgerLines } from '../../src/score/ledger-writer.ts';
import type { LedgerLayout } from '../../src/score/run.ts';
import { makeCaseScorer } from '../../src/score/score-case.ts';
import { Scoring } from '../../src/score/score.ts';
import { offsetMap } from '../../src/text/offsets.ts';
import { runsHere } from '../many-runs.ts';
import { anyVerdict, TEXT } from './any-verdict.ts';

/** What a ledger is: each verdict by itself, those of the recipe's own pairing first. */
function plainRecords({ verdicts, schemes, case: { offsets } }: JudgedCase): LedgerRecord[] {
  const all = [{ verdicts }, ...schemes].flatMap((own) => own.verdicts);
  return all.map((verdict) => ledgerRecord(verdict, offsets));
}

const parse = (line: string): LedgerLine => {
  const value: unknown = JSON.parse(line);
  if (!isLedgerLine(value)) throw new Error(`no line: ${line}`);
  expect(ledgerLine.parse(value)).toEqual(value);
  return value;
};

/** Bytes are compared too: the order of the keys shows in what is printed as JSON. */
function expectNothingLost(layout: LedgerLayout, judged: JudgedCase): string[] {
  const lines = ledgerLines(layout, judged);
  for (const line of lines) expect(line).toBe(`${JSON.stringify(JSON.parse(line))}\n`);
  const again = expandLines(lines.map(parse), layout, 'ledger.jsonl');
  expect(again.map((record) => JSON.stringify(record))).toEqual(
    plainRecords(judged).map((record) => JSON.stringify(record)),
  );
  return lines;
}

const example = (name: string) => fileSource(new URL(`../../examples/${name}`, import.meta.url).pathname);
const EXAMPLES = {
  pii: { cases: example('pii/docs.json') },
  journal: {
    cases: example('journal/journals.jsonl'),
    gold: example('journal/gold.jsonl'),
    predictions: example('journal/predictions.jsonl'),
  },
  graph: { gold: example('graph/items.jsonl'), predictions: example('graph/outputs.jsonl') },
  relations: { gold: example('relations/gold.jsonl'), predictions: example('relations/predictions.jsonl') },
};

describe('law: lines expand to the verdicts that were written', () => {
  const presets = presetNames().flatMap((name) => {
    const task = name.startsWith('relations/') ? 'relations' : presetTask(name);
    return task === 'pii' || task === 'journal' || task === 'graph' || task === 'relations'
      ? [[name, task] as const]
      : [];
  });

  it.each(presets)('%s over its example', async (preset, task) => {
    const plan = await planOfCases(EXAMPLES[task], await planRecipe(preset));
    const layout = ledgerLayout(plan);
    const scoring = new Scoring(plan);
    for await (const given of caseReader(EXAMPLES[task], plan))
      for (const variant of scoring.add(given).variants) expectNothingLost(layout, variant);
  });

  const span = fc.record({
    start: fc.nat(11),
    length: fc.integer({ min: 1, max: 5 }),
    label: fc.constantFrom('A', 'B', 'B "x"', '\ud800'),
    fields: fc.option(fc.constant({ sure: 0.5 })),
  });
  const itemsOf = (spans: readonly { start: number; length: number; label: string; fields: object | null }[]): Item[] =>
    spans.map(({ start, length, label, fields }, index) => {
      const end = Math.min(TEXT.length, start + length);
      const place = { start: Math.min(start, end - 1), end };
      const text = TEXT.slice(place.start, place.end);
      const item = makeItem({
        kind: 'span',
        index,
        label,
        text,
        ...place,
        ...(fields === null ? {} : { fields: { ...fields } }),
      });
      // Some are in pieces: the first and the last character.
      if (length < 4 || fields !== null) return item;
      const fragments = [
        { start: place.start, end: place.start + 1 },
        { start: end - 1, end },
      ];
      return { ...item, text: `${text.slice(0, 1)} ${text.slice(-1)}`, fragments };
    });

  it.each(['pii/semeval', 'pii/every-scheme'])('%s over spans in any order, with failed cases', async (preset) => {
    const more = { prepare: { drop: { labels: ['B'] } } };
    for (const recipe of [{ extends: preset }, { extends: preset, ...more }]) {
      const plan = await planRecipe(recipe);
      const layout = ledgerLayout(plan);
      const score = makeCaseScorer(plan);
      fc.assert(
        fc.property(
          fc.array(span, { maxLength: 8 }),
          fc.array(span, { maxLength: 8 }),
          fc.boolean(),
          (gold, found, fails) => {
            const given = makeCase({
              id: 'a "1"',
              text: TEXT,
              gold: itemsOf(gold),
              predicted: itemsOf(found),
              offsets: offsetMap(TEXT, 'utf16'),
              ...(fails ? { failed: 'crashed' } : {}),
            });
            const [own, ...schemes] = score(given);
            expectNothingLost(layout, { case: own!.case, verdicts: own!.verdicts, schemes });
          },
        ),
        { seed: 7, numRuns: runsHere(300) },
      );
    }
  });

  it('whatever the verdicts hold and whichever schemes share lines', () => {
    const lists = fc.array(fc.array(anyVerdict, { maxLength: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lists, fc.nat(2), fc.boolean(), ([own, ...others], apart, inCodePoints) => {
        const names = others.map((_, at) => `s${at}`);
        const as = (list: readonly Verdict[], scheme: string | null): Verdict[] =>
          list.map((verdict) => ({ ...verdict, case: 'a', scheme }));
        const given = makeCase({ id: 'a', text: TEXT, offsets: inCodePoints ? offsetMap(TEXT, 'codepoint') : null });
        expectNothingLost(
          { kind: 'span', schemes: names, apart: names.slice(apart) },
          {
            case: given,
            verdicts: as(own!, null),
            schemes: others.map((list, at) => ({ case: given, scheme: names[at]!, verdicts: as(list, names[at]!) })),
          },
        );
      }),
      { seed: 11, numRuns: runsHere(300) },
    );
  });

  it('also where user code shuffles, drops or repeats verdicts of a scheme', async () => {
    const plan = await planRecipe('pii/semeval');
    const layout = ledgerLayout(plan);
    const score = makeCaseScorer(plan);
    const change = fc.tuple(fc.nat(4), fc.constantFrom('swap', 'drop', 'repeat', 'relabel', 'copy'), fc.nat(9));
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 6 }),
        fc.array(span, { maxLength: 6 }),
        change,
        (gold, found, [which, how, at]) => {
          const given = makeCase({ id: 'a', text: TEXT, gold: itemsOf(gold), predicted: itemsOf(found) });
          const [own, ...schemes] = score(given).map((list, place) =>
            place === which ? { ...list, verdicts: changed(list.verdicts, how, at) } : list,
          );
          expectNothingLost(layout, { case: own!.case, verdicts: own!.verdicts, schemes });
        },
      ),
      { seed: 13, numRuns: runsHere(500) },
    );
  });
});

function changed(verdicts: readonly Verdict[], how: string, at: number): readonly Verdict[] {
  const own = verdicts[at];
  if (own === undefined) return verdicts;
  if (how === 'swap') return verdicts.toSpliced(at, 1).toSpliced(0, 0, own);
  if (how === 'drop') return verdicts.toSpliced(at, 1);
  if (how === 'repeat') return verdicts.toSpliced(at, 0, own);
  if (how === 'relabel') return verdicts.with(at, { ...own, label: 'other' });
  return verdicts.with(at, { ...own, gold: own.gold && { ...own.gold, text: 'copy' } });
}

describe('a line', () => {
  const gold = (index: number, label: string, start: number, end: number, text: string): Item =>
    makeItem({ kind: 'span', index, label, text, start, end });
  const [bo, ann, boAsOrg] = [gold(0, 'PER', 0, 2, 'Bo'), gold(1, 'PER', 7, 10, 'Ann'), gold(0, 'ORG', 0, 2, 'Bo')];
  const annSmith = gold(1, 'PER', 7, 16, 'Ann Smith');
  const base = { case: 'a', kind: 'span' } as const;
  const linesOf = (layout: LedgerLayout, own: readonly Verdict[], scheme: readonly Verdict[] = []): string[] => {
    const given = makeCase({ id: 'a', text: 'Bo met Ann Smith', gold: [bo, ann], predicted: [boAsOrg, annSmith] });
    const schemes = layout.schemes.map((name) => ({ case: given, scheme: name, verdicts: scheme }));
    return expectNothingLost(layout, { case: given, verdicts: own, schemes }).map((line) => line.trimEnd());
  };
  const own = (scheme: string | null) => [
    makeVerdict({
      ...base,
      scheme,
      verdict: 'hit',
      rule: 'pair',
      label: 'PER',
      similarity: 1 / 3,
      gold: ann,
      predicted: annSmith,
    }),
    makeVerdict({
      ...base,
      scheme,
      verdict: 'missed',
      rule: 'no-match',
      label: 'PER',
      gold: bo,
      rejected: { item: boAsOrg, similarity: 1, why: 'label differs: PER in gold, ORG predicted' },
    }),
    makeVerdict({ ...base, scheme, verdict: 'spurious', rule: 'no-match', label: 'ORG', predicted: boAsOrg }),
  ];

  it('names what a reader could not know: the rest is the rule, the manifest or the other side', () => {
    expect(linesOf({ kind: 'span', schemes: [], apart: [] }, own(null))).toEqual([
      '{"case":"a","verdict":"hit","similarity":0.3333333333333333,"gold":1,"predicted":{"index":1,"text":"Ann Smith","start":7,"end":16},"label":"PER","text":"Ann","start":7,"end":10}',
      '{"case":"a","verdict":"missed","gold":0,"label":"PER","text":"Bo","start":0,"end":2,"rejected":{"index":0,"similarity":1,"why":"label differs"}}',
      '{"case":"a","verdict":"spurious","predicted":0,"label":"ORG","text":"Bo","start":0,"end":2}',
    ]);
  });

  it('is one for each item, with the schemes that came to another outcome', () => {
    const loose = [
      makeVerdict({
        ...base,
        scheme: 'loose',
        verdict: 'hit',
        rule: 'pair',
        label: 'PER',
        similarity: 1,
        gold: bo,
        predicted: boAsOrg,
      }),
      { ...own('loose')[0]!, credit: 0.5 },
    ];
    expect(linesOf({ kind: 'span', schemes: ['loose'], apart: [] }, own(null), loose)).toEqual([
      '{"case":"a","verdict":"missed","gold":0,"label":"PER","text":"Bo","start":0,"end":2,"rejected":{"index":0,"similarity":1,"why":"label differs"},"schemes":{"loose":{"verdict":"hit","predicted":0}}}',
      '{"case":"a","verdict":"hit","similarity":0.3333333333333333,"gold":1,"predicted":{"index":1,"text":"Ann Smith","start":7,"end":16},"label":"PER","text":"Ann","start":7,"end":10,"schemes":{"loose":{"verdict":"hit","similarity":0.3333333333333333,"credit":0.5,"predicted":1}}}',
      '{"case":"a","verdict":"spurious","predicted":0,"label":"ORG","text":"Bo","start":0,"end":2,"schemes":{"loose":{"gold":0}}}',
    ]);
  });

  it('is of one scheme where a prediction is alone there only', () => {
    const strict = [
      makeVerdict({ ...base, scheme: 'strict', verdict: 'missed', rule: 'no-match', label: 'PER', gold: bo }),
      makeVerdict({ ...base, scheme: 'strict', verdict: 'missed', rule: 'no-match', label: 'PER', gold: ann }),
      makeVerdict({
        ...base,
        scheme: 'strict',
        verdict: 'spurious',
        rule: 'no-match',
        label: 'ORG',
        predicted: boAsOrg,
      }),
      makeVerdict({
        ...base,
        scheme: 'strict',
        verdict: 'spurious',
        rule: 'no-match',
        label: 'PER',
        predicted: annSmith,
      }),
    ];
    expect(linesOf({ kind: 'span', schemes: ['strict'], apart: [] }, own(null), strict).slice(1)).toEqual([
      '{"case":"a","verdict":"hit","similarity":0.3333333333333333,"gold":1,"predicted":{"index":1,"text":"Ann Smith","start":7,"end":16},"label":"PER","text":"Ann","start":7,"end":10,"schemes":{"strict":{"verdict":"missed"}}}',
      '{"case":"a","verdict":"spurious","predicted":0,"label":"ORG","text":"Bo","start":0,"end":2}',
      '{"case":"a","scheme":"strict","verdict":"spurious","predicted":1,"label":"PER","text":"Ann Smith","start":7,"end":16}',
    ]);
  });

  it('has text as JSON has it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(quoted(text)).toBe(JSON.stringify(text));
      }),
      { seed: 3, numRuns: runsHere(2000) },
    );
    for (const text of ['', '\u007f\u2028', '\ud83c\udf75', '\udf75\ud83c', '"', '\\', '\u0000', '\u001f '])
      expect(quoted(text)).toBe(JSON.stringify(text));
  });
});

/** A copy with another value at a place within. */
function withValue(whole: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const inner: unknown = Reflect.get(whole, key);
  const isDeeper = rest.length > 0 && typeof inner === 'object' && inner !== null;
  return { ...whole, [key]: isDeeper ? withValue(inner, rest, value) : value };
}

describe('a line that is not one', () => {
  const LAYOUT = { kind: 'span', schemes: ['loose'], apart: [] };
  const line = { case: 'a', verdict: 'missed', gold: 0, label: 'PER', text: 'Bo', start: 0, end: 2 } as const;

  it('is refused by the quick check as by the schema', () => {
    const whole = {
      ...line,
      scheme: null,
      kind: 'span',
      rule: 'r',
      similarity: 0.5,
      credit: 1,
      weight: 1,
      match: 'm',
      gold: {
        index: 0,
        label: 'x',
        text: 't',
        start: null,
        end: 3,
        annotator: 'a',
        parts: [1],
        grounded: true,
        fields: {},
        source: null,
      },
      predicted: 3,
      attributes: { a: true },
      because: 'b',
      setAside: true,
      rejected: { index: 1, label: 'l', text: 't', similarity: 0, why: 'w' },
      schemes: { loose: { verdict: 'hit', predicted: 1, gold: 2 } },
    };
    expect(isLedgerLine(whole)).toBe(true);
    const wrong = [undefined, null, 1, 1.5, -1, '', 'x', true, [], {}, [1], { index: 'x' }, { loose: 1 }, { a: 1 }];
    const paths = [...Object.keys(whole), ...Object.keys(whole.gold).map((key) => `gold.${key}`)];
    const more = [
      'rejected.why',
      'rejected.index',
      'schemes.loose',
      'schemes.loose.verdict',
      'schemes.loose.predicted',
    ];
    for (const path of [...paths, ...more])
      for (const value of wrong) {
        const given: unknown = JSON.parse(JSON.stringify(withValue(whole, path.split('.'), value)));
        expect([path, value, isLedgerLine(given)]).toEqual([path, value, ledgerLine.safeParse(given).success]);
      }
  });

  it.each<[string, object, string]>([
    [
      'a candidate that no line has',
      { rejected: { index: 4, similarity: 1, why: 'w' } },
      'no line of the case has the item predicted 4',
    ],
    [
      'a partner that no line has',
      { schemes: { loose: { verdict: 'hit', predicted: 4 } } },
      'no line of the case has the item predicted 4',
    ],
    ['no rule for what is excused', { verdict: 'excused' }, 'a line of case "a" has no rule'],
    [
      'a scheme that the manifest does not list',
      { schemes: { other: { verdict: 'hit' } } },
      'ledger.schemes of the manifest has no "other"',
    ],
  ])('%s', (_, more, message) => {
    expect(() => expandLines([{ ...line, ...more }], LAYOUT, 'ledger.jsonl')).toThrow(message);
  });

  it('no kind, where the manifest has none', () => {
    expect(() => expandLines([line], { schemes: [], apart: [] }, 'ledger.jsonl')).toThrow('has no kind');
  });
});
