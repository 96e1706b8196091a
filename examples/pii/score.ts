/**
 * What do two rules of the recipe do to the score? Each is switched off in turn, as `--set` does on the command line.
 * In a checkout, after npm ci: node tools/runtime/run.js examples/pii/score.ts
 */
import { fileURLToPath } from 'node:url';

import { score } from 'assay';

const docs = fileURLToPath(new URL('docs.json', import.meta.url));

for (const set of [[], ['judge.loc-in-org=off'], ['judge.excuse-missed=off']]) {
  const { measures } = await score('pii/piranha', { cases: docs }, { set });
  const value = (name: string): string =>
    (measures.find((m) => m.name === name && Object.keys(m.slice).length === 0)?.value ?? Number.NaN).toFixed(3);
  console.log(
    `${(set[0] ?? 'as it is').padEnd(24)} precision ${value('precision')}  recall ${value('recall')}  f1 ${value('f1')}`,
  );
}
