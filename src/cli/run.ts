import { join } from 'node:path';

import { Command, Option } from 'commander';

import { unlockFolder } from '../data/folder-lock.ts';
import { writeAside } from '../data/write-file.ts';
import type { Backend } from '../experiment/backend.ts';
import { dryRun } from '../experiment/run/dry-run.ts';
import type { LoadedExperiment } from '../experiment/run/load-experiment.ts';
import { type FinishedRun, runExperiment } from '../experiment/run/run-experiment.ts';
import { runFolderOf } from '../experiment/run/run-folder.ts';
import type { RunExperimentOptions } from '../experiment/run/run-settings.ts';
import type { ExperimentSummary } from '../experiment/summary.ts';
import { type DryRun, dryRunDocument } from '../report/experiment-dry-run.ts';
import { gateOutcome } from '../report/experiment-gate.ts';
import { dryRunJson, experimentSummaryJson } from '../report/experiment-json.ts';
import { experimentDocument } from '../report/experiment.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { safeText } from '../report/safe-text.ts';
import { loadSystems } from '../tasks/task-targets.ts';
import { AuditNotices } from './audit-notices.ts';
import { backendOf, localFolder } from './backend-of.ts';
import { repeated } from './dataset/repeated.ts';
import { taskOption } from './dataset/schema-flags.ts';
import { addFlags } from './command.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { type DatasetOfFile, withDatasetOfFile } from './run/dataset-of-file.ts';
import { dryRunView } from './run/dry-run-view.ts';
import { endingOf } from './run/ending.ts';
import { LiveRun } from './run/live-run.ts';
import { lookBackend } from './run/look-backend.ts';
import { type RunFlags, flagOf, overridesOf } from './run/overrides.ts';
import { politeStop } from './run/polite-stop.ts';
import { type Worked, print, runSystems } from './run/run-systems.ts';
import { inWordsOfRun } from './run/words-of-run.ts';
import { TEXTS_FLAGS, textsOf } from './texts-flags.ts';
import { wholeNumber } from './whole-number.ts';

export function runCommand(end: (code: number) => void): Command {
  const command = new Command('run')
    .argument('[experiment]', 'experiment file (YAML); without one the flags say it all')
    .option('--dataset <name>', 'dataset in the store or in Langfuse, or a file of items')
    .option('--name <run>', 'name of the run')
    .option('--description <text>', 'what the run is for')
    .addOption(taskOption('how a file of items is read, what is run and which recipe scores it'))
    .addOption(repeated('--target <use>', 'what is run, such as vanilla, rag:FOLDER, http:URL; again for each'))
    .addOption(repeated('--model <name>', 'PROVIDER/NAME, or a name such as gemini-2.5-flash; again for each'))
    .option('--prompt <name>', 'stored prompt')
    .option('--prompt-label <label>', 'label of the stored prompt to fetch')
    .option('--prompt-version <n>', 'version of the stored prompt to fetch')
    .option('--temperature <t>', 'default: 0; none for models that take none')
    .option('--base-url <url>', 'address of the model’s server, where it is not the provider’s own')
    .addOption(repeated('--answers <file>', 'recorded answers instead of a model: JSON lines {id, output}'))
    .option('--recipe <recipe>', 'preset or recipe file that scores the outputs; none: outputs only')
    .addOption(
      new Option('--set <path=value>', 'change one line of the recipe; may be given again').argParser(
        (value, all: readonly string[] | undefined) => [...(all ?? []), value],
      ),
    )
    .option('--repeats <n>', 'ask every item so often')
    .option('--gate <file>', 'rules that decide the exit code')
    .option('--baseline <run>', 'run that the gate’s notWorseThan compares with')
    .option('--out <folder>', 'folder of the run, or of the runs of several systems (default: runs/NAME)');
  return addFlags(command, TEXTS_FLAGS)
    .option('--limit <n>', 'only the first items of the dataset')
    .option('--only-failed', 'ask again for items that failed, and for no others')
    .option('--dry-run', 'say what would be done; ask nobody')
    .option('--no-cache', 'ask again, also what was answered in another run')
    .option('--concurrency <n>', 'most calls at once (default: 8)')
    .option('--retries <n>', 'further tries after a failure that may pass (default: 4)')
    .option('--timeout <time>', 'longest wait for one answer, such as 30s (default: 2m)')
    .option('--max-cost <amount>', 'begin no further item once this is spent')
    .option('--max-tokens <n>', 'begin no further item once so many tokens are used')
    .option('--max-time <time>', 'begin no further item after this time, such as 10m')
    .option('--price <in,out>', 'prices of a million input and output tokens, such as 0.1,0.4')
    .option('--data <folder>', 'local store (default: .assay, or ASSAY_DATA)')
    .option('--local', 'use the local store, also where LANGFUSE_* are set')
    .option('--langfuse', 'use Langfuse; LANGFUSE_* have to be set')
    .option('--json', 'print the summary (or the dry run) as JSON on standard output, all else on standard error')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, flags: RunFlags) => {
      end(await run(file ?? null, flags));
    });
}

