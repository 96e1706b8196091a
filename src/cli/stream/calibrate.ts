import { Command, Option } from 'commander';

import { UsageError } from '../../data/problems.ts';
import type { Document } from '../../report/document.ts';
import { renderMarkdown } from '../../report/render-markdown.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import {
  chosenYaml,
  gridYaml,
  perCaseLines,
  sweepCsv,
  sweepFigure,
  sweepJson,
} from '../../report/stream-calibration-files.ts';
import { sweepDocument } from '../../report/stream-calibration-sweep.ts';
import { v3Document, v3Json, v3Yaml } from '../../report/stream-calibration-v3.ts';
import { sweepNotices } from '../../report/stream-calibration-words.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { calibrateFromLogs, calibrateFromTraces } from '../../tasks/stream/calibrate/calibrate-v3.ts';
import { listedCases, readCaseList, type SubsetOfList } from '../../tasks/stream/calibrate/case-list.ts';
import { readByCase } from '../../tasks/stream/calibrate/flush-sizes.ts';
import { readGrid } from '../../tasks/stream/calibrate/sweep-grid.ts';
import { sweepCaseOf, sweepPolicies } from '../../tasks/stream/calibrate/sweep.ts';
import { type ResultFile, writeFiles } from '../../data/write-file.ts';
import { deterministicGzip } from '../../tasks/stream/deterministic-gzip.ts';
import { readVariant } from '../../tasks/stream/replay/read-variant.ts';
import { Progress } from '../progress.ts';
import { wholeNumber } from '../whole-number.ts';

