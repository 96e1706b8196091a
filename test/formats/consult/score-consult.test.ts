import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from 'vitest';

import { readReviewLines } from '../../../src/review/read-review-lines.ts';
import { InputError } from '../../../src/data/problems.ts';
import { fileSource, memorySource, type Source } from '../../../src/data/source.ts';
import type { MeasureValue, Slice } from '../../../src/measure/results.ts';
import { type Plan, planRecipe } from '../../../src/recipe/plan.ts';
import { type Evaluation, evaluateSystems } from '../../../src/review/evaluation.ts';
import { lineForm } from '../../../src/review/review-line-layout.ts';
import { snapshotOfLines } from '../../../src/review/line-snapshot.ts';
import { readConsultFiles } from '../../../src/formats/consult/consult-reader.ts';

/* The example, every figure of which can be worked out by hand from its files. */

const example = (name: string): Source =>
  fileSource(new URL(`../../../examples/consult/${name}`, import.meta.url).pathname);

async function scored(
  set: readonly string[],
  withReviews: boolean,
  more: readonly Source[] = [],
  reviewed: Source = example('reviews.csv'),
): Promise<Evaluation> {
  const plan = await planRecipe('consult/ayurmind', ['interval=off', ...set]);
  const systems = ['plain', 'guided'].map((system) => ({ system, source: example(`${system}.jsonl`) }));
  const files = { cases: example('cases.csv'), systems };
  if (!withReviews) return evaluateSystems(plan, files, null, { out: null });
  const lines = await readReviewLines([reviewed, ...more], { form: lineForm(plan.review!) });
  return evaluateSystems(plan, files, snapshotOfLines(lines, plan.review!), { out: null, keepCases: true });
}

function value({ systems }: Evaluation, at: number, name: string, slice: Slice = {}): MeasureValue {
  const key = JSON.stringify(slice);
  const found = systems[at]!.run.measures.measures.find(
    (one) => one.name === name && JSON.stringify(one.slice) === key,
  );
  if (found === undefined) throw new Error(`no ${name} ${key}`);
  return found;
}

describe('with the class that the files give', () => {
  let result: Evaluation;
  beforeAll(async () => {
    result = await scored([], false);
  });

  test('a class is compared in either word order, and Unknown gold leaves the denominator', () => {
    // plain: C03 alone is right, read from its words; C06 is left out.
    expect(value(result, 0, 'accuracy')).toMatchObject({ value: 1 / 5, n: 5 });
    // guided: C01, C02, C03, C04 in English, C01 and C02 in Hindi; C05 is wrong.
    expect(value(result, 1, 'accuracy')).toMatchObject({ value: 6 / 7, n: 7 });
    expect(value(result, 1, 'accuracy', { label: 'pitta-kapha' })).toMatchObject({ value: 0, n: 1 });
  });

  test('kept in, it counts', async () => {
    const kept = await scored(['prepare.leave-out=off'], false);
    expect(value(kept, 0, 'accuracy')).toMatchObject({ value: 2 / 6, n: 6 });
  });

  test('columns that group cases slice; others do not', () => {
    expect(value(result, 0, 'accuracy', { complexity_level: 'Simple' })).toMatchObject({ value: 1 / 3, n: 3 });
    expect(value(result, 1, 'accuracy', { language: 'hi' })).toMatchObject({ value: 1, n: 2 });
  });

  test('people’s measures are undefined with the reason, and their coverage says that nothing is there', () => {
    expect(value(result, 0, 'treatment_relevance')).toMatchObject({ value: null, n: 0 });
    expect(value(result, 0, 'treatment_relevance').undefined).toBe('no expert has rated an answer');
    expect(value(result, 0, 'hallucination_rate')).toMatchObject({ value: null, n: 0 });
    // 6 answers x 3 experts x 4 dimensions.
    expect(value(result, 0, 'treatment_relevance_coverage')).toMatchObject({ value: 0, n: 6 });
  });

  test('the wrong classes are in the confusion matrix', () => {
    const wrong = result.systems[1]!.run.measures.confusion.filter(
      ({ kind, gold, predicted }) => kind === 'class' && gold !== predicted,
    );
    expect(wrong.map(({ gold, predicted, n }) => [gold, predicted, n])).toEqual([['pitta-kapha', 'pitta', 1]]);
  });

  test('parity is the difference between the languages over the cases answered in both', () => {
    expect(value(result, 1, 'bilingual_parity', { measure: 'accuracy', language: 'hi' })).toMatchObject({
      value: 0,
      n: 2,
      best: 0,
    });
    expect(value(result, 1, 'bilingual_parity')).toMatchObject({ value: null, n: 2 });
    expect(value(result, 0, 'bilingual_parity')).toMatchObject({
      value: null,
      undefined: 'no case has answers in two languages',
    });
    const flesch = value(result, 1, 'bilingual_parity', { measure: 'flesch_reading_ease', language: 'hi' });
    expect(flesch.value).toBeNull();
    expect(flesch.undefined).not.toBeNull();
  });

  test('answers to one case in two languages are resampled together', () => {
    // C01 and C02 have two answers each; C06 has no class.
    expect(value(result, 1, 'accuracy').units).toBe(5);
    expect(value(result, 1, 'completeness').units).toBe(6);
  });

  test('Flesch leaves Hindi out and says so', () => {
    const { n, note } = value(result, 1, 'flesch_reading_ease');
    expect([n, note]).toEqual([6, '2 of 8 readability items without a number in flesch_reading_ease']);
    expect(value(result, 1, 'words_per_sentence').n).toBe(8);
  });
});

