import { writeFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

import { errorCode, renderMarkdown } from '../plugin.ts';
import { compareRuns, judgeGate, readRules, USUAL_FILE } from '../pipeline.ts';
import { gateAnnotations, gateDocument, gateJson, gateJunit } from '../report.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { EXIT } from './group.ts';
import { isOnGitHub, writeCommands } from './workflow-commands.ts';

const GATE_EXIT = { passed: EXIT.done, failed: EXIT.gateFailed, inconclusive: EXIT.inconclusive } as const;

const HELP = `
Rules, for example in ${USUAL_FILE}:
  rules:
    - { measure: f1, atLeast: 0.8 }               # the value decides
    - { measure: f1, atLeast: 0.75, sure: true }  # its interval, too
    - { measure: recall, each: label, atLeast: 0.7, minimum: { n: 30 } }
    - { measure: f1, notWorseThan: { margin: 0.02 } }
    - { failed: { atMost: 0 } }

Exit codes: 0 passed, 1 failed, 3 inconclusive, 2 the rules or the call are wrong.
On GitHub Actions it also prints annotations and writes the step summary.

Examples:
  $ assay gate runs/new
  $ assay gate runs/new --baseline runs/main --rules gates/release.yaml
  $ assay gate runs/new --junit gate.xml --markdown gate.md
  $ assay gate runs/new --json | jq .verdict`;

export default command({
  name: 'gate',
  arguments: { run: flag.argument('run folder, written by assay score --out') },
  flags: {
    rules: { ...flag.string('<file>', 'rules in YAML', USUAL_FILE), file: 'read' },
    baseline: flag.string('<run>', 'run folder that notWorseThan compares with'),
    recipe: flag.inputFile('recipe of the runs, if it has custom measures'),
    force: flag.toggle('compare even if the baseline was scored differently'),
    json: flag.JSON,
    out: flag.outputFile('file to write the JSON to'),
    junit: flag.outputFile('JUnit XML file to write, a test case for every check'),
    markdown: flag.outputFile('Markdown file to write, as a summary for a pull request'),
    quiet: flag.QUIET,
  },
  help: HELP,
  async run({ run, rules, force, baseline, recipe, quiet }, terminal) {
    const gate = await judgeGate(run, readRules(rules), compareRuns, {
      force,
      breathe: (share) => terminal.progress.at(share),
      ...flag.defined({ baseline, recipe }),
    });
    const document = gateDocument(gate);
    return {
      document: () => document,
      json: () => gateJson(gate),
      files: { junit: () => gateJunit(gate) },
      exit: GATE_EXIT[gate.verdict],
      after() {
        addToStepSummary(renderMarkdown(document));
        if (isOnGitHub() && !quiet) writeCommands(terminal.stream, gateAnnotations(gate, fileInRepository(rules)));
      },
    };
  },
});

/** GitHub shows this page with the run of the workflow. That it could not be written changes no verdict. */
function addToStepSummary(page: string): void {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    writeFileSync(file, page, { flag: 'a' });
  } catch (error) {
    process.stderr.write(`assay: the step summary was not written (${errorCode(error)})\n`);
  }
}

/** Annotations name files from the root of the repository; null for a file outside of it. */
function fileInRepository(file: string): string | null {
  const path = relative(process.env['GITHUB_WORKSPACE'] ?? process.cwd(), resolve(file));
  return path === '' || isAbsolute(path) || path.split(sep)[0] === '..' ? null : path.split(sep).join('/');
}
