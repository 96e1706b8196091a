// Pairs of names with a similarity of 0.85 or more, from comparing all with all; the best first, as `assign: greedy` does.
import { readFileSync } from 'node:fs';

import { distance } from 'fastest-levenshtein';

/** @param {string | undefined} path one name a line */
const namesIn = (path = '') => readFileSync(path, 'utf8').split('\n').toSorted();

const [gold, predicted] = [namesIn(process.argv[2]), namesIn(process.argv[3])];
const edges = [];
for (const [g, a] of gold.entries())
  for (const [p, b] of predicted.entries()) {
    const similarity = 1 - distance(a, b) / Math.max(a.length, b.length);
    if (similarity >= 0.85) edges.push({ g, p, similarity });
  }
edges.sort((a, b) => b.similarity - a.similarity || a.g - b.g || a.p - b.p);
const [goldTaken, predictedTaken] = [new Set(), new Set()];
const pairs = [];
for (const { g, p, similarity } of edges) {
  if (goldTaken.has(g) || predictedTaken.has(p)) continue;
  goldTaken.add(g);
  predictedTaken.add(p);
  pairs.push([gold[g], predicted[p], similarity]);
}
console.log(JSON.stringify(pairs));
