import { deterministicGzip, renderMarkdown, type ResultFile, UsageError, writeFiles } from '../../plugin.ts';
import * as stream from '../../stream.ts';
import { command, type CommandResult, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';
import { EXIT } from '../group.ts';

const FLAGS = {
  runs: flag.string('<folder>', 'run logs of V0, or a folder that contains V0/'),
  traces: flag.string('<folder>', 'traces, which pass the gate again; no model is called'),
  variant: flag.string('<name>', 'variant whose flushes are measured', 'V0'),
  config: flag.string('<folder>', 'YAML files of variants, with --traces (default: as shipped)'),
  caseList: flag.inputFile('ordered list of cases, one per line'),
  first: flag.integer('<n>', 'number of cases to use, the first of the list (default: all)', { from: 1 }),
  sweep: flag.toggle('try a grid of gate policies on the traces and choose from the Pareto front'),
  grid: flag.inputFile('grid in YAML (default: 625 policies)'),
  set: flag.strings('<path=value>', 'setting of the grid or of the variant to change'),
  allowStubs: flag.toggle('include traces that are marked as stubs'),
  out: flag.string('<folder>', 'folder to write the reports to'),
  json: flag.JSON,
  quiet: flag.QUIET,
};

type CalibrateFlags = flag.FlagValues<typeof FLAGS>;

export default command({
  name: 'calibrate',
  flags: FLAGS,
  help: `
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

Exit code 3: no policy meets every constraint, or no case has a flush.

Examples:
  $ assay stream calibrate --runs runs
  $ assay stream calibrate --traces traces --case-list cases.jsonl --first 40
  $ assay stream calibrate --traces traces --sweep --out calibration`,
  run: (flags, terminal) => (flags.sweep ? calibrateGate(flags, terminal) : calibrateChunk(flags)),
});

async function calibrateChunk(flags: CalibrateFlags): Promise<CommandResult> {
  const { runs, traces, variant, config = null, set, allowStubs, out } = flags;
  const source = runs ?? traces;
  if (source === undefined || (runs !== undefined && traces !== undefined))
    throw new UsageError(
      source === undefined ? 'nothing to calibrate on' : '--runs and --traces are two ways to the same flushes',
      'give --runs FOLDER or --traces FOLDER',
    );
  if (flags.grid !== undefined) throw new UsageError('--grid is for a sweep', 'add --sweep');
  const idle = { '--config': config !== null, '--set': set.length > 0, '--allow-stubs': allowStubs };
  for (const [name, isUsed] of Object.entries(idle))
    if (runs !== undefined && isUsed) throw new UsageError(`${name} is for --traces: run logs are used as they are`);
  const subset = await subsetOf(flags);
  const chunk =
    runs === undefined
      ? await stream.calibrateFromTraces(source, stream.readVariant(variant, config, set), subset, allowStubs)
      : await stream.calibrateFromLogs(source, variant, subset);
  const json = stream.v3Json(chunk);
  const document = stream.v3Document(chunk);
  write(out, () => [
    ['v3_calibration_report.json', json],
    ['v3_calibration_report.md', renderMarkdown(document)],
    ['v3_fixed_trigger.yaml', chunk.chunkCtu === null ? null : stream.v3Yaml(chunk.chunkCtu)],
  ]);
  return { document: () => document, json: () => json, exit: chunk.chunkCtu === null ? EXIT.inconclusive : EXIT.done };
}

async function calibrateGate(flags: CalibrateFlags, terminal: Terminal): Promise<CommandResult> {
  if (flags.traces === undefined || flags.runs !== undefined)
    throw new UsageError('--sweep replays traces', 'give --traces FOLDER, and no --runs');
  if (flags.config !== undefined)
    throw new UsageError('--config is for V3’s chunk', 'a sweep takes its policies from --grid');
  const { grid, unused } = await stream.readGrid(flags.grid ?? null, flags.set);
  const subset = await subsetOf(flags);
  const all = await stream.readByCase(flags.traces, stream.sweepCaseOf, flags.allowStubs);
  const { chosen: cases, list } = stream.casesOfList(all, subset);
  const sweep = await stream.sweepPolicies(cases, grid, (share) => terminal.progress.at(share));
  const notices = stream.sweepNotices(sweep, unused, list?.missing ?? []);
  const document = stream.sweepDocument(sweep, list, notices);
  const json = stream.sweepJson(sweep, list, notices);
  write(flags.out, () => [
    ['calibration_results.csv', stream.sweepCsv(sweep)],
    ['calibration_per_case.jsonl.gz', deterministicGzip(stream.perCaseLines(sweep))],
    ['calibration_summary.json', json],
    ['calibration_report.md', renderMarkdown(document)],
    ['calibration_config.yaml', stream.gridYaml(sweep)],
    ['chosen_tokengate_params.yaml', stream.chosenYaml(sweep, list)],
    ['pareto.svg', stream.sweepFigure(sweep)],
  ]);
  return { document: () => document, json: () => json, exit: sweep.chosen === null ? EXIT.inconclusive : EXIT.done };
}

function write(out: string | undefined, files: () => readonly ResultFile[]): void {
  if (out !== undefined) writeFiles(out, files(), { next: 'choose another place with --out' });
}

async function subsetOf({ caseList, first }: CalibrateFlags): Promise<stream.SubsetOfList | null> {
  if (caseList !== undefined) return { list: await stream.readCaseList(caseList), first: first ?? null };
  if (first === undefined) return null;
  throw new UsageError('--first needs --case-list: the first cases of which list?');
}
