import { deserialize, serialize } from 'node:v8';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type AuditEnd, AuditWatch } from '../../src/audit/audit-watch.ts';
import { defineCheck } from '../../src/audit/define-check.ts';
import { parseRules } from '../../src/compare/gate/rules.ts';
import { type Case, makeCase } from '../../src/data/case.ts';
import { StateMismatch } from '../../src/data/fold-state.ts';
import { makeItem } from '../../src/data/item.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { AUDIT_CHECKS } from '../../src/recipe/audit-section.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { streamCase } from '../../src/stream/measure/stream-case.ts';
import { madeTrace } from '../stream/made-trace.ts';
import { readerOf } from './audited.ts';
import { RATED, ratedCase, type Word } from './checks/rated-cases.ts';
import { cleanConsultations, cleanDocuments, cleanGraphs, cleanJournals, cleanStreams } from './clean-sets.ts';
import { answered } from './content/answered.ts';
import { Chance, paragraph, sentence } from './content/made-texts.ts';
import { capitals, fallback, madeLog } from './content/stream-log.ts';
import { spanCase, spans, STRICT, times } from './made-items.ts';
import { expectMerged, expectMergedAt, type OnePass, savedPart } from './merged-audit.ts';
import { FILES, linesOf } from './span-files.ts';

type Dataset = Readonly<{
  /** Beyond some limit: cut at random once, not several times. */
  isLarge?: boolean;
  recipe: string | object;
  set?: readonly string[];
  /** Either of them; lines are read part by part, so that labels have other numbers in every part. */
  cases?: () => readonly Case[] | Promise<readonly Case[]>;
  lines?: () => readonly string[];
  notices?: Readonly<Record<string, number>>;
  end?: AuditEnd;
  /** A recipe of another run to compare with. */
  other?: object;
}>;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const text = (at: number) => `${paragraph(new Chance(at), 3)} Number ${at}.`;
const texts = (n: number) => Array.from({ length: n }, (_, at) => text(at));
const EACH = { ...STRICT, prepare: { annotator: 'each' } };
const HIDDEN = {
  ...STRICT,
  slice: [],
  zeroDivision: 1,
  measure: {
    f1: {},
    mean_recall: { of: 'case-mean', measure: 'recall' },
    mean_precision: { of: 'case-mean', measure: 'precision' },
    share: { of: 'case-share', measure: 'recall', atLeast: 1, direction: 'higher' },
  },
};

function journal(id: string, own: string, quotes: readonly string[], fields: object = {}): Case {
  const object = (quote: string, index: number) =>
    makeItem({ kind: 'object', index, label: 'food', text: quote, fields: { ...fields } });
  return makeCase({ id, text: own, gold: [object(own.slice(0, 12), 0)], predicted: quotes.map(object) });
}

/** Labels by the thousand: gold has all of them, predictions some of them before gold does, and some after it. */
function labelLines(): string[] {
  return Array.from({ length: 300 }, (_, at) => {
    const label = (number: number) => ({ start: (number % 9) * 6, end: (number % 9) * 6 + 5, label: `L${number}` });
    const gold = Array.from({ length: 9 }, (__, place) => label(at * 9 + place));
    const early = Array.from({ length: 9 }, (__, place) => label(at * 9 + place + 450));
    const predicted = at % 3 === 0 ? gold : at % 3 === 1 ? early : early.map((span) => ({ ...span, label: 'OTHER' }));
    const again = Array.from({ length: 9 }, (__, place) => label((at % 25) * 9 + place));
    return JSON.stringify({ id: `d${at}`, text: text(at).padEnd(60), gold: at % 2 === 0 ? gold : again, predicted });
  });
}

