// Two advisory systems scored with the reviews of experts from a file.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/consult.ts
import { fileSource } from 'assay';
import { planRecipe } from 'assay/pipeline';
import {
  agreementFigures,
  conflictsOf,
  consultReviews,
  evaluateSystems,
  lineForm,
  readReviewLines,
  snapshotOfLines,
} from 'assay/review';

const plan = await planRecipe('consult/ayurmind', ['interval=off']);
const file = (name: string) => fileSource(`examples/consult/${name}`);
const systems = ['plain', 'guided'].map((system) => ({ system, source: file(`${system}.jsonl`) }));
const files = { cases: file('cases.csv'), systems };

const lines = await readReviewLines([file('reviews.csv')], { form: lineForm(plan.review!) });
const snapshot = snapshotOfLines(lines, plan.review!);
console.log(consultReviews(snapshot, plan.consult!).classOf('C02')?.because); // 2 of 3 experts
console.log(conflictsOf(snapshot).length); // 5, all of them decided
for (const { field, part, coefficient, value } of agreementFigures(snapshot))
  if (part === null) console.log(field, coefficient, value);

const { systems: scored, missing } = await evaluateSystems(plan, files, snapshot, { out: null });
for (const { system, run } of scored) {
  const accuracy = run.measures.measures.find(
    ({ name, slice }) => name === 'accuracy' && Object.keys(slice).length === 0,
  );
  console.log(system, accuracy?.value?.toFixed(3), accuracy?.n); // plain 0.200 5, guided 0.857 7
}
for (const { question, system, given, expected } of missing) console.log(question, system, `${given} of ${expected}`);
