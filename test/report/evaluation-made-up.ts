import type { MeasureValue } from '../../src/measure/results.ts';
import type { AgreementFigure } from '../../src/review/api.ts';
import type { SystemRun } from '../../src/compare/compare-systems.ts';
import type { Evaluation } from '../../src/review/evaluation.ts';
import { comparison, difference, shown, system } from './made-up-comparison.ts';
import { madeUpRun, measure } from './made-up-run.ts';

const RESOLVED = {
  task: 'consult',
  consult: { truth: 'auto', question: 'prakriti', claims: 'claims', ticks: 'components', languages: ['en', 'hi'] },
  prepare: {
    'read-class': { classes: { vata: [], pitta: [], kapha: [] } },
    'leave-out': { rule: 'leave-out-gold', labels: ['unknown', 'multiple'] },
  },
  measure: {
    accuracy: { of: 'recall', kind: 'class', about: 'right classes / cases', by: { slice: 'label', labels: [] } },
    treatment_relevance: {
      of: 'field-mean',
      kind: 'rating',
      where: { question: ['treatment_relevance'] },
      by: { slice: 'dimension', labels: ['safety', 'efficacy'] },
    },
    hallucination_rate: { of: 'verdict-share', kind: 'claim', by: 'none' },
    treatment_relevance_coverage: { of: 'ratio', heading: 'Coverage of what people were asked' },
    safety: {
      of: 'field-mean',
      kind: 'rating',
      where: { question: ['safety'] },
      by: 'none',
      heading: 'Secondary measures',
    },
    component_share: { of: 'recall', kind: 'component', by: { slice: 'component', labels: ['diet', 'herbs'] } },
  },
  primary: ['accuracy', 'treatment_relevance', 'hallucination_rate', 'safety'],
  review: { title: 'Consultations' },
};

const sure = (low: number, high: number): Pick<MeasureValue, 'interval' | 'noInterval'> => ({
  interval: { low, high, level: 0.95, method: 'bootstrap-percentile' },
  noInterval: null,
});
const without = (why: string): Partial<MeasureValue> => ({
  undefined: why,
  n: 0,
  units: 0,
  noInterval: 'there is no value',
});

const NO_RATINGS = 'there are no ratings';

function scored(name: string, measures: readonly MeasureValue[], folder: string): SystemRun {
  return {
    system: name,
    run: madeUpRun({
      folder,
      worst: [{ case: 'c2', missed: 3, spurious: 1, hit: 0 }],
      recipe: { name: 'consult/mine', about: 'Advice', resolved: RESOLVED },
      manifest: { task: 'consult', signature: `assay:0|task:consult|predicted:${name}` },
      measures: {
        cases: { total: 4, failed: 0, unanswered: 0 },
        measures,
        confusion: [
          { scheme: null, kind: 'class', gold: 'vata', predicted: 'vata', n: 2 },
          { scheme: null, kind: 'class', gold: 'vata', predicted: 'pitta', n: 1 },
          { scheme: null, kind: 'class', gold: 'pitta', predicted: null, n: 1 },
        ],
      },
    }),
    parity: [],
  };
}

function valuesOf(better: boolean): MeasureValue[] {
  const rating = { range: [1, 5] as const };
  return [
    better
      ? measure('accuracy', 0.5, { n: 4, ...sure(0.2, 0.8) })
      : measure('accuracy', 0.25, { n: 4, ...sure(0.1, 0.6) }),
    better
      ? measure('treatment_relevance', 3.25, { ...rating, n: 8, ...sure(2.5, 4) })
      : measure('treatment_relevance', null, { ...rating, ...without(NO_RATINGS) }),
    measure('treatment_relevance_coverage', better ? 0.5 : 0, { n: 4, ...sure(0, 0.75) }),
    measure('hallucination_rate', 0.2, { direction: 'lower', n: 10, noInterval: 'every resample gave the same value' }),
    measure('safety', null, { range: [0, 5], ...without('nobody rated safety') }),
    measure('component_share', 0.75, { n: 8, ...sure(0.5, 1), note: '2 items left out' }),
    measure('rule_agreement', null, without('there is no tick')),
    measure('flesch_kincaid_grade', better ? 9.5 : 12, {
      range: [null, null],
      best: 9,
      unit: 'grade',
      n: 4,
      ...sure(8.5, 12.5),
    }),
    measure('accuracy', 2 / 3, { slice: { label: 'vata' }, n: 3, ...sure(0.2, 0.9) }),
    measure('accuracy', 0, { slice: { label: 'pitta' }, n: 1, noInterval: 'one case only' }),
    measure('component_share', 1, { slice: { component: 'diet' }, n: 4, ...sure(0.5, 1) }),
    measure('treatment_relevance', null, { slice: { dimension: 'efficacy' }, ...rating, ...without(NO_RATINGS) }),
    measure('treatment_relevance', null, { slice: { dimension: 'safety' }, ...rating, ...without(NO_RATINGS) }),
    measure('accuracy', 0.5, { slice: { city: 'Pune' }, n: 2, ...sure(0.1, 0.9) }),
    measure('bilingual_parity', null, {
      best: 0,
      range: [null, null],
      ...without('no case has answers in two languages'),
    }),
  ];
}

export function agreed(field: string, more: Partial<AgreementFigure> = {}): AgreementFigure {
  return {
    field,
    part: null,
    title: `What about ${field}?`,
    coefficient: 'Cohen’s kappa',
    value: 0.8,
    undefined: null,
    n: 12,
    raters: 2,
    interval: { low: 0.77, high: 0.9, level: 0.95, method: 'bootstrap-percentile' },
    noInterval: null,
    target: null,
    met: null,
    growth: [],
    notes: [],
    ...more,
  };
}

/** Two systems and a few people, with every number made up. */
export function madeUpEvaluation(more: Partial<Evaluation> = {}): Evaluation {
  return {
    recipe: { name: 'consult/mine', about: 'Advice' },
    truth: 'experts',
    notices: [],
    cases: 4,
    systems: [scored('plain', valuesOf(false), 'runs/x/plain'), scored('rag', valuesOf(true), 'runs/x/rag')],
    comparison: comparison([shown('accuracy'), difference('hallucination_rate', { direction: 'lower' })], {
      systems: [system('plain'), system('rag')],
    }),
    agreement: [
      agreed('prakriti', { coefficient: 'Fleiss’ kappa', value: 0.6, raters: 3, n: 4 }),
      agreed('claims', { target: 0.75, met: true }),
      agreed('safety', { target: 0.75, met: false, value: 0.2 }),
      agreed('health', { target: 0.75, met: null }),
      agreed('tone', {
        value: null,
        undefined: 'one rater only',
        interval: null,
        noInterval: 'there is no value',
        n: 0,
      }),
    ],
    judge: [
      { ...agreed('claims', { value: 0.4 }), model: 'model-b', expired: null, notes: ['on 3 items'] },
      {
        ...agreed('claims', { value: null, undefined: 'it has expired: the prompt has changed', interval: null, n: 0 }),
        model: 'model-a',
        expired: 'the prompt has changed',
        notes: [],
      },
    ],
    withoutClass: [{ caseId: 'c3', because: 'disputed: one vote each' }],
    conflicts: { open: 2, decided: 3 },
    missing: [
      {
        question: 'treatment_relevance',
        title: 'Right?',
        system: 'plain',
        given: 0,
        expected: 24,
        people: ['experts'],
      },
      { question: 'prakriti', title: 'Which?', system: null, given: 9, expected: 12, people: ['experts'] },
    ],
    leftColumns: ['notes'],
    ...more,
  };
}