const SETS: Readonly<Record<string, Dataset>> = {
  ...Object.fromEntries(
    Object.entries(FILES).flatMap(([name, make]) => [
      [`spans: ${name}`, { recipe: 'pii/strict', set: ['interval=off'], lines: () => linesOf(make, 60, false) }],
      [`spans among others: ${name}`, { recipe: 'pii/partial', lines: () => linesOf(make, 60, true) }],
    ]),
  ),
  'spans near a threshold': { recipe: 'pii/iou', lines: () => linesOf(FILES['anything at all']!, 90, false) },
  'labels by the thousand': { recipe: 'pii/strict', set: ['interval=off'], lines: labelLines, isLarge: true },
  'labels by the thousand, as items': {
    recipe: STRICT,
    isLarge: true,
    cases: () =>
      times(150, (at) => {
        const labels = (from: number) => Array.from({ length: 9 }, (_, place) => `L${from + place} ${10 * place}`);
        return spanCase(`c${at}`, labels(at * 9), at % 4 === 0 ? labels(at * 9) : labels(at * 9 + 450));
      }),
  },
  documents: { recipe: 'pii/tab', cases: () => cleanDocuments(40, 3) },
  journals: { recipe: 'journal/ashwam', cases: () => cleanJournals(40, 3) },
  graphs: { recipe: 'graph/openspec', cases: () => cleanGraphs(40, 3) },
  consultations: { recipe: 'consult/ayurmind', cases: () => cleanConsultations(40, 3) },
  streams: { recipe: 'stream/exaid', cases: () => cleanStreams(20, 3) },
  'a gate, other runs and a measure turned round': {
    recipe: {
      ...STRICT,
      measure: { f1: {}, faithfulness: { of: 'verdict-share', verdict: 'spurious', among: ['hit', 'spurious'] } },
    },
    cases: () => times(4, (at) => spanCase(`c${at}`, ['A 0'], ['A 0'])),
    notices: { heuristicLogs: 2, stubTraces: 1 },
    other: STRICT,
    end: { gate: parseRules('rules:\n  - { measure: f1, atLeast: 0 }\n', 'gate.yaml') },
  },
  'cases that failed or have no answer, and notices': {
    recipe: { ...STRICT, prepare: { drop: { side: 'both', labels: ['MISC'] } } },
    cases: () =>
      times(60, (at) => {
        if (at >= 40) return spanCase(`x${at}`, [], ['A 0']);
        const more = at % 5 === 0 ? { failed: `no answer ${at}` } : at % 7 === 0 ? { answered: false } : {};
        return spanCase(`c${at}`, at % 4 === 0 ? [] : ['A 0', 'MISC 10'], at % 7 === 0 ? [] : ['A 0', 'MISC 20'], more);
      }),
    notices: { unknownCasesAsSpurious: 20, unclustered: 60, casesWithoutGold: 10 },
  },
  'thousands of cases that nobody knows': {
    recipe: STRICT,
    isLarge: true,
    cases: () => times(4200, (at) => spanCase(`c${at}`, at === 0 || at === 50 ? ['A 0'] : [], ['A 0'])),
    notices: { unknownCasesAsSpurious: 4000 },
  },
  'groups of cases': {
    recipe: STRICT,
    set: ['interval.cluster=group', 'interval.resamples=200'],
    cases: () =>
      times(24, (at) => {
        const group = at % 7 === 0 ? 'ward' : `p${at % 11}`;
        const places = Array.from({ length: at % 7 === 0 ? 30 : 2 }, (_, place) => `A ${10 * place}`);
        const fields = at % 5 === 4 ? {} : { group };
        return spanCase(`c${at}`, places, at % 7 === 0 ? [] : places, { text: text(at % 9), fields });
      }),
    notices: { unclustered: 4 },
  },
  'several annotators': {
    recipe: EACH,
    set: ['interval.resamples=200'],
    cases: () =>
      times(20, (at) => {
        const places = (n: number) => Array.from({ length: n }, (_, place) => `A ${10 * place}`);
        const of = (name: string) =>
          spans(...places(name === 'cy' ? 12 : 1)).map((item) => ({ ...item, annotator: name }));
        const predicted = at % 4 === 0 ? [] : spans('A 0');
        return makeCase({ id: `d${at}`, gold: ['ann', 'bo', 'cy'].flatMap(of), predicted });
      }),
  },
  'values that were filled in': {
    recipe: HIDDEN,
    cases: () =>
      times(30, (at) => spanCase(`c${at}`, at % 3 === 0 ? [] : ['A 0'], at % 3 === 1 || at > 26 ? [] : ['A 0'])),
  },
  'values that are left out': {
    recipe: { ...STRICT, measure: { mean_precision: { of: 'case-mean', measure: 'precision' } } },
    cases: () => times(30, (at) => spanCase(`c${at}`, ['A 0'], at % 3 === 0 ? [] : ['A 0'])),
  },
  'rules that excuse and credit': {
    recipe: {
      ...STRICT,
      pair: { accept: { same: STRICT.pair, loose: { gate: [], similarity: 'exact' } } },
      judge: {
        'excuse-missed': { labels: ['ORG', 'DEM'] },
        'excuse-spurious': { labels: ['ORG', 'LOC'], because: 'not asked for' },
      },
    },
    cases: () =>
      times(50, (at) =>
        spanCase(
          `c${at}`,
          ['PERSON 0', 'ORG 20', at % 3 === 0 ? 'DEM 30' : 'ORG 30'],
          [at % 4 === 0 ? 'CITY 0' : 'PERSON 0', 'ORG 20', at % 5 === 0 ? 'LOC 90' : 'ORG 80', 'PERSON 99'],
        ),
      ),
  },
  'pairs close to the threshold, with partial credit': {
    recipe: { ...STRICT, pair: { gate: ['label'], similarity: 'iou', threshold: 0.5 } },
    cases: () =>
      times(30, (at) => {
        const span = (end: number) => makeItem({ kind: 'span', index: 0, label: 'A', text: 'a', start: 0, end });
        const [predicted] = [at % 3 === 0 ? 52 : at % 3 === 1 ? 100 : 48];
        return makeCase({ id: `c${at}`, gold: [span(100)], predicted: [span(predicted)] });
      }),
  },
  'labels that differ throughout': {
    recipe: STRICT,
    cases: () => times(30, (at) => spanCase(`c${at}`, [`A${at % 4} 0`], at < 4 ? [] : [`B${at % 3} 0`])),
  },
  'nothing but gold': { recipe: STRICT, cases: () => times(12, (at) => spanCase(`c${at}`, ['A 0', 'B 9'], [])) },
  'answers of the case after, and other labels': {
    recipe: 'journal/ashwam',
    cases: () =>
      times(40, (at) => journal(`c${at}`, text(at), at % 9 === 8 ? [] : [text(at + (at < 30 ? 1 : -1)).slice(0, 12)])),
  },
  'the same items everywhere, which are in no text': {
    recipe: 'journal/ashwam',
    cases: () =>
      times(30, (at) => {
        const quotes = ['a cup of cold tea', 'two slices of old bread', 'none of this is there'];
        // In some the items come in another order.
        return journal(`c${at}`, text(at % 26), at % 4 === 1 ? quotes.toReversed() : at % 4 === 3 ? [`${at}`] : quotes);
      }),
  },
  'quotes that are not there, cut words, stray fields and texts that are copies': {
    recipe: 'journal/ashwam',
    cases: () =>
      times(40, (at) => {
        const own = `The doctor said a spin oc ere bell ar at ax ${LETTERS[at % 26]!} ia of case ${at % 33}. ${text(at % 30)}`;
        const quotes = [own.slice(4, 30), own.slice(10, 40).replaceAll(/(?<=[a-z])(?=[a-z])/g, ' '), `nowhere ${at}`];
        return journal(`c${at}`, own, quotes, at % 2 === 0 ? { arousal_bucket: 'high' } : { intensity_bucket: 'low' });
      }),
    end: {
      train: {
        async *[Symbol.asyncIterator]() {
          for (const [at, own] of texts(12).entries()) yield { id: `t${at}`, text: own, file: 'train.jsonl' };
          for (const at of [3, 17]) {
            const own = `The doctor said a spin oc ere bell ar at ax ${LETTERS[at]!} ia of case ${at}. ${text(at)}`;
            yield { id: `u${at}`, text: own, file: 'train.jsonl' };
            yield { id: `v${at}`, text: `${own} And more.`, file: 'other.jsonl' };
          }
        },
      },
    },
  },
  'thousands of quotes with spaces, up to where they are no longer looked for': {
    recipe: 'journal/ashwam',
    isLarge: true,
    cases: () =>
      times(70, (at) => {
        const own = text(at);
        const spaced = (from: number) => own.slice(from, from + 20).replaceAll(/(?<=[a-z])(?=[a-z])/g, ' ');
        const quotes = Array.from({ length: 90 }, (_, place) => (place % 3 === 0 ? spaced(place % 50) : `no ${place}`));
        return journal(`c${at}`, own, [...quotes, own.slice(0, 9)]);
      }),
  },
  'copies of gold with many fields, some in other letters': {
    recipe: 'journal/ashwam',
    cases: () =>
      times(30, (at) => {
        const own = text(at);
        const fields = (n: number) =>
          Object.fromEntries(Array.from({ length: 6 }, (_, place) => [`f${(n * 5 + place) % 40}`, `value ${n}`]));
        const items = (isOther: boolean) =>
          [0, 20, 40].map((start, index) => {
            const quote = own.slice(start, start + 15);
            const said = isOther && at % 10 === 9 ? quote.toUpperCase() : quote;
            return makeItem({ kind: 'object', index, label: 'food', text: said, fields: fields(at) });
          });
        return makeCase({ id: `c${at}`, text: own, gold: items(false), predicted: items(true) });
      }),
  },
  'offsets that are off, more than are looked at': {
    recipe: STRICT,
    cases: () =>
      times(60, (at) => {
        const own = text(at);
        const span = (index: number, shift: number) => {
          const start = 3 * index;
          return makeItem({
            kind: 'span',
            index,
            label: 'A',
            text: own.slice(start, start + 9),
            start: start + shift,
            end: start + 9 + shift,
          });
        };
        const all = (shift: number) =>
          Array.from({ length: 20 }, (_, index) => span(index, index % 5 === 0 ? shift : 0));
        return makeCase({ id: `c${at}`, text: at === 7 ? null : own, gold: all(0), predicted: all(at < 30 ? 1 : -1) });
      }),
  },
  'relationships that point to nothing': {
    recipe: 'graph/openspec',
    cases: () =>
      times(30, (at) => {
        const entity = (name: string, index: number) =>
          makeItem({
            kind: 'entity',
            index,
            label: 'Thing',
            text: name,
            fields: { temp_id: `e${index}`, type: 'Thing', name },
          });
        const relation = (source: string, target: string) =>
          makeItem({ kind: 'relationship', index: 0, label: 'in', text: `${source} in ${target}`, source, target });
        const entities = ['Ann', 'Oslo', `Bo ${at}`].map(entity);
        return makeCase({
          id: `c${at}`,
          text: `Ann and Bo ${at} are in Oslo.`,
          gold: [...entities, relation('Ann', at % 4 === 0 ? 'Rome' : 'Oslo')],
          predicted: [...entities, relation('e0', at % 2 === 0 ? 'e7' : 'e1')],
        });
      }),
  },
  'templates, echoes and placeholders': {
    recipe: 'consult/ayurmind',
    cases: () =>
      answered(
        texts(60),
        (own, at) => {
          if (at % 6 === 0) return `You asked: ${own}`;
          if (at % 6 === 1) return own;
          if (at % 6 === 2) return `TODO: Dear Anna, as an AI language model I cannot say ${sentence(new Chance(at))}`;
          if (at % 6 === 3) return at % 12 === 3 ? '' : ' … ';
          return `Dear Bela, eat warm meals every day and come back to see me in four weeks. ${at % 2 === 0 ? 'Rest.' : ''}`;
        },
        (at) => (at % 2 === 0 ? 'Vata' : 'Pitta'),
      ),
  },
  'answers that are cut off, and classes that are exchanged': {
    recipe: 'consult/ayurmind',
    cases: () =>
      answered(
        texts(60),
        (own, at) => `${own} ${text(at + 60)}`.slice(0, at % 3 === 0 ? 200 : 150 + (at % 7)),
        (at) => (at % 4 === 0 ? 'Vata' : 'Pitta'),
      ).map((one, at) =>
        at % 2 === 0
          ? one
          : {
              ...one,
              gold: one.gold.map((item) => ({ ...item, label: 'Pitta', text: 'Pitta' })),
              predicted: one.predicted.map((item) => ({ ...item, label: 'Vata', text: 'Vata' })),
            },
      ),
  },
  'refusals among answers': {
    recipe: 'consult/ayurmind',
    cases: () =>
      answered(texts(30), (own, at) => (at % 3 === 0 ? `I'm sorry, I cannot help with case ${at}.` : `Rest. ${own}`)),
  },
  'confidences that are no numbers, in several fields': {
    recipe: 'journal/ashwam',
    cases: () =>
      times(30, (at) => {
        const given = { confidence: at % 3 === 0 ? 'NaN' : '0.5', score: at % 4 === 0 ? 'high' : 0.9 };
        return journal(`c${at}`, text(at), [text(at).slice(0, 12)], given);
      }).map((one) => ({ ...one, gold: one.gold.map((item) => ({ ...item, fields: {} })) })),
  },
  'short answers': {
    recipe: 'consult/ayurmind',
    cases: () => answered(texts(20), (_, at) => (at % 5 === 0 ? 'Eat warm meals.' : 'Go and rest well.')),
  },
  'people who rate, more than are compared': {
    recipe: RATED,
    set: ['interval.resamples=200'],
    cases: () =>
      times(90, (at) => {
        const value = 1 + ((at * 7) % 5);
        const crowd = Array.from({ length: 3 }, (_, place): Word => `relevance/use p${(at * 2 + place) % 45} ${value}`);
        const strict = `relevance/safety chand ${6 - value}` as const;
        const both: Word[] = [`relevance/safety asha ${value}`, `relevance/safety bela ${value}`, strict];
        return ratedCase(`c${at}`, at % 8 === 7 ? [] : [...crowd, ...both, `plainness/plain p${at % 40} 3`]);
      }),
  },
  'few ratings': {
    recipe: RATED,
    cases: () => times(20, (at) => ratedCase(`c${at}`, at % 6 === 0 ? ['relevance/safety asha 4'] : [])),
  },
  'times that are not from the trace, and cut words': {
    recipe: 'stream/exaid',
    cases: () =>
      Promise.all(
        Array.from({ length: 6 }, (_, at) => {
          const words = ['Spin', 'oc', 'ere', 'bell', 'ar', ' at', 'ax', 'ia', ' is', ' rare', '.'];
          const deltas = words.map((word, place) => [word, place * place * (10 + at)] as const);
          const trace = madeTrace(`c${at}`, [{ agent: 'anna', deltas }]);
          const log = madeLog(
            trace,
            [
              [1, 4, 'Spin first'],
              [5, 11, at % 2 === 0 ? '' : 'Rare and so on'],
            ],
            fallback,
          );
          return streamCase(trace, log, capitals, at % 3 === 0 ? 'concat' : 'space');
        }),
      ),
  },
};

