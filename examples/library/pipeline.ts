// The stages one by one: a recipe as functions, files as cases, cases as verdicts.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/pipeline.ts
import { fileSource } from 'assay';
import { makeCaseScorer, planRecipe, readCases } from 'assay/pipeline';

const plan = await planRecipe('graph/openspec', ['pair.threshold=0.75']);
const verdictsOf = makeCaseScorer(plan);
const reader = readCases(
  { gold: fileSource('examples/graph/items.jsonl'), predictions: fileSource('examples/graph/outputs.jsonl') },
  plan.data,
);
for await (const given of reader) {
  for (const { scheme, verdicts } of verdictsOf(given)) {
    console.log(given.id, scheme, verdicts.filter(({ verdict }) => verdict === 'hit').length, 'hits');
  }
}
console.log(
  reader.files().map(({ name, rows }) => `${name}: ${rows}`),
  reader.notices,
);
