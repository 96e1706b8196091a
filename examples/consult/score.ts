/**
 * Scores both systems with what people said, and lists how each class was settled.
 * In a checkout, after npm ci: node tools/runtime/run.js examples/consult/score.ts
 */
import { fileURLToPath } from 'node:url';

import { fileSource } from 'assay';
import { planRecipe } from 'assay/pipeline';
import {
  agreementFigures,
  consultReviews,
  evaluateSystems,
  lineForm,
  readConsultFiles,
  readReviewLines,
  snapshotOfLines,
} from 'assay/review';

const file = (name: string) => fileSource(fileURLToPath(new URL(name, import.meta.url)));

const plan = await planRecipe('consult/ayurmind');
if (plan.review === null || plan.consult === null) throw new Error('not a recipe for consultations');

const systems = ['plain', 'guided'].map((system) => ({ system, source: file(`${system}.jsonl`) }));
const lines = await readReviewLines([file('reviews.csv')], { form: lineForm(plan.review) });
const snapshot = snapshotOfLines(lines, plan.review);
const reviews = consultReviews(snapshot, plan.consult);

const evaluation = await evaluateSystems(plan, { cases: file('cases.csv'), systems }, snapshot, { out: null });
for (const { system, run } of evaluation.systems)
  for (const name of ['accuracy', 'completeness', 'treatment_relevance', 'hallucination_rate']) {
    const found = run.measures.measures.find((one) => one.name === name && Object.keys(one.slice).length === 0);
    const value = found?.value?.toFixed(3) ?? `undefined (${found?.undefined ?? ''})`;
    console.log(`${system} ${name}: ${value}, n = ${found?.n ?? 0}`);
  }

for (const { field, part, coefficient, value } of agreementFigures(snapshot))
  if (part === null && value !== null) console.log(`${field}: ${coefficient} ${value.toFixed(3)}`);

const [files] = await readConsultFiles(file('cases.csv'), systems, plan);
for (const { id } of files?.cases.rows ?? []) {
  const settled = reviews.classOf(id);
  console.log(`${id}: ${settled?.label ?? 'none'} (${settled?.because ?? ''})`);
}
