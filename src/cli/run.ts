import { join } from 'node:path';

import { renderMarkdown, unlockFolder, writeAside } from '../plugin.ts';
import { reportFiles } from '../report.ts';
import {
  type Backend,
  dryRun,
  dryRunDocument,
  dryRunJson,
  type DryRunPlan,
  dryRunView,
  endingOf,
  experimentDocument,
  type ExperimentSummary,
  experimentSummaryJson,
  type FinishedRun,
  gateOutcome,
  type Imported,
  importTexts,
  type LoadedExperiment,
  loadSystems,
  type QueueAccess,
  runExperiment,
  type RunExperimentOptions,
  runFolderOf,
  withoutNeedOfKeys,
} from '../experiment.ts';
import { AuditNotices } from './audit-notices.ts';
import { localFolder, withBackend, withLook } from './backend-of.ts';
import { batchHandling, refuseBatchWithQueue } from './batch-flags.ts';
import { command, type CommandResult, type Terminal, writeError } from './command.ts';
import * as flag from './flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { type DatasetOfFile, withDatasetOfFile } from './run/dataset-file.ts';
import { RunProgress } from './run-progress.ts';
import { withQueue } from './run/queue-flags.ts';
import { pipelineOf, refuseRepeatedCode } from './run/folder-pipeline.ts';
import { flagOf, overridesOf, RUN_FLAGS, type RunFlags } from './run/overrides.ts';
import { namingOfFlags } from './naming-flags.ts';
import { politeStop } from './run/polite-stop.ts';
import { runSystems, type Worked } from './run/run-systems.ts';
import { inWordsOfRun } from './run/dataset-file.ts';
import { textsOf } from './texts-flags.ts';
import { trustedEnvironment } from './trusted-environment.ts';

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
  limits: { concurrency: 8, retries: 4, timeout: 60s, requestsPerMinute: 500 }
  budget: { cost: 2.00, time: 30m }
  prices: { input: 0.10, output: 0.40 }
  gate: { rules: [{ measure: entity_f1, atLeast: 0.8 }] }
Without an experiment file, experiment.yaml or assay.yaml of the current folder
is used, unless --target, --answers or --task name the target; without that file
and --model, the settings of the last run over the dataset in runs/. The run
reports what it uses. Code is only run from a file that you name.

With systems: { NAME: {use: …}, … } instead of target, or with --task or several
--target, --model or --answers, every system is a separate run: OUT/NAME, with
its answers in OUT/results_NAME.jsonl. One that fails does not stop the others;
at the end they are compared with the first.

