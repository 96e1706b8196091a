import { Command, CommanderError } from 'commander';

import { fileSystemProblem } from './file-system-problem.ts';
import { notJson } from '../data/json-record.ts';
import { InputError, UsageError } from '../data/problems.ts';
import { harmless } from '../data/visible.ts';
import { VERSION } from '../score/version.ts';
import { suggestion } from './suggestions.ts';
import { guardFromCommands, isOnGitHub } from './workflow-commands.ts';

/** What a finished command tells the shell. */
export const EXIT = { done: 0, gateFailed: 1, usage: 2, cannotTell: 3, bug: 70 } as const;
const GATE_EXIT = { passed: EXIT.done, failed: EXIT.gateFailed, 'cannot tell': EXIT.cannotTell } as const;

/** Runs one command line; the only place where errors become exit codes. */
export async function main(argv: readonly string[]): Promise<number> {
  const unguard = isOnGitHub() ? guardFromCommands([process.stdout, process.stderr]) : null;
  try {
    return await runCommand(argv);
  } finally {
    unguard?.();
  }
}

async function runCommand(argv: readonly string[]): Promise<number> {
  // A command that has more to say than "done" says it here.
  const ended: { code: number } = { code: EXIT.done };
  const program = await buildProgram((code) => void (ended.code = code), argv);
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
    return ended.code;
  } catch (error) {
    return exitCodeFor(fileSystemProblem(error) ?? error, (told) => suggestion(told, program, argv));
  }
}

async function buildProgram(end: (code: number) => void, argv: readonly string[]): Promise<Command> {
  const program = new Command('assay')
    .description(
      'Says how good a model’s extraction, redaction, summary or advice is, shows the reason for every verdict, and says how sure the number is.',
    )
    .version(VERSION, '-V, --version')
    // So that `prompt show NAME --version 2` means the prompt's.
    .enablePositionalOptions()
    // What was meant is said by suggestion().
    .showSuggestionAfterError(false)
    .addHelpText(
      'after',
      `
Start here:
  $ assay demo                      score the bundled examples
  $ assay init journal my-eval      a folder with a recipe and files to replace
  $ assay validate pii/strict --gold gold.jsonl --predictions p.jsonl
  $ assay score pii/strict --gold gold.jsonl --predictions p.jsonl --out runs/a
  $ assay explain runs/a            every verdict, with the reason
  $ assay audit runs/a              what makes the numbers misleading, if anything
  $ assay compare runs/a runs/b     is b better than a, and how sure is that
  $ assay gate runs/b --rules gate.yaml --baseline runs/a
  $ assay waterfall runs/a          what each rule of the recipe does to the score
  $ assay serve                     runs, experiments and reviews in a browser
  $ assay agree ratings.csv         how far people agree
  $ assay run experiment.yaml       a model over a dataset, scored
  $ assay review --help             experts rate, label and adjudicate in a browser
  $ assay stream --help             summaries of a running conversation

Exit codes: 0 done or passed, 1 a gate failed, 2 the input or the call is wrong,
3 cannot tell (too little data), 70 a bug of ours.`,
    );
  for (const [name, about] of Object.entries(ABOUT)) {
    const command = argv.includes(name) ? (await LOAD[name]!())(end) : new Command(name);
    program.addCommand(command.description(about).showSuggestionAfterError(false).exitOverride());
  }
  onOneLine(program);
  return program.exitOverride();
}

/** Commander repeats what was written on the command line, which may hold line breaks and worse. */
function onOneLine(command: Command): void {
  command.configureOutput({ outputError: (text, write) => write(`${harmless(text.trimEnd())}\n`) });
  command.commands.forEach(onOneLine);
}