const HELP = `
An experiment file:
  name: baseline-v1
  dataset: extraction-eval
  target:
    use: graph-extractor           # or model, http, command, module, recorded,
    model: google/gemini-2.5-flash #    journal-extractor, vanilla, rag
    prompt: { name: graph-extraction, label: staging }
    temperature: 0
  recipe: graph/openspec
  limits: { concurrency: 8, retries: 4, timeout: 60s }
  budget: { cost: 2.00, time: 30m }
  prices: { input: 0.10, output: 0.40 }
  gate: { rules: [{ measure: entity_f1, atLeast: 0.8 }] }
With systems: { NAME: {use: …}, … } instead of target, or with --task or several
--target, --model or --answers, every system is a run of its own: OUT/NAME, with
its answers in OUT/results_NAME.jsonl. One that fails does not stop the others;
at the end they are compared with the first.

Every answer is on the disk before the next question: after a kill the same
command goes on where it was and asks nothing twice. Keys come from the
environment (GOOGLE_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY) and are written
nowhere. With LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY datasets, prompts,
traces and scores are those of Langfuse, else of the local store.

Exit codes: 0 done, 1 the gate failed, 2 the call is wrong, nothing was
answered, no call can succeed or scores did not arrive, 3 the gate cannot tell
or a budget ended the run.

Examples:
  $ assay run experiment.yaml
  $ assay run --dataset extraction-eval --name baseline-v1 \\
      --model gemini-2.5-flash --prompt-label staging --temperature 0
  $ assay run --task consult --dataset cases.csv --out runs \\
      --target vanilla --target rag:texts --model openai/gpt-4o-mini
  $ assay run experiment.yaml --dry-run
  $ assay run experiment.yaml --only-failed
  $ assay score graph/as-coded --run runs/baseline-v1   # other rules, no call`;

async function run(file: string | null, flags: RunFlags): Promise<number> {
  const given = loadSystems(file, overridesOf(file, flags), (path) => flagOf(flags, path));
  const backend = flags.dryRun === true ? await lookBackend(flags) : await backendOf(flags);
  try {
    const { loaded, onlyItems } = await withDatasetOfFile(given.loaded, backend);
    const dataset = loaded.experiment.dataset;
    const one = (own: LoadedExperiment): DatasetOfFile => ({
      loaded: { ...own, experiment: { ...own.experiment, dataset } },
      onlyItems,
    });
    if (given.systems !== null) {
      return await runSystems(given.systems, flags, {
        look: (system) => look(one(system.loaded), backend, flags),
        work: (system) => work(one(system.loaded), backend, flags, system.results),
      });
    }
    if (flags.dryRun === true) {
      const view = await look(one(loaded), backend, flags);
      print(flags, dryRunJson(view), (style) => renderTerminal(dryRunDocument(view), style));
      return 0;
    }
    const { summary, ending, audits } = await work(one(loaded), backend, flags);
    print(
      flags,
      experimentSummaryJson(summary),
      (style) => renderTerminal(experimentDocument(summary), style) + audits.text(style),
    );
    // The summary has said it, unless nobody saw it or it has no place for it.
    if (ending.words !== null && (flags.quiet === true || ending.isUnsaid))
      process.stderr.write(`assay: ${safeText(ending.words)}\n`);
    return ending.code;
  } catch (error) {
    throw inWordsOfRun(error);
  } finally {
    await backend.close();
  }
}

