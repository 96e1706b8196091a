/**
 * Scores the example journals and lists every prediction whose quote is not in the text.
 * In a checkout, after npm ci: node tools/runtime/run.js examples/journal/score.ts
 */
import { fileURLToPath } from 'node:url';

import { score } from 'assay';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const ungrounded: string[] = [];
const result = await score(
  'journal/ashwam',
  { cases: file('journals.jsonl'), gold: file('gold.jsonl'), predictions: file('predictions.jsonl') },
  {
    verdicts(verdicts) {
      for (const { case: id, predicted } of verdicts)
        if (predicted?.grounded === false) ungrounded.push(`${id}: ${predicted.text}`);
    },
  },
);

for (const measure of result.measures) {
  if (Object.keys(measure.slice).length > 0) continue;
  console.log(`${measure.name}: ${measure.value ?? `undefined (${measure.undefined ?? ''})`}, n = ${measure.n}`);
}
console.log(`not in the text:\n  ${ungrounded.join('\n  ')}`);
