import { type Command, CommanderError } from 'commander';

import { commandGroup, EXIT } from './group.ts';
import { PLUGINS } from './plugins.ts';
import { guardFromCommands, isOnGitHub } from './workflow-commands.ts';

/** Runs one command line. What shows errors is loaded when there is one: `--help` is quick. */
export async function main(argv: readonly string[]): Promise<number> {
  const unguard = isOnGitHub() ? guardFromCommands([process.stdout, process.stderr]) : null;
  try {
    return await runCommand(argv);
  } finally {
    unguard?.();
  }
}

async function runCommand(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  const refusals: string[] = [];
  const program = await assayCommands((given) => (code = given), argv);
  const isVersionAsked = argv.some((word) => word === '--version' || word === '-V');
  program
    .description(ABOUT)
    .version(isVersionAsked ? (await import('../plugin.ts')).VERSION : '', '-V, --version')
    // So that `prompt show NAME --version 2` means the prompt's.
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride();
  keepRefusals(program, refusals);
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
    return code;
  } catch (error) {
    // Help and the version end that way too.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    return (await import('./exit-code.ts')).exitCodeFor(error, { program, argv, refusals });
  }
}

/** Commander reports a call that it refuses, and then throws. */
function keepRefusals(command: Command, refusals: string[]): void {
  command.configureOutput({ outputError: (text) => void refusals.push(text) });
  for (const part of command.commands) keepRefusals(part, refusals);
}

const ABOUT =
  'Scores a model’s extraction, redaction, summaries or advice, explains every verdict, and quantifies how sure the number is.';

const HELP = `
Start here:
  $ assay demo                      score the bundled examples
  $ assay presets                   which recipe fits your data
  $ assay init spans/strict my-eval a folder with a recipe and files to replace
  $ assay validate gold.jsonl       what a file is, and what is wrong with it
  $ assay score spans/strict --gold gold.jsonl --predictions p.jsonl \\
      --out runs/a
  $ assay convert corpus/ gold.jsonl    annotations of other tools, from and to
  $ assay explain runs/a            every verdict, with the reason
  $ assay query runs/a "select …"   its verdicts, cases and measures in SQL
  $ assay audit runs/a              what makes the numbers misleading, if anything
  $ assay compare runs/a runs/b     is b better than a, and how sure is that
  $ assay gate runs/b --rules gate.yaml --baseline runs/a
  $ assay waterfall runs/a          what each rule of the recipe does to the score
  $ assay serve                     runs, experiments and reviews in a browser
  $ assay agree ratings.csv         inter-annotator agreement
  $ assay run experiment.yaml       a model over a dataset, scored
  $ assay review --help             experts rate, label and adjudicate in a browser
  $ assay stream --help             summaries of a running conversation

Exit codes: 0 done or passed, 1 a gate failed, 2 the input or the call is wrong,
3 inconclusive (too little data), 70 a bug of ours.`;

export const assayCommands = commandGroup('assay', HELP, {
  demo: ['score the bundled examples: the quickest look at Assay', () => import('./demo.ts')],
  init: ['create a folder with a recipe and example files to replace with your data', () => import('./init.ts')],
  presets: ['list the presets by purpose, or print the recipe of one', () => import('./presets.ts')],
  score: ['score predictions against gold by a recipe: a preset or a YAML file', () => import('./score.ts')],
  merge: ['join the shards of a run that was scored in parts: the same bytes as in one', () => import('./merge.ts')],
  import: [
    'make runs of the logs of Inspect, promptfoo, DeepEval, lm-evaluation-harness and Langfuse',
    () => import('./import.ts'),
  ],
  explain: [
    'show every verdict of a case in its text, with the rule that decided it and the closest candidates',
    () => import('./explain.ts'),
  ],
  query: ['ask a run in SQL, through DuckDB if it is installed', () => import('./query.ts')],
  waterfall: ['show what each rule does to the score, from strict matching on', () => import('./waterfall.ts')],
  sweep: [
    'score a recipe at every value of one or two parameters: how much depends on them',
    () => import('./sweep.ts'),
  ],
  compare: [
    'compare runs over the same cases: which is better at what, and whether that is more than chance',
    () => import('./compare.ts'),
  ],
  gate: [
    'judge a run by rules: passed, failed or inconclusive, for a pipeline that should stop',
    () => import('./gate.ts'),
  ],
  convert: ['write annotations in another format, and list what is lost', () => import('./convert.ts')],
  validate: ['check files without scoring them: each by itself, or against a recipe', () => import('./validate.ts')],
  audit: ['look for what makes a run misleading: each finding with its evidence and a fix', () => import('./audit.ts')],
  repeats: [
    'compare several runs of one system on the same cases: what changes between them',
    () => import('./repeats.ts'),
  ],
  agree: [
    'measure inter-annotator agreement: kappas, alpha, AC1 with intervals, and the disputed items',
    () => import('./agree.ts'),
  ],
  run: ['run a model or pipeline over a dataset, score its output, and keep everything', () => import('./run.ts')],
  worker: ['make the calls of assay run --queue, on this or another machine', () => import('./worker.ts')],
  queue: ['show the jobs, workers and runs of a queue', () => import('./queue.ts')],
  dataset: [
    'create, import, show, check and archive datasets, and exchange them with Langfuse',
    () => import('./dataset.ts'),
  ],
  prompt: ['manage prompts: versions and labels', () => import('./prompt.ts')],
  serve: ['show runs, experiments and reviews in a browser; a Langfuse-compatible server', () => import('./serve.ts')],
  review: [
    'collect expert reviews: sheets, the review app, adjudication, agreement, reports',
    () => import('./review.ts'),
  ],
  ...Object.fromEntries(PLUGINS.map(({ name, commands }) => [name, commands])),
  report: ['show a run again: its numbers, where they come from and what limits them', () => import('./report.ts')],
  name: ['name a run, and note what was tried: changes no number', () => import('./name.ts')],
  schema: ['print a JSON Schema (2020-12), or list them', () => import('./schema.ts')],
});