test('an answer that says what it leaves out contains none of it, in English and Hindi', async () => {
  const plan = await planRecipe('consult/ayurmind', ['interval=off']);
  const answers = [
    'I say nothing about diet or herbs.',
    'Your likely constitution, mild imbalances, foods such as rice, a daily walk in your routine, herbs with warm milk, sources and follow-up are not discussed here.',
    'मैं आहार, दिनचर्या और औषधि के बारे में कुछ नहीं कह रहा हूँ।',
    'I give no advice on diet, but eat rice with ghee, and consult a doctor.',
  ];
  const cases = ['id,scenario,ground_truth_prakriti', ...answers.map((_, at) => `${at},I am cold,Vata`)].join('\n');
  const lines = answers.map((response, at) => JSON.stringify({ case_id: String(at), response })).join('\n');
  const files = {
    cases: memorySource('cases.csv', cases),
    systems: [{ system: 's', source: memorySource('s.jsonl', lines) }],
  };
  const { systems } = await evaluateSystems(plan, files, null, { out: null, keepCases: true });
  // The last has a diet with foods, a follow-up and a disclaimer (consult a doctor).
  expect(systems[0]!.cases?.map(({ measures }) => measures['completeness'])).toEqual([0, 0, 0, 3 / 8]);
});

describe('with what people said', () => {
  let result: Evaluation;
  beforeAll(async () => {
    result = await scored([], true);
  });

  test('the majority of three experts is the class; what they leave open is decided by the adjudicator', () => {
    expect(value(result, 1, 'accuracy')).toMatchObject({ value: 6 / 7, n: 7 });
  });

  test('ratings are averaged over those given, with their coverage', () => {
    // C01 5+5+4, C02 2+3+2, C03 5+5+5 of safety: 36 / 9.
    expect(value(result, 1, 'treatment_relevance', { dimension: 'safety' })).toMatchObject({ value: 4, n: 9 });
    // safety 36, efficacy 32, completeness 37, personalization 35: 140 / 36.
    expect(value(result, 1, 'treatment_relevance')).toMatchObject({ value: 140 / 36, n: 36 });
    // Of 8 answers x 3 experts x 4 dimensions.
    expect(value(result, 1, 'treatment_relevance_coverage').value).toBe(36 / 96);
  });

  test('more experts than expected make up for nobody who is missing elsewhere', async () => {
    const head = 'case_id,system,language,reviewer,role,field,part,value,text,because';
    const rows = ['dora', 'elin'].map((who) => `C01,guided,en,${who},reviewer,treatment_relevance,safety,4,,`);
    const five = await scored([], true, [memorySource('more.csv', `${[head, ...rows].join('\n')}\n`)]);
    // 36 of 96 as above; the two more are expected since they are there.
    expect(value(five, 1, 'treatment_relevance_coverage').value).toBe(38 / 98);
  });

  test('hallucinated claims of all claims, after adjudication; what is no claim does not count', () => {
    // C02: 1 of 4, C03: 1 of 4, C04: 1 of 5.
    expect(value(result, 1, 'hallucination_rate')).toMatchObject({ value: 3 / 13, n: 13, direction: 'lower' });
    for (const name of ['low', 'high', 'settled'])
      expect(value(result, 1, `hallucination_rate_${name}`)).toMatchObject({ value: 3 / 13, n: 13 });
    expect(value(result, 1, 'claim_coverage').value).toBe(1);
  });

  test('before adjudication the rate is the share of votes, between bounds, with the settled claims beside it', async () => {
    const path = new URL('../../../examples/consult/reviews.csv', import.meta.url);
    const lines = readFileSync(path, 'utf8').split('\n');
    const open = lines.filter((line) => !line.includes(',adjudicator,claims,')).join('\n');
    const before = await scored([], true, [], memorySource('open.csv', open));
    // C02: 4 settled, 1 hallucinated, one more is inferred or no claim. C03: 4, 1 hallucinated. C04: 4 settled, none
    // hallucinated, one more is hallucinated or inferred. Of 9 + 8 + 10 votes for a claim, 2 + 2 + 1 say hallucinated.
    expect(value(before, 1, 'hallucination_rate')).toMatchObject({ value: 5 / 27, n: 14, direction: 'lower' });
    expect(value(before, 1, 'hallucination_rate_low').value).toBe(2 / 14);
    expect(value(before, 1, 'hallucination_rate_high').value).toBe(4 / 14);
    expect(value(before, 1, 'hallucination_rate_settled')).toMatchObject({ value: 2 / 12, n: 12 });
    expect(value(before, 1, 'claim_coverage').value).toBe(12 / 14);
  });

  test('that one annotator took a claim out is a vote that it is none', async () => {
    const lines = ['dev,c1,grounded', 'dev,c2,hallucinated', 'esha,c1,grounded'].map(
      (line) => `C01,guided,claims,${line},words`,
    );
    const head = 'case_id,system,field,reviewer,part,value,text';
    const before = await scored([], true, [], memorySource('out.csv', `${[head, ...lines].join('\n')}\n`));
    // 0 of 1 claim, and half a vote for hallucinated in half a claim.
    expect(value(before, 1, 'hallucination_rate').value).toBe(0.5 / 1.5);
    expect(value(before, 1, 'hallucination_rate_low').value).toBe(0);
    expect(value(before, 1, 'hallucination_rate_high').value).toBe(1 / 2);
    expect(value(before, 1, 'hallucination_rate_settled')).toMatchObject({ value: 0, n: 1 });
  });

  test('an expert’s tick stands above the rule, and their agreement is a figure', () => {
    const cases = new Map(result.systems[1]!.cases?.map((one) => [one.case, one.measures]));
    // C03: asha ticks five of eight.
    expect(cases.get('C03')?.['completeness']).toBe(5 / 8);
    // The rules find diet (with ginger), herbs (a remedy, as tea) and follow-up, and no sources or disclaimer: all as she.
    // She also ticks constitution and imbalance, of which the answer says neither how sure nor how severe, and she leaves out
    // the walk before ten in the morning.
    expect(value(result, 1, 'rule_agreement')).toMatchObject({ value: 5 / 8, n: 8 });
  });

  test('secondary scales have their four dimensions', () => {
    // gita 5, hari 5.
    expect(value(result, 1, 'safety', { dimension: 'harm' })).toMatchObject({ value: 5, n: 2 });
    // gita 5+5+4+3, hari 5+4+4+3.
    expect(value(result, 1, 'safety')).toMatchObject({ value: 33 / 8, n: 8 });
  });
});