function optionsOf(
  { loaded, onlyItems }: DatasetOfFile,
  backend: Backend,
  flags: RunFlags,
  audits = new AuditNotices(),
  results: string | null = null,
): RunExperimentOptions {
  return {
    loaded,
    backend,
    onlyItems,
    results,
    cacheFolder: flags.cache === false ? null : localFolder(flags),
    limit: flags.limit === undefined ? null : wholeNumber('--limit', flags.limit, 1, Number.MAX_SAFE_INTEGER),
    onlyFailed: flags.onlyFailed === true,
    environment: trusting(flags.baseUrl),
    watch: reportFiles({ texts: textsOf(flags), onAudit: audits.onAudit }),
  };
}

/** An https server that is named on the command line may have the key; one that only a file names may not. */
function trusting(baseUrl: string | undefined): NodeJS.ProcessEnv {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (url?.protocol !== 'https:') return process.env;
  const others = process.env['ASSAY_KEY_SERVERS'] ?? '';
  return { ...process.env, ASSAY_KEY_SERVERS: others.trim() === '' ? url.origin : `${others},${url.origin}` };
}

async function look(dataset: DatasetOfFile, backend: Backend, flags: RunFlags): Promise<DryRun> {
  const found = await dryRun(optionsOf(dataset, backend, flags));
  if (flags.quiet !== true)
    for (const notice of found.prepared.notices) process.stderr.write(`Note: ${safeText(notice)}.\n`);
  return dryRunView(found, dataset.loaded, backend);
}

const KEPT = 'the answers are kept, and the same command goes on with them.';

async function work(
  dataset: DatasetOfFile,
  backend: Backend,
  flags: RunFlags,
  results: string | null = null,
): Promise<Worked> {
  const { loaded } = dataset;
  const audits = new AuditNotices();
  const progress = new LiveRun(process.stderr, flags.quiet === true);
  const stop = politeStop((text) => progress.note(text));
  const folder = runFolderOf(loaded.experiment);
  let finished: FinishedRun;
  let release = (): void => undefined;
  try {
    finished = await runExperiment({
      ...optionsOf(dataset, backend, flags, audits, results),
      stop: stop.stop,
      abort: stop.abort,
      onProgress: (state) => progress.at(state),
      onStage(stage) {
        // All answers are on the disk: from here on Ctrl-C need not wait for anything.
        if (stop.end()) release = clearOnInterrupt({ abandon: () => unlockFolder(folder) }, KEPT);
        progress.stage(stage);
      },
      onNotice: (text) => progress.note(text),
    });
  } finally {
    stop.end();
    release();
    progress.end();
  }
  const summary = withGate(finished);
  const advice = { next: 'choose another place with --out' };
  writeAside(join(folder, 'summary.json'), experimentSummaryJson(summary), advice);
  writeAside(join(folder, 'report.md'), renderMarkdown(experimentDocument(summary)), advice);
  const gateProblem = finished.gateProblem?.message ?? null;
  const ending = endingOf(summary, gateProblem);
  return { summary, audits, ending: { ...ending, isUnsaid: ending.words === gateProblem } };
}

/** Of several repeats, the gate that says the worst. */
function withGate({ summary, gates }: FinishedRun): ExperimentSummary {
  const worst =
    gates.find(({ verdict }) => verdict === 'failed') ??
    gates.find(({ verdict }) => verdict === 'cannot tell') ??
    gates[0];
  if (worst === undefined) return summary;
  const outcome = gateOutcome(worst);
  const which = `repeat ${gates.indexOf(worst) + 1} of ${gates.length}: `;
  return { ...summary, gate: gates.length === 1 ? outcome : { ...outcome, counts: `${which}${outcome.counts}` } };
}