type Prepared = Readonly<{
  pass: OnePass;
  count: number;
  partOf: (from: number, to: number) => Promise<readonly Case[]>;
}>;

async function prepare({ recipe, set = [], cases, lines, notices, end, other }: Dataset): Promise<Prepared> {
  const plan = await planRecipe(
    recipe,
    set.some((line) => line.startsWith('interval')) ? set : ['interval=off', ...set],
  );
  const [all, rows] = [(await cases?.()) ?? [], lines?.() ?? []];
  const partOf = async (from: number, to: number): Promise<readonly Case[]> => {
    if (lines === undefined) return all.slice(from, to);
    const file = rows.slice(from, to).map((line) => `${line}\n`);
    return Array.fromAsync(readCases({ cases: memorySource('d.jsonl', file.join('')) }, plan.data));
  };
  const count = Math.max(all.length, rows.length);
  const watch = new AuditWatch(plan);
  const run = await scoreToRun(plan, readerOf(await partOf(0, count), notices), { sink: watch.sink });
  const others =
    other === undefined ? [] : [await scoreToRun(await planRecipe(other), readerOf(await partOf(0, count)))];
  const whole = { ...end, others };
  return { pass: { plan, run, audit: await watch.finish(run, whole), end: whole }, count, partOf };
}

const prepared = new Map<string, Promise<Prepared>>();
function preparedOf(name: string): Promise<Prepared> {
  const known = prepared.get(name) ?? prepare(SETS[name]!);
  prepared.set(name, known);
  return known;
}

