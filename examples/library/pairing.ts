// Pairs items without scoring: the closest rejected candidate of each item that is left over, and the assignment alone.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/pairing.ts
import { makeItem } from 'assay';
import { pair } from 'assay/pipeline';
import { assign } from 'assay/stats';

const entity = (index: number, text: string) => makeItem({ kind: 'entity', index, label: 'Person', text });
const { pairs, gold, predicted } = pair(
  [entity(0, 'John Smith'), entity(1, 'Clara Eidsvik')],
  [entity(0, 'JOHN  SMITH'), entity(1, 'Klara Eidswik')],
  { similarity: 'levenshtein', normalise: ['lower', 'collapse'], threshold: 0.85 },
);
for (const { gold: right, predicted: said, similarity } of pairs) console.log(right.text, '=', said.text, similarity);
for (const { item, rejected } of gold) console.log(item.text, 'missed;', rejected?.item.text, rejected?.why);
console.log(predicted.length, 'left over');

// A custom similarity, and the assignment alone:
console.log(
  pair([entity(0, 'Ann')], [entity(0, 'Anna')], { similarity: (g, p) => (p.text.startsWith(g.text) ? 1 : 0) }).pairs
    .length,
);
const edges = [
  { gold: 0, predicted: 0, similarity: 0.6, preference: 0 },
  { gold: 0, predicted: 1, similarity: 0.5, preference: 0 },
  { gold: 1, predicted: 0, similarity: 0.5, preference: 0 },
];
console.log(assign('greedy', edges).length, assign('optimal', edges).length); // 1 2
