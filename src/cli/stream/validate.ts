import { Command } from 'commander';

import { renderTerminal } from '../../report/render-terminal.ts';
import { validationDocument } from '../../report/stream-validation.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { validateFiles, type ValidateOptions } from '../../tasks/stream/validate/validate.ts';
import { Progress } from '../progress.ts';
import { JsonProblems, TextProblems } from './validate-output.ts';

export interface ValidateFlags {
  readonly traces?: string;
  readonly runs?: string;
  readonly manifest?: string;
  readonly metrics?: string;
  readonly complete?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const WRONG_INPUT = 2;

/** `end` is told the exit code where it is not 0. */
export function validateCommand(end: (code: number) => void): Command {
  return new Command('validate')
    .description('check traces, run logs, manifests and metric files, each and against each other')
    .argument('[paths...]', 'files of JSON lines, packed or not, and folders of them')
    .option('--traces <dir>', 'as a path, and there has to be a trace in it, unless it is empty')
    .option('--runs <dir>', 'as a path, and there has to be a run log in it, unless it is empty')
    .option('--manifest <file>', 'as a path, and it has to be a manifest')
    .option('--metrics <dir>', 'as a path, and there has to be a metric file in it')
    .option('--complete', 'what is named but not there is a problem, not a notice')
    .option('--verbose', 'print every file that was read, traces with their chunk counts')
    .option('--json', 'print everything as JSON on standard output, the summary on standard error')
    .option('--quiet', 'print nothing but problems')
    .addHelpText('after', HELP)
    .action(async (paths: readonly string[], flags: ValidateFlags) => {
      await validated(flags, end, paths);
    });
}

const HELP = `
What a file is, its records say, not its name. Checked are:
  traces     order of seq, turns in pairs, content hashes, times within 2 ms,
             counts, at least one message, each case once
  run logs   order, indices and ids, windows, history, units, timestamps, what
             led to what: flushes, decisions, summaries; against the trace,
             hashes, the text of all three, reasons that cannot be true
  manifests  order, sums, hash of the set, each trace's sha256 (unpacked),
             counts, the hash of the case list, traces that are not listed, a
             mac_commit that is not the traces'
  metrics    what stream measure writes (per_case.metrics.jsonl,
             aggregate.metrics.json): each metric and its interval, each case
             once, counts, and fields under earlier names with other values
Each problem is one line: FILE:RECORD: what was found, what was expected.
assay schema trace (run-log, stream-manifest, stream-case-metrics,
stream-metrics) prints the JSON Schema.

A folder that is there and empty is reported and is no problem, except with
--complete. Chunk counts: what of a trace is part of its text, and what is not.

Exit codes: 0 nothing is wrong, 2 something is.

Examples:
  $ assay stream validate data/
  $ assay stream validate --traces traces --runs runs \\
      --manifest traces/set.manifest.jsonl --complete
  $ assay stream validate --metrics measures
  $ assay stream validate data/ --json | jq '.problems[].check'`;

/** Says what is wrong, and whether nothing is; where something is, `end` is told the exit code. */
export async function validated(
  flags: ValidateFlags,
  end: (code: number) => void,
  paths: readonly string[] = [],
): Promise<boolean> {
  const quiet = flags.quiet === true;
  const json = flags.json === true;
  const progress = new Progress(process.stderr, quiet);
  const out = json ? new JsonProblems() : new TextProblems();
  const found = await validateFiles({
    paths,
    holding: holdingOf(flags),
    complete: flags.complete === true,
    report: (finding) => {
      progress.end();
      out.add(finding);
    },
    breathe: (share) => progress.at(share),
    written: () => out.written(),
  }).finally(() => {
    progress.end();
    out.flush();
  });
  out.end(found, flags.verbose === true);
  const stream = json ? process.stderr : process.stdout;
  if (!quiet) stream.write(renderTerminal(validationDocument(found, flags.verbose === true), terminalStyle(stream)));
  if (found.problems > 0) end(WRONG_INPUT);
  return found.problems === 0;
}

function holdingOf({ traces, runs, manifest, metrics }: ValidateFlags): NonNullable<ValidateOptions['holding']> {
  return [
    ...(traces === undefined ? [] : [{ path: traces, kind: 'trace' as const }]),
    ...(runs === undefined ? [] : [{ path: runs, kind: 'run-log' as const }]),
    ...(manifest === undefined ? [] : [{ path: manifest, kind: 'manifest' as const }]),
    ...(metrics === undefined ? [] : [{ path: metrics, kind: 'metrics' as const }]),
  ];
}