With --batch, or batch: true, items are asked by the batch endpoint of OpenAI,
Anthropic or Google (or a server that speaks OpenAI's): half the price, hours of
waiting. Ctrl-C and a kill leave a batch running, and the same command takes its
answers: batches.jsonl in the folder of the run has what was submitted. What a
batch does not answer is asked by single calls at the full price; --batch-only
lets it fail instead. An answer that may have been paid for and cannot be read
is not asked for again: the run ends with exit code 2, the same command looks
again, and --ask-again asks and pays again. --submit-only ends once the batches
are submitted, --cancel cancels them. --concurrency limits how many items are
submitted at once (default: 10,000): a budget is checked between batches.

A file of items becomes a dataset named after the file. Items that exist with
other content are only changed with --update-dataset.

Every answer is on the disk before the next question: after a kill the same
command resumes and asks nothing twice. Keys come from the
environment (GOOGLE_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY) and are written
nowhere. With LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY datasets, prompts,
traces and scores are in Langfuse, otherwise in the local store.

Exit codes: 0 done, 1 the gate failed, 2 the call is wrong, nothing was
answered, no call can succeed or scores did not arrive, 3 the gate is
inconclusive or a budget ended the run.

Examples:
  $ assay run experiment.yaml
  $ assay run --dataset extraction-eval --name baseline-v1
  $ assay run --dataset extraction-eval --name flash \\
      --model gemini-2.5-flash --prompt-label staging --temperature 0
  $ assay run --task consult --dataset cases.csv --out runs \\
      --target vanilla --target rag:texts --model openai/gpt-4o-mini
  $ assay run --task journal --dataset journals.jsonl --gold gold.jsonl \\
      --answers predictions.jsonl --out runs
  $ assay run experiment.yaml --dry-run
  $ assay run experiment.yaml --only-failed
  $ assay run experiment.yaml --name second --update-dataset
  $ assay run experiment.yaml --batch --price 0.1,0.4
  $ assay run experiment.yaml --batch --submit-only
  $ assay run experiment.yaml --queue redis://localhost:6379   # and assay worker
  $ assay score graph/as-coded --run runs/baseline-v1   # other rules, no call`;

export default command({
  name: 'run',
  arguments: {
    experiment: flag.optionalArgument('experiment file (default: experiment.yaml of the current folder, if any)'),
  },
  flags: RUN_FLAGS,
  help: HELP,
  async run({ experiment: file = null, ...flags }, terminal): Promise<CommandResult> {
    const pipeline = pipelineOf(file, flags);
    const over = overridesOf(pipeline.folder, flags);
    const { loaded: single, systems } = loadSystems(pipeline.source, over, (path) => flagOf(flags, path));
    refuseRepeatedCode(pipeline, systems?.map(({ loaded }) => loaded) ?? [single], flags.recipe);
    const used = pipeline.describe(single);
    if (used !== null) terminal.note(used);
    refuseBatchWithQueue(single.experiment.batch !== false, flags.queue);
    batchHandling(flags, single.experiment.batch !== false);
    return (flags.dryRun ? withLook : withBackend)(flags, async (backend): Promise<CommandResult> => {
      const { loaded, ...source } = await withDatasetOfFile(single, backend, flags.updateDataset);
      const dataset = loaded.experiment.dataset;
      if (!flags.dryRun) noteImport(dataset, source.imported, backend, terminal);
      const withItems = (system: LoadedExperiment): DatasetOfFile => ({
        loaded: { ...system, experiment: { ...system.experiment, dataset } },
        ...source,
      });
      const withWorkers = (call: (queue: QueueAccess | null) => Promise<Worked>): Promise<Worked> =>
        withQueue(flags, terminal.note, call);
      if (systems !== null)
        return runSystems(systems, flags, terminal, {
          look: (system) => look(withItems(system.loaded), backend, flags, terminal),
          work: (system) =>
            withWorkers((queue) => work(withItems(system.loaded), backend, flags, queue, system.results)),
        });
      if (flags.dryRun) {
        const view = await look(withItems(loaded), backend, flags, terminal);
        return { document: () => dryRunDocument(view), json: () => dryRunJson(view) };
      }
      const { summary, ending, audits } = await withWorkers((queue) => work(withItems(loaded), backend, flags, queue));
      return {
        document: () => experimentDocument(summary),
        json: () => experimentSummaryJson(summary),
        after() {
          terminal.print(audits.text(terminal.style));
          // The summary has it, unless nobody saw that or it has no place for it.
          if (ending.words !== null && (flags.quiet || ending.isUnsaid)) writeError(ending.words);
        },
        exit: ending.code,
      };
    }).catch((error: unknown) => {
      throw inWordsOfRun(error);
    });
  },
});

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
    ...flag.defined({ tags: namingOfFlags({ tag: flags.tag }).tags }),
    cacheFolder: flags.cache ? localFolder(flags) : null,
    limit: flags.limit ?? null,
    onlyFailed: flags.onlyFailed,
    batches: batchHandling(flags),
    environment: trustedEnvironment(flags.baseUrl),
    watch: reportFiles({ texts: textsOf(flags), onAudit: audits.onAudit }),
  };
}

async function look(
  dataset: DatasetOfFile,
  backend: Backend,
  flags: RunFlags,
  terminal: Terminal,
): Promise<DryRunPlan> {
  const looked = await dryRun(optionsOf(dataset, backend, flags));
  for (const notice of looked.prepared.notices) terminal.note(`Note: ${notice}.`);
  return dryRunView(looked, dataset.loaded, backend.place, dataset.imported);
}

function noteImport(dataset: string, imported: Imported | null, { place }: Backend, { note }: Terminal): void {
  if (imported?.created === true) note(`The dataset ${dataset} was created in ${place}.`);
  if (imported === null || (imported.same === imported.items && imported.notes.length === 0)) return;
  for (const text of importTexts(dataset, imported, false)) note(text);
}

const KEPT = 'the answers are kept, and the same command resumes from them.';

async function work(
  dataset: DatasetOfFile,
  backend: Backend,
  flags: RunFlags,
  queue: QueueAccess | null,
  results: string | null = null,
): Promise<Worked> {
  const { loaded } = dataset;
  const audits = new AuditNotices();
  const progress = new RunProgress(process.stderr, flags.quiet);
  const stop = politeStop((text) => progress.note(text), { batches: loaded.experiment.batch !== false });
  const folder = runFolderOf(loaded.experiment);
  let finished: FinishedRun;
  let release = (): void => undefined;
  try {
    finished = await runExperiment({
      ...optionsOf(dataset, backend, flags, audits, results),
      // Workers have the keys.
      ...(queue === null ? {} : { queue, environment: withoutNeedOfKeys(trustedEnvironment(flags.baseUrl)) }),
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

/** Of several repeats, the gate with the worst verdict. */
function withGate({ summary, gates }: FinishedRun): ExperimentSummary {
  const worst =
    gates.find(({ verdict }) => verdict === 'failed') ??
    gates.find(({ verdict }) => verdict === 'inconclusive') ??
    gates[0];
  if (worst === undefined) return summary;
  const outcome = gateOutcome(worst);
  const which = `repeat ${gates.indexOf(worst) + 1} of ${gates.length}: `;
  return { ...summary, gate: gates.length === 1 ? outcome : { ...outcome, counts: `${which}${outcome.counts}` } };
}
