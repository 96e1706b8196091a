/**
 * Scores entities that never were in a file: cases are made in memory, and pairing is also used on its own.
 * In a checkout, after npm ci: node tools/runtime/run.js examples/graph/score.ts
 */
import { makeCase, makeItem, score } from 'assay';
import { pair } from 'assay/pipeline';

const entity = (index: number, name: string, type: string) =>
  makeItem({ kind: 'entity', index, label: type, text: name, fields: { name, type } });

const gold = [entity(0, 'John Smith', 'Person'), entity(1, 'Acme Corporation', 'Organization')];
const predicted = [entity(0, 'John D. Smith', 'Person'), entity(1, 'ACME Corporation', 'Company')];

const { measures } = await score('graph/openspec', [makeCase({ id: 'one', gold, predicted })], {
  set: ['pair.threshold=0.75'],
});
for (const name of ['entity_f1', 'type_accuracy', 'relationship_f1']) {
  const found = measures.find((measure) => measure.name === name && Object.keys(measure.slice).length === 0);
  console.log(`${name}: ${found?.value ?? `undefined (${found?.undefined ?? ''})`}`);
}

const { pairs, gold: missed } = pair(gold, predicted, {
  similarity: 'levenshtein',
  normalise: ['lower'],
  threshold: 0.85,
});
for (const { gold: right, predicted: said, similarity } of pairs)
  console.log(`${right.text} = ${said.text} (${similarity})`);
for (const { item, rejected } of missed)
  console.log(`${item.text} was missed; closest: ${rejected?.item.text ?? 'nothing'}, ${rejected?.why ?? ''}`);