interface CalibrateFlags {
  readonly runs?: string;
  readonly traces?: string;
  readonly variant: string;
  readonly config?: string;
  readonly caseList?: string;
  readonly first?: string;
  readonly sweep?: boolean;
  readonly grid?: string;
  readonly set?: readonly string[];
  readonly allowStubs?: boolean;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Too little data to tell, as everywhere. */
const INCONCLUSIVE = 3;

/** `end` is told the exit code where nothing could be chosen. */
export function calibrateCommand(end: (code: number) => void): Command {
  return new Command('calibrate')
    .description('the size of V3’s chunks from V0’s flushes; the gate’s settings by a sweep over the traces')
    .option('--runs <folder>', 'run logs of V0, or a folder that holds V0/')
    .option('--traces <folder>', 'traces; the gate is passed anew, no model is asked')
    .option('--variant <name>', 'whose flushes are measured', 'V0')
    .option('--config <folder>', 'YAML files of variants, with --traces (default: those that ship)')
    .option('--case-list <file>', 'ordered list of cases, one a line')
    .option('--first <n>', 'only the first cases of the list')
    .option('--sweep', 'try a grid of gate policies on the traces and choose from the Pareto front')
    .option('--grid <file>', 'the grid, in YAML (default: 625 policies)')
    .addOption(
      new Option('--set <path=value>', 'change a line of the grid, or of the variant; may be given again').argParser(
        (value, all: readonly string[] | undefined) => [...(all ?? []), value],
      ),
    )
    .option('--allow-stubs', 'also traces that are marked as no real conversation')
    .option('--out <folder>', 'write the reports there')
    .option('--json', 'print the result as JSON on standard output, everything else on standard error')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(async (flags: CalibrateFlags) => {
      const answered = flags.sweep === true ? await sweep(flags) : await chunk(flags);
      if (!answered) end(INCONCLUSIVE);
    });
}

const HELP = `
V3's chunk is the median over cases of the median V0 flush, rounded up. --out
gets v3_calibration_report.json and .md, and v3_fixed_trigger.yaml.

A sweep replays every policy of a grid over all traces: updates against time to
the first flush against how long words are held. --out gets
calibration_results.csv, calibration_per_case.jsonl.gz,
calibration_summary.json, calibration_report.md, calibration_config.yaml,
chosen_tokengate_params.yaml and pareto.svg. Its settings, for example:
  --set maxWait=first-buffer-only
  --set parameter_grid.min_words=[40,60]
  --set constraints.spam_pct_mean=5
  --set selection.objectives=[flush_count_mean,tail_words_mean]

Exit code 3: no policy keeps to every constraint, or no case has a flush.

Examples:
  $ assay stream calibrate --runs runs
  $ assay stream calibrate --traces traces --case-list cases.jsonl --first 40
  $ assay stream calibrate --traces traces --sweep --out calibration`;

async function chunk(flags: CalibrateFlags): Promise<boolean> {
  refuseForChunk(flags);
  const subset = await subsetOf(flags);
  const found =
    flags.runs === undefined
      ? await calibrateFromTraces(
          flags.traces ?? '',
          readVariant(flags.variant, flags.config ?? null, flags.set),
          subset,
          flags.allowStubs === true,
        )
      : await calibrateFromLogs(flags.runs, flags.variant, subset);
  const json = v3Json(found);
  const document = v3Document(found);
  report(flags, json, document, [
    ['v3_calibration_report.json', json],
    ['v3_calibration_report.md', renderMarkdown(document)],
    ['v3_fixed_trigger.yaml', found.chunkCtu === null ? null : v3Yaml(found.chunkCtu)],
  ]);
  return found.chunkCtu !== null;
}

async function sweep(flags: CalibrateFlags): Promise<boolean> {
  refuseForSweep(flags);
  const { grid, unused } = await readGrid(flags.grid ?? null, flags.set);
  const subset = await subsetOf(flags);
  const all = await readByCase(flags.traces ?? '', sweepCaseOf, flags.allowStubs === true);
  const { chosen: cases, list } = listedCases(all, subset);
  const progress = new Progress(process.stderr, flags.quiet === true);
  const found = await sweepPolicies(cases, grid, (share) => progress.at(share)).finally(() => progress.end());
  const notices = sweepNotices(found, unused, list?.missing ?? []);
  const document = sweepDocument(found, list, notices);
  const json = sweepJson(found, list, notices);
  const files = (): ResultFile[] => [
    ['calibration_results.csv', sweepCsv(found)],
    ['calibration_per_case.jsonl.gz', deterministicGzip(perCaseLines(found))],
    ['calibration_summary.json', json],
    ['calibration_report.md', renderMarkdown(document)],
    ['calibration_config.yaml', gridYaml(found)],
    ['chosen_tokengate_params.yaml', chosenYaml(found, list)],
    ['pareto.svg', sweepFigure(found)],
  ];
  report(flags, json, document, flags.out === undefined ? [] : files());
  return found.chosen !== null;
}

/** All of it is made before anything is written: a fault leaves nothing behind. */
function report(flags: CalibrateFlags, json: string, document: Document, files: readonly ResultFile[]): void {
  const stream = flags.json === true ? process.stderr : process.stdout;
  const shown = renderTerminal(document, terminalStyle(stream));
  if (flags.out !== undefined) writeFiles(flags.out, files, { next: 'choose another place with --out' });
  if (flags.json === true) process.stdout.write(json);
  if (flags.quiet !== true) stream.write(shown);
}

async function subsetOf({ caseList, first }: CalibrateFlags): Promise<SubsetOfList | null> {
  if (caseList === undefined) {
    if (first !== undefined)
      throw new UsageError('--first needs --case-list: of which list are the first cases meant?');
    return null;
  }
  const count = first === undefined ? null : wholeNumber('--first', first, 1, Number.MAX_SAFE_INTEGER);
  return { list: await readCaseList(caseList), first: count };
}

function refuseForChunk({ runs, traces, grid, config, set, allowStubs }: CalibrateFlags): void {
  if ((runs === undefined) === (traces === undefined))
    throw new UsageError(
      runs === undefined ? 'nothing to calibrate on' : '--runs and --traces are two ways to the same flushes',
      'give --runs FOLDER or --traces FOLDER',
    );
  if (grid !== undefined) throw new UsageError('--grid is for a sweep', 'add --sweep');
  if (runs === undefined) return;
  for (const [flag, value] of Object.entries({ '--config': config, '--set': set, '--allow-stubs': allowStubs }))
    if (value !== undefined) throw new UsageError(`${flag} is for --traces: run logs are taken as they are`);
}

function refuseForSweep({ runs, traces, config }: CalibrateFlags): void {
  if (traces === undefined || runs !== undefined)
    throw new UsageError('--sweep replays traces', 'give --traces FOLDER, and no --runs');
  if (config !== undefined)
    throw new UsageError('--config is for V3’s chunk', 'a sweep takes its policies from --grid');
}
