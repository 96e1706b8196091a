// Audit, figures, waterfall, sweep and report of a run.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/behind-a-run.ts
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { audit, fileSource, readRun, score, sweep, waterfall } from 'assay';
import { errorTypes, makeCaseScorer, planRecipe, readCases } from 'assay/pipeline';
import { buildReport, readFigures, recipeSweepFigure, taxonomyFigure, waterfallFigure } from 'assay/report';

const out = join(await mkdtemp(join(tmpdir(), 'assay-')), 'run');
const sources = { cases: fileSource('examples/pii/docs.json') };
await score('pii/piranha', { cases: 'examples/pii/docs.json' }, { out, texts: 'none' }); // texts: 'off' for no report.html

const { findings, checks } = await audit(out);
console.log(findings[0]?.severity, findings[0]?.name, findings[0]?.subjects); // error excused-hits [ 'ORG', 'DATETIME', 'DEM' ]
console.log(checks.filter(({ skipped }) => skipped !== null).length, 'checks could not look');

const figures = await readFigures(await readRun(out));
const [spans] = figures!.taxonomy;
console.log(spans!.errors.reduce((sum, { gap }) => sum + gap, 0).toFixed(3), (1 - spans!.f1!).toFixed(3)); // 0.224 0.224
console.log(taxonomyFigure(spans!).includes('</svg>')); // true

const plan = await planRecipe('pii/piranha');
const verdictsOf = makeCaseScorer(plan);
for await (const given of readCases(sources, plan.data))
  console.log(given.id, [...errorTypes(verdictsOf(given)[0]!.verdicts).values()]);

const steps = await waterfall('pii/piranha', sources);
console.log(steps.steps.at(-1)?.path, steps.steps.at(-1)?.measures['f1']?.toFixed(3)); // judge.excuse-overlap 0.776
console.log(waterfallFigure(steps).length > 0, steps.without.length); // true 7

const swept = await sweep({
  recipe: 'pii/piranha',
  over: ['pair.threshold.LOC=0.1..0.9:0.4'],
  systems: [{ name: 'piranha', sources }],
  measures: ['f1'],
});
console.log(swept.points.map(({ systems }) => systems[0]![0]!.value?.toFixed(3))); // [ '0.804', '0.727', '0.707' ]
console.log(recipeSweepFigure(swept).length > 0, swept.systems[0]?.best?.value.toFixed(3)); // true 0.804

let bytes = 0;
await buildReport([out], {
  texts: 'redacted',
  write: (piece) => {
    bytes += piece.length;
  },
}); // several folders: side by side
console.log(bytes > 100_000); // true
