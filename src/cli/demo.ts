import { join } from 'node:path';

import { type Document, fileSource, programName, renderTerminal, shellWord, type Source } from '../plugin.ts';
import { planRecipe, scoreRun } from '../pipeline.ts';
import { reportFiles, runDocument } from '../report.ts';
import { command } from './command.ts';
import { commandIn, type Example, exampleFile, EXAMPLES, NEXT } from './examples.ts';
import * as flag from './flags.ts';
import { clearOnInterrupt } from './interrupt.ts';

export default command({
  name: 'demo',
  flags: { out: flag.string('<folder>', 'folder of the run folders', 'runs/demo'), verbose: flag.VERBOSE },
  help: `
Examples:
  $ assay demo
  $ assay demo --out /tmp/assay-demo && assay explain /tmp/assay-demo/pii`,
  async run({ out, verbose }, { print, style }) {
    for (const example of EXAMPLES)
      if (example.demo !== undefined)
        print(
          `${renderTerminal(await demoDocument(example.demo, example.task, join(out, example.task), verbose), style)}\n`,
        );
    const where = EXAMPLES.flatMap(({ task, demo }) =>
      demo === undefined ? [] : [`  ${task.padEnd(8)} ${shellWord(join(out, task, demo.report))}`],
    );
    const next = NEXT.map(([call = '', about = '']) => [`${programName()} ${commandIn(out, call)}`, about] as const);
    const width = Math.max(...next.map(([call]) => call.length)) + 2;
    print(
      `The reports, to open in a browser:\n${where.join('\n')}\n\nNext:\n${next.map(([call, about]) => `  ${call.padEnd(width)}${about}\n`).join('')}`,
    );
  },
});

async function demoDocument(
  demo: NonNullable<Example['demo']>,
  task: string,
  out: string,
  verbose: boolean,
): Promise<Document> {
  const file = (name: string): Source => fileSource(exampleFile(task, name));
  if ('variants' in demo) {
    // No model is called, and the concepts are those of the vocabulary that ships.
    const { measureRuns } = await import('./stream/measure.ts');
    const { streamDemoDocument } = await import('../stream.ts');
    const places = { traces: exampleFile(task, demo.traces), runs: exampleFile(task, demo.runs), out };
    return streamDemoDocument((await measureRuns({ ...places, variants: demo.variants })).variants);
  }
  const plan = await planRecipe(demo.preset);
  if ('files' in demo) {
    const sources = Object.fromEntries(Object.entries(demo.files).map(([role, name]) => [role, file(name)]));
    const { run, audit } = await scoreRun(plan, sources, { out, texts: 'full', onOpen: clearOnInterrupt });
    return runDocument(run, { audit, verbose });
  }
  const { evaluateSystems, evaluationOverview, lineForm, readReviewLines, snapshotOfLines, writeEvaluation } =
    await import('../review.ts');
  const systems = Object.entries(demo.systems).map(([system, name]) => ({ system, source: file(name) }));
  const lines = await readReviewLines([file(demo.reviews)], { form: lineForm(plan.review!) });
  const files = { cases: file(demo.cases), systems };
  const evaluation = await evaluateSystems(plan, files, snapshotOfLines(lines, plan.review!), {
    out,
    watch: reportFiles(),
    onOpen: clearOnInterrupt,
  });
  await writeEvaluation(out, evaluation);
  return evaluationOverview(evaluation, demo.shown, demo.agreement);
}