describe('files with faults', () => {
  const CASES = 'id,scenario,ground_truth_prakriti\n1,I am cold,Vata\n2,I am warm,Pitta\n';
  const files = async (cases: string, answers: string, set: readonly string[] = []): Promise<unknown> => {
    const plan: Plan = await planRecipe('consult/ayurmind', set);
    return readConsultFiles(
      memorySource('cases.csv', cases),
      [{ system: 's', source: memorySource('s.jsonl', answers) }],
      plan,
    );
  };

  test('all of them are said at once, with their lines', async () => {
    const error = await files(
      'id,scenario,ground_truth_prakriti\n1,I am cold,Vata\n1,Again,Vata\n,No id,Kapha\n3,,Kapha\n',
      '{"case_id":"9","response":"x"}\n{"case_id":"1","response":5}\n{"case_id":"1","response":"a"}\n{"case_id":1,"response":"b"}\n',
    ).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    const problems = error instanceof InputError ? error.problems : [];
    expect(problems.map(({ file, line, field }) => `${file}:${line ?? ''} ${field ?? ''}`)).toEqual([
      'cases.csv:3 id',
      'cases.csv:4 id',
      'cases.csv:5 scenario',
      's.jsonl:1 case_id',
      's.jsonl:2 response',
      's.jsonl:4 case_id',
    ]);
  });

  test('a missing answer is an empty one, a failed one or a fault, as the recipe says', async () => {
    const one = '{"case_id":"1","response":"Your prakriti is Vata."}\n';
    await expect(files(CASES, one, ['data.missingPrediction=error'])).rejects.toThrow(/no answer to case "2"/);
    await expect(files(CASES, one)).resolves.toBeDefined();
  });
});