async function partsAt({ pass, count, partOf }: Prepared, cuts: readonly number[]): Promise<unknown[]> {
  const ends = [...cuts.toSorted((a, b) => a - b), count];
  const parts: unknown[] = [];
  for (const [at, end] of ends.entries()) {
    const from = ends[at - 1] ?? 0;
    parts.push(await savedPart(pass, from === end ? [] : await partOf(from, end)));
  }
  return parts;
}

describe('the audit of parts, merged, is that of one pass', () => {
  test.each(Object.keys(SETS))('%s', { timeout: 60_000 }, async (name) => {
    const ready = await preparedOf(name);
    const [{ pass, count }, { isLarge = false }] = [ready, SETS[name]!];
    for (const cuts of [[], [1, count - 1], [0, 0, Math.floor(count / 2), count]])
      await expectMerged(pass, await partsAt(ready, cuts));
    // However they are put together first.
    const [first, second, third, fourth] = await partsAt(
      ready,
      [1, 2, 3].map((at) => Math.floor((at * count) / 4)),
    );
    const middle = new AuditWatch({ ...pass.plan, isPart: true });
    middle.merge(second);
    middle.merge(third);
    await expectMerged(pass, [first, deserialize(serialize(middle.save())), fourth]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(count), { minLength: 1, maxLength: 5 }), async (cuts) =>
        expectMerged(pass, await partsAt(ready, cuts)),
      ),
      { numRuns: isLarge ? 1 : 5 },
    );
  });

  test('every check finds something in one of them', { timeout: 60_000 }, async () => {
    const found = new Set<string>();
    for (const name of Object.keys(SETS))
      for (const finding of (await preparedOf(name)).pass.audit.findings) found.add(finding.name);
    // Only imported logs state values of their own; they are not scored in parts.
    expect(AUDIT_CHECKS.filter((name) => !found.has(name) && name !== 'reported-values')).toEqual([]);
  });
});

