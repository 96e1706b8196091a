// Pairs of names with a similarity of 0.85 or more, from the library; run in the folder of a packed install.
import { readFileSync } from 'node:fs';

import { makeItem } from 'assay';
import { pair } from 'assay/pipeline';

/** @param {string | undefined} path one name a line */
const entitiesIn = (path = '') =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map((text, index) => makeItem({ kind: 'entity', index, label: 'Person', text }));

const [gold, predicted] = [entitiesIn(process.argv[2]), entitiesIn(process.argv[3])];
const { pairs } = pair(gold, predicted, { similarity: 'levenshtein', threshold: 0.85 });
console.log(JSON.stringify(pairs.map((each) => [each.gold.text, each.predicted.text, each.similarity])));