/** In the order of the help. */
const ABOUT = {
  demo: 'score the bundled examples and show the result: the quickest look at Assay',
  init: 'make a folder with a recipe and example files to replace by your own',
  score: 'score predictions against gold by a recipe: a preset or a YAML file',
  explain: 'show every verdict of a case in its text, with the rule that decided and what else came near',
  waterfall: 'from strict matching to the score, rule by rule: what each rule does',
  sweep: 'score a recipe at every value of a parameter, or of two: how much hangs on it',
  compare: 'compare runs over the same cases: which is better at what, and whether that is more than chance',
  gate: 'judge a run by rules: passed, failed or cannot tell, for a pipeline that should stop',
  validate: 'check your own files against a recipe, without a score',
  audit: 'look for what makes a run misleading: each finding with its evidence and what to do',
  repeats: 'compare several runs of one system on the same cases: what moves, what comes and goes, what flips',
  agree: 'how far raters agree: kappas, alpha, AC1 with intervals, and the items they dispute',
  run: 'run a model or pipeline over a dataset, score what it says, and keep everything',
  dataset: 'datasets: make, import, look at, check, archive, exchange with Langfuse',
  prompt: 'prompts: versions and labels',
  serve: 'runs, experiments and reviews in a browser; a Langfuse-compatible server',
  review: 'what people say: sheets, the review app, adjudication, agreement, reports',
  stream: 'summaries of a running conversation: record, validate, replay, measure, compare',
  report: 'show a run again: its numbers, where they come from and what to mind',
  schema: 'print a JSON Schema (2020-12), or list what there is',
};

type MakeCommand = (end: (code: number) => void) => Command;

/** Most of the program belongs to a few commands: it is read only where they are asked for. */
const LOAD: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  demo: async () => (await import('./demo.ts')).demoCommand,
  init: async () => (await import('./init.ts')).initCommand,
  score: async () => (await import('./score.ts')).scoreCommand,
  explain: async () => (await import('./explain.ts')).explainCommand,
  waterfall: async () => (await import('./waterfall.ts')).waterfallCommand,
  sweep: async () => (await import('./sweep.ts')).sweepCommand,
  compare: async () => (await import('./compare.ts')).compareCommand,
  gate: async () => {
    const { gateCommand } = await import('./gate.ts');
    return (end) => gateCommand((verdict) => end(GATE_EXIT[verdict]));
  },
  validate: async () => (await import('./validate.ts')).validateCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  repeats: async () => (await import('./repeats.ts')).repeatsCommand,
  agree: async () => (await import('./agree.ts')).agreeCommand,
  run: async () => (await import('./run.ts')).runCommand,
  dataset: async () => (await import('./dataset.ts')).datasetCommand,
  prompt: async () => (await import('./prompt.ts')).promptCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  review: async () => (await import('./review.ts')).reviewCommand,
  stream: async () => (await import('./stream.ts')).streamCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  schema: async () => (await import('./schema.ts')).schemaCommand,
};

function exitCodeFor(error: unknown, meant: (error: CommanderError) => string): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    // Commander has said what is wrong; here is where to look.
    process.stderr.write(`${meant(error)}See assay --help, or assay COMMAND --help for examples.\n`);
    return EXIT.usage;
  }
  if (error instanceof InputError) {
    const problems = error.total === 1 ? '1 problem' : `${error.total} problems`;
    process.stderr.write(`${error.message}\n${problems} in the input; nothing was written.\n`);
    return EXIT.usage;
  }
  if (error instanceof UsageError) {
    process.stderr.write(`assay: ${error.message}\n${error.next === null ? '' : `${error.next}\n`}`);
    return EXIT.usage;
  }
  const detail =
    error instanceof Error && process.env['ASSAY_DEBUG'] !== undefined
      ? (error.stack ?? error.message)
      : harmless(error instanceof Error ? wordsOf(error) : String(error));
  process.stderr.write(`assay: a bug of ours: ${detail}\nPlease report it; ASSAY_DEBUG=1 shows where it happened.\n`);
  return EXIT.bug;
}

/** Node's messages quote the text that is not JSON, and that may be a key. */
function wordsOf(error: Error): string {
  return error instanceof SyntaxError && error.message.includes('JSON') ? notJson(error) : error.message;
}
