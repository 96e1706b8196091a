import { deserialize, serialize } from 'node:v8';

import fc from 'fast-check';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { type Item, makeItem } from '../../../src/data/item.ts';
import { readCases } from '../../../src/data/read-cases.ts';
import { memorySource } from '../../../src/data/source.ts';
import { type Plan, planRecipe } from '../../../src/recipe/plan.ts';
import { MersenneTwister } from '../../../src/stats/mersenne-twister.ts';
import { cleanConsultations, cleanGraphs, cleanJournals, cleanStreams } from '../../audit/clean-sets.ts';
import { spanDocuments } from '../../columns/span-documents.ts';

/** Cases of which any stretch can be read by itself, as a part of a run would read it. */
export interface MergeableSet {
  readonly plan: Plan;
  readonly size: number;
  read(from: number, to: number): Promise<readonly Case[]>;
}

type Setting = readonly [recipe: string | object, ...set: string[]];
type MakeSet = (plan: Plan) => Omit<MergeableSet, 'plan'>;

const made = (make: (size: number) => readonly Case[], size: number): MakeSet => {
  return () => {
    const cases = make(size);
    return { size, read: async (from, to) => cases.slice(from, to) };
  };
};

/** Each stretch has its own reader, and so its own numbers of labels. */
const lines = (text: string, change = (given: Case, _at: number): Case => given): MakeSet => {
  const all = text.trimEnd().split('\n');
  return ({ data }) => ({
    size: all.length,
    async read(from, to) {
      if (from === to) return [];
      const source = memorySource('d.jsonl', `${all.slice(from, to).join('\n')}\n`);
      const cases = await Array.fromAsync(readCases({ cases: source }, data));
      return cases.map((given, at) => change(given, from + at));
    },
  });
};

/** Cases with nearly everything that a case can have. */
function richDocuments(size: number, seed = 3): Case[] {
  const random = new MersenneTwister(seed);
  const oneOf = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const text = 'Ann met Bø of Øslo \ud83d\ude42 and Cy\ud83d in "Rome"';
  const labels = Array.from({ length: 45 }, (_, at) => `L${at}`);
  const span = (index: number, more: Partial<Item>): Item => {
    const start = random.below(30);
    const end = Math.min(text.length, start + 1 + random.below(8));
    // Few labels mostly, so that some pairs are hits.
    const label = oneOf(random.below(3) === 0 ? labels : labels.slice(0, 3));
    return makeItem({ kind: 'span', index, label, start, end, text: text.slice(start, end), ...more });
  };
  const list = (annotator: string | null): Item[] =>
    Array.from({ length: random.below(6) }, (_, index) => ({ ...span(index, {}), annotator }));
  const sure = (): Partial<Item> =>
    random.below(4) === 0 ? {} : { fields: { confidence: random.below(1000) / 999, note: oneOf(['Ann', 'x\udc00']) } };
  return Array.from({ length: size }, (_, at) => {
    const people = oneOf([[null], ['ann'], ['ann', 'bo'], ['bo', 'cy', 'ann']]);
    const gold = people.flatMap(list).map((item, index) => ({ ...item, index }));
    const kept = gold.filter(() => random.below(2) === 0).map((item) => ({ ...item, annotator: null, ...sure() }));
    const more = Array.from({ length: random.below(4) }, () => span(0, sure()));
    const isFailed = random.below(9) === 0;
    const given = makeCase({
      id: `d${at}`,
      text: random.below(5) === 0 ? null : text,
      gold,
      predicted: isFailed ? [] : [...kept, ...more].map((item, index) => ({ ...item, index })),
      failed: isFailed ? 'time out at Ann' : null,
      answered: !isFailed && random.below(9) > 0,
      fields: { ...(random.below(2) === 0 ? {} : { court: oneOf(['north', 'south']) }), ward: oneOf(['1', '2', 'b']) },
    });
    return random.below(3) === 0 ? { ...given, from: `of ${Math.floor(at / 3)}` } : given;
  });
}

/** Consultations of which several answers belong to one case, with classes by experts, also other ones in another answer. */
function consultations(size: number): Case[] {
  const random = new MersenneTwister(9);
  const classes = ['vata', 'pitta', 'kapha'];
  const votes = () =>
    Object.fromEntries(['asha', 'bela', 'chand', 'devi'].map((name) => [name, classes[random.below(2)]!]));
  const cases = cleanConsultations(size, 4);
  return cases.map((given, at) => ({
    ...given,
    from: cases[at - (at % 3)]!.id,
    gold: given.gold.map((item) =>
      item.kind === 'class' ? { ...item, fields: { by: 'experts', experts: votes() } } : item,
    ),
  }));
}

const PARTIAL = ['pair.partial=0.25', 'judge.incorrect={}'];
const SETS: Readonly<Record<string, readonly [Setting, MakeSet]>> = {
  'plain spans': [['pii/strict'], lines(spanDocuments(90, 5, 6))],
  'plain spans, partial credit': [['pii/iou', 'pair.threshold=0.2', ...PARTIAL], lines(spanDocuments(90, 6, 4))],
  'plain spans under several schemes': [['pii/semeval'], lines(spanDocuments(60, 7, 6))],
  'spans, plain and otherwise': [
    ['pii/partial'],
    lines(spanDocuments(90, 8, 5), (given, at) => (at % 7 < 3 ? given : { ...given })),
  ],
  'several people': [['pii/strict', 'prepare.annotator=union'], made(richDocuments, 70)],
  'several people, each by themselves': [
    ['pii/partial', 'prepare.annotator=each', 'slice=[label, court, ward]', 'data.failed=empty'],
    made(richDocuments, 70),
  ],
  'clusters and slices': [
    ['pii/iou', 'pair.threshold=0.1', 'pair.partial=0.3', 'interval.cluster=ward', 'slice=[ward, court]'],
    made(richDocuments, 70),
  ],
  tokens: [
    ['pii/token'],
    made((size) => richDocuments(size).map((given) => ({ ...given, text: given.text ?? '' })), 40),
  ],
  journals: [['journal/ashwam'], made((size) => cleanJournals(size, 1), 40)],
  graphs: [['graph/openspec'], made((size) => cleanGraphs(size, 2), 40)],
  consultations: [['consult/ayurmind'], made(consultations, 45)],
  streams: [['stream/exaid'], made((size) => cleanStreams(size, 3), 12)],
};

export const MERGEABLE_SETS = Object.keys(SETS);

export async function mergeableSet(name: string): Promise<MergeableSet> {
  const [[recipe, ...set], make] = SETS[name]!;
  const plan = await planRecipe(recipe, ['interval.resamples=50', ...set]);
  return { plan, ...make(plan) };
}

/** Where cases are cut into parts, some of them without a case. */
export function anyCuts(size: number): fc.Arbitrary<(readonly [from: number, to: number])[]> {
  return fc.array(fc.integer({ min: 0, max: size }), { minLength: 1, maxLength: 5 }).map((some) => {
    const ends = [0, ...some.toSorted((a, b) => a - b), size];
    return ends.slice(1).map((to, at) => [ends[at]!, to]);
  });
}

/** As it comes out of a file. */
export function stored(saved: unknown): unknown {
  return deserialize(serialize(saved));
}
