import { appendFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

import { Command } from 'commander';

import { errorCode } from '../data/source.ts';
import { gateAnnotations } from '../report/gate-annotations.ts';
import { gateJson } from '../report/gate-json.ts';
import { gateJunit } from '../report/gate-junit.ts';
import { gateDocument } from '../report/gate.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { compareRuns } from '../compare/compare-runs.ts';
import type { GateVerdict } from '../compare/gate/check.ts';
import { type Gate, judgeGate } from '../compare/gate/judge-gate.ts';
import { readRules, USUAL_FILE } from '../compare/gate/rules.ts';
import { ShareProgress } from './share-progress.ts';
import { isOnGitHub, writeCommands } from './workflow-commands.ts';
import { refusePlaces, writeWhole } from './write-whole.ts';

interface GateFlags {
  readonly rules: string;
  readonly baseline?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly out?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly quiet?: boolean;
}

/** `end` is told the verdict, which becomes the exit code. */
export function gateCommand(end: (verdict: GateVerdict) => void): Command {
  return new Command('gate')
    .argument('<run>', 'folder that assay score --out made')
    .option('--rules <file>', 'the rules, in YAML', USUAL_FILE)
    .option('--baseline <run>', 'folder of the run that notWorseThan compares with')
    .option('--force', 'compare although the baseline was not scored alike')
    .option('--json', 'print the result as JSON on standard output, everything else on standard error')
    .option('--out <file>', 'write the JSON to a file')
    .option('--junit <file>', 'write JUnit XML, a test case for every check')
    .option('--markdown <file>', 'write a summary for a pull request')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(async (folder: string, flags: GateFlags) => {
      end(await gate(folder, flags));
    });
}

const HELP = `
Rules, for example in ${USUAL_FILE}:
  rules:
    - { measure: f1, atLeast: 0.8 }               # the value decides
    - { measure: f1, atLeast: 0.75, sure: true }  # its interval, too
    - { measure: recall, each: label, atLeast: 0.7, minimum: { n: 30 } }
    - { measure: f1, notWorseThan: { margin: 0.02 } }
    - { failed: { atMost: 0 } }

Exit codes: 0 passed, 1 failed, 3 cannot tell, 2 the rules or the call are wrong.
On GitHub Actions it also prints annotations and writes the step summary.

Examples:
  $ assay gate runs/new
  $ assay gate runs/new --baseline runs/main --rules gates/release.yaml
  $ assay gate runs/new --junit gate.xml --markdown gate.md
  $ assay gate runs/new --json | jq .verdict`;

async function gate(folder: string, flags: GateFlags): Promise<GateVerdict> {
  refusePlaces([
    ['--rules', flags.rules],
    ['--out', flags.out],
    ['--junit', flags.junit],
    ['--markdown', flags.markdown],
  ]);
  const rules = readRules(flags.rules);
  const progress = new ShareProgress(process.stderr, flags.quiet === true);
  const found = await judgeGate(folder, rules, compareRuns, {
    force: flags.force === true,
    breathe: (share) => progress.at(share),
    ...(flags.baseline === undefined ? {} : { baseline: flags.baseline }),
  }).finally(() => progress.end());
  report(found, flags);
  return found.verdict;
}

function report(found: Gate, flags: GateFlags): void {
  // All of it is made before anything is written: a fault leaves nothing behind.
  const json = gateJson(found);
  const junit = gateJunit(found);
  const document = gateDocument(found);
  const page = renderMarkdown(document);
  if (flags.out !== undefined) writeWhole(flags.out, json, '--out');
  if (flags.junit !== undefined) writeWhole(flags.junit, junit, '--junit');
  if (flags.markdown !== undefined) writeWhole(flags.markdown, page, '--markdown');
  addToStepSummary(page);
  if (flags.json === true) process.stdout.write(json);
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(renderTerminal(document, terminalStyle(stream)));
  if (isOnGitHub()) writeCommands(stream, gateAnnotations(found, fileInRepository(flags.rules)));
}

/** GitHub shows this page with the run of the workflow. That it could not be written changes no verdict. */
function addToStepSummary(page: string): void {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, page);
  } catch (error) {
    process.stderr.write(`assay: the step summary was not written (${errorCode(error)})\n`);
  }
}

/** Annotations name files from the root of the repository; null for a file outside of it. */
function fileInRepository(file: string): string | null {
  const path = relative(process.env['GITHUB_WORKSPACE'] ?? process.cwd(), resolve(file));
  return path === '' || isAbsolute(path) || path.split(sep)[0] === '..' ? null : path.split(sep).join('/');
}