describe('the state of an audit', () => {
  test('is that of a part', async () => {
    const plan = await planRecipe(STRICT, ['interval=off']);
    expect(() => new AuditWatch(plan).save()).toThrow('isPart');
  });

  test('of something else is refused', async () => {
    const plan = await planRecipe(STRICT, ['interval=off']);
    const saved = new AuditWatch({ ...plan, isPart: true }).save();
    const refused: readonly unknown[] = [
      null,
      [],
      {},
      { ...saved, totals: [] },
      { ...saved, index: { near: [] } },
      { ...saved, checks: new Map() },
      { ...saved, checks: new Map([...saved.checks].map(([name]) => [name, [1]])) },
      { ...saved, checks: new Map([...saved.checks].map(([name, state]) => [name, wrong(state)])) },
    ];
    for (const state of refused) expect(() => new AuditWatch(plan).merge(state)).toThrow(StateMismatch);
  });

  const missed = { severity: 'note', why: 'it is so', todo: 'look', title: '' } as const;
  const custom = (isKept: boolean) =>
    defineCheck({
      name: 'missed-items',
      about: 'items that are missed',
      open({ keep }) {
        const seen = isKept ? keep({ missed: 0 }) : { missed: 0 };
        return {
          verdict: ({ verdict }) => void (seen.missed += Number(verdict === 'missed')),
          find: () => ({ ...missed, title: `${seen.missed} missed` }),
        };
      },
    });

  test('has what custom checks keep; those that keep nothing are named', async () => {
    const plan = { ...(await planRecipe(STRICT, ['interval=off'])), definitions: [custom(true)] };
    const cases = times(9, (at) => spanCase(`c${at}`, ['A 0'], at % 2 === 0 ? [] : ['A 0']));
    const watch = new AuditWatch(plan);
    const run = await scoreToRun(plan, readerOf(cases), { sink: watch.sink });
    const audit = await watch.finish(run);
    expect(audit.findings.find(({ name }) => name === 'missed-items')?.title).toBe('5 missed');
    await expectMergedAt({ plan, run, audit }, cases);
    expect(new AuditWatch({ ...plan, definitions: [custom(false)] }).unmergeable).toEqual(['missed-items']);
  });
});

/** The same number of pieces, each of another shape. */
function wrong(state: unknown): unknown {
  return Array.isArray(state) && state.length > 0 ? state.map(() => 'something else') : state;
}
