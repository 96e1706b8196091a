import { join } from 'node:path';

import { fileSource, type Source } from '../data/source.ts';
import { planRecipe } from '../recipe/plan.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { programName } from '../report/program-name.ts';
import { shellWord } from '../report/shell-word.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { runDocument } from '../report/run.ts';
import type { Audit } from '../audit/finding.ts';
import { scoreToFolder } from '../score/score-to-folder.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { EXAMPLES, EXAMPLE_TASKS, type ExampleTask, exampleFolder } from './examples.ts';
import { clearOnInterrupt } from './interrupt.ts';

export const demoCommand = command({
  name: 'demo',
  flags: { out: flag.text('<folder>', 'folder of the run folders', 'runs/demo'), verbose: flag.VERBOSE },
  help: `
Examples:
  $ assay demo
  $ assay demo --out /tmp/assay-demo && assay explain /tmp/assay-demo/pii`,
  async run({ out, verbose }, { print, style }) {
    for (const example of EXAMPLES) {
      const plan = await planRecipe(example.preset);
      const files = Object.entries(example.files).map(([role, file]): [string, Source] => [
        role,
        fileSource(join(exampleFolder(example.task), file)),
      ]);
      let audit: Audit | null = null;
      const run = await scoreToFolder(plan, Object.fromEntries(files), {
        out: join(out, example.task),
        watch: reportFiles({ onAudit: (found) => (audit = found) }),
        onOpen: clearOnInterrupt,
      });
      print(`${renderTerminal(runDocument(run, { audit, verbose }), style)}\n`);
    }
    // Read only where it is asked for, as in main.
    const { DEMO_VARIANTS, measureStreamExample } = await import('./stream-example.ts');
    const { streamDemoDocument } = await import('../stream/report/measures.ts');
    const stream = join(out, 'stream');
    print(`${renderTerminal(streamDemoDocument(await measureStreamExample(stream)), style)}\n`);
    const { consultDemoDocument, evaluateConsultExample } = await import('./consult-example.ts');
    const consult = join(out, 'consult');
    print(`${renderTerminal(consultDemoDocument(await evaluateConsultExample(consult)), style)}\n`);
    const reports: Readonly<Partial<Record<ExampleTask, string>>> = {
      stream: `${DEMO_VARIANTS[1]}/report.html`,
      consult: 'evaluation_summary_report.html',
    };
    const place = (...names: string[]): string => shellWord(join(out, ...names));
    const where = EXAMPLE_TASKS.map((task) => `  ${task.padEnd(8)} ${place(task, reports[task] ?? 'report.html')}`);
    const next: (readonly [command: string, about: string])[] = [
      [`${programName()} serve --runs ${place()}`, 'all of them in a browser, side by side'],
      [`${programName()} explain ${place('pii')}`, 'every verdict with its reason'],
      [`${programName()} waterfall ${place('pii')}`, 'what each rule does to the score'],
      [
        `${programName()} compare ${DEMO_VARIANTS.map((name) => place('stream', name)).join(' ')}`,
        'whether variants differ',
      ],
      [`${programName()} init journal`, 'a folder to start from'],
      [`${programName()} init consult`, 'answers to be rated in a browser, by your experts'],
      [`${programName()} init experiment`, 'a dataset put to a system, scored; needs no key'],
    ];
    const width = Math.max(...next.map(([call]) => call.length)) + 2;
    print(
      `The reports, to open in a browser:\n${where.join('\n')}\n\nNext:\n${next.map(([call, about]) => `  ${call.padEnd(width)}${about}\n`).join('')}`,
    );
  },
});
