import { statSync } from 'node:fs';

import { Command, Option } from 'commander';

import { unlockFolder } from '../../data/folder-lock.ts';
import { UsageError } from '../../data/problems.ts';
import { TargetError } from '../../experiment/targets/target.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import { replayDocument } from '../../report/stream-replay.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import type { ConceptProvenance } from '../../tasks/stream/concepts/extractor-provenance.ts';
import { unreadFiles } from '../../tasks/stream/config/config-folder.ts';
import { readSummarizerConfig } from '../../tasks/stream/config/summarizer-config.ts';
import { datasetHashOf } from '../../tasks/stream/dataset-hash.ts';
import { isUnansweredSummary } from '../../tasks/stream/failed-call.ts';
import { filesBelow, traceFiles } from '../../tasks/stream/read-trace.ts';
import { readVariant, variantNames } from '../../tasks/stream/replay/read-variant.ts';
import { replayFolder, type ReplayProgress, type ReplayTotals } from '../../tasks/stream/replay/replay-folder.ts';
import { overruledNotices } from '../../tasks/stream/replay/variant-defaults.ts';
import type { RunLog } from '../../tasks/stream/run-log-records.ts';
import { counted } from '../../text/figures.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { shareBar, Progress } from '../progress.ts';
import { wholeNumber } from '../whole-number.ts';
import { type ChosenModel, chosenModel } from './chosen-model.ts';
import { type ConceptFlags, configProvenance } from './config-provenance.ts';
import { type GivenModel, summarizerModel } from './summarizer-model.ts';

export interface ReplayFlags extends GivenModel, ConceptFlags {
  readonly traces: string;
  readonly variants?: string;
  readonly config?: string;
  readonly out: string;
  readonly set?: readonly string[];
  readonly manifest?: string;
  readonly asPublished?: boolean;
  readonly retryFailed?: boolean;
  readonly force?: boolean;
  readonly allowStubs?: boolean;
  readonly concurrency?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Settings that reproduce the published logs, each a fault of the program they were made with. */
const AS_PUBLISHED = ['maxWait=first-buffer-only', 'turnTimestamp=boundary'];

export function replayCommand(end: (code: number) => void): Command {
  return new Command('replay')
    .description('replay frozen traces through variants of the middleware and write their run logs')
    .requiredOption('--traces <folder>', 'traces, as .jsonl.gz or .jsonl; a single file will do')
    .option('--variants <list>', 'for example V0,V2 (default: all)')
    .option('--config <folder>', 'variants, in it or in its folder variants, and summarizer.yaml (default: as shipped)')
    .option('--model <who>', 'recorded:DIR, heuristic, or PROVIDER/NAME such as openai/gpt-4o-mini')
    .requiredOption('--output, --out <folder>', 'writes OUT/V0/<case>.run.jsonl.gz')
    .addOption(
      new Option('--set <path=value>', 'change a line of the variants; V0.minWords=40 for one alone').argParser(
        (value, all: readonly string[] | undefined) => [...(all ?? []), value],
      ),
    )
    .option('--manifest <file>', 'manifest that the traces belong to (default: the one beside them)')
    .option('--concepts <what>', 'extractor to state in the logs, as for stream measure; see below')
    .option('--stoplists <folder>', 'stoplists to state in the logs, or off (default: those of the configuration)')
    .option('--as-published', 'with the faults of the program behind the published logs, see below')
    .option('--retry-failed', 'replay also the finished cases in which a call failed')
    .option('--force', 'replay traces that differ from their manifest; write over logs of other runs')
    .option('--allow-stubs', 'replay also traces that are marked as no real conversation')
    .option('--concurrency <n>', 'cases at a time, for models that are waited for (default: 4, else 1)')
    .option('--temperature <t>', 'for PROVIDER/NAME (default: 0); none for models that take none')
    .option('--base-url <url>', 'for PROVIDER/NAME: address of the server, where it is not the provider’s own')
    .option('--timeout <seconds>', 'for PROVIDER/NAME: longest wait for one answer (default: 60)')
    .option('--verbose', 'print each case as it is done')
    .option('--json', 'print the totals as JSON on standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action((flags: ReplayFlags) => replay(flags, end));
}

const HELP = `
Nothing but the trace decides: its clock is the clock, and the same call gives
the same bytes on any day. After a kill the same call goes on where it was;
finished cases are kept.

Models:
  recorded:DIR    answers from run logs, DIR/V0/…; a window that has none there
                  counts as a failed call
  heuristic       a fixed rule; every log and report says that it is one
  PROVIDER/NAME   openai, google, anthropic, openai-compatible; the key comes
                  from the environment and is written nowhere

The first record of each log states the concept extractor with the version and
hash of its knowledge base, and the hashes of the stoplists: those of --concepts
and --stoplists, else of the --config folder (extractor.yaml, stop_*.txt), else
the defaults of stream measure. Traces that differ from their manifest (changed,
missing, not listed) are refused; with --force, each log states the difference.
A manifest with another mac_commit than the traces is always refused.

Settings by short name: minWords, maxWords, silence, maxWaitSeconds, maxWait,
novelty, historyK, chunkCtu, turnTimestamp, summarizeTail. Any other line of
the YAML by its path: --set components.token_gate.min_words=40.

summarizer.yaml of --config holds for all variants that do not say it themselves:
history_k, token_gate, generation.max_tokens (a token is 3 characters) or
max_characters, and model: { name, temperature, base_url, timeout_seconds }.
A flag goes before it; what has no effect is reported with its line.

--as-published: maxWait=first-buffer-only, turnTimestamp=boundary, and cases
called by their file.

Examples:
  $ assay stream replay --traces traces --model heuristic --out runs
  $ assay stream replay --traces traces --variants V0,V2 \\
      --model recorded:runs --out replayed
  $ assay stream replay --traces traces --variants V0 \\
      --model google/gemini-2.5-flash-lite --out runs --set minWords=40`;

async function replay(flags: ReplayFlags, end: (code: number) => void): Promise<void> {
  const { totals, model, notices } = await replayed(flags);
  if (isUnanswered(totals)) end(NOTHING_ANSWERED);
  if (flags.json === true) process.stdout.write(safeJson({ model: describeModel(model), notices, variants: totals }));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  const document = replayDocument({ totals, model: model.model, notices, next: flags });
  stream.write(renderTerminal(document, terminalStyle(stream)));
}

/** The call was wrong, or who was called: there is nothing to measure. */
const NOTHING_ANSWERED = 2;

/** Whether calls were made and not one was answered. */
export function isUnanswered(totals: readonly ReplayTotals[]): boolean {
  const sum = (of: (own: ReplayTotals) => number): number => totals.reduce((all, own) => all + of(own), 0);
  const calls = sum(({ decisions, summaries }) => decisions + summaries);
  return calls > 0 && sum(({ failedCalls }) => failedCalls) === calls;
}

export interface Replayed {
  readonly totals: readonly ReplayTotals[];
  readonly model: ChosenModel;
  readonly notices: readonly string[];
}

/** The work of the command, for `stream run` too. */
export async function replayed(
  flags: ReplayFlags,
  command = 'stream replay',
  used: readonly string[] = [],
): Promise<Replayed> {
  const config = flags.config ?? null;
  const summarizer = config === null ? null : readSummarizerConfig(config);
  const asked = summarizerModel(flags, summarizer);
  const set = [...(flags.asPublished === true ? AS_PUBLISHED : []), ...(flags.set ?? [])];
  const [lines, measured] = [set.filter((line) => !isOfMeasure(line)), set.filter(isOfMeasure)];
  const variants = chosenVariants(flags.variants, config).map((name) =>
    readVariant(name, config, lines, summarizer?.defaults),
  );
  const traces = traceFiles(flags.traces);
  const model = await chosenModel(asked.flags);
  const dataset = await datasetHashOf(traces, {
    manifest: flags.manifest ?? null,
    whole: statSync(flags.traces).isDirectory(),
    force: flags.force === true,
  });
  const provenance = await configProvenance(config, flags);
  const line = new Progress(process.stderr, flags.quiet === true);
  clearOnInterrupt(
    { abandon: () => unlockFolder(flags.out) },
    'finished cases are kept, and the same command goes on behind them.',
  );
  let firstFailure: string | null = null;
  const totals = await replayFolder({
    traces,
    variants,
    model: model.model,
    setting: {
      model: model.model,
      asked: model.asked,
      datasetHash: dataset.hash,
      provenance: {
        ...provenance,
        ...(summarizer === null ? {} : { summarizer_config_hash: summarizer.file.hash }),
      },
      differences: dataset.differences,
    },
    out: flags.out,
    caseName: flags.asPublished === true ? 'file' : 'meta',
    answersOf: model.answersOf,
    retryFailed: flags.retryFailed === true,
    force: flags.force === true,
    allowStubs: flags.allowStubs === true,
    concurrency:
      flags.concurrency === undefined
        ? model.model.kind === 'provider'
          ? 4
          : 1
        : wholeNumber('--concurrency', flags.concurrency, 1, 100),
    done(progress) {
      firstFailure ??= failureIn(progress.log);
      if (flags.verbose === true) line.keep(caseLine(progress));
      line.show((elapsed) => progressLine(progress, elapsed));
    },
  })
    .catch((error: unknown) => {
      // A refused key is no bug of ours, and nothing that was finished is lost.
      if (!(error instanceof TargetError)) throw error;
      throw new UsageError(error.message.split('\n'), 'finished cases are kept: give the same command again');
    })
    .finally(() => line.end());
  const notices = [
    ...(config === null
      ? []
      : unreadFiles(config, command, [...used, ...variantNames(config).map((name) => `${name}.yaml`)])),
    ...(summarizer?.file.notices ?? []),
    ...asked.notices,
    ...overruledNotices(variants),
    ...variants.flatMap(({ notices: own }) => own),
    ...measured.map((own) => `${own} is a setting of stream measure: replay does not look at it`),
    ...dataset.notices,
    ...kbVersionNotice(provenance),
    ...belowNotice(flags.traces),
    ...model.notices(),
    ...failedNotices(totals, firstFailure, model.model.kind === 'recorded'),
  ];
  return { totals, model, notices };
}

/** Why the first call that failed did. */
function failureIn({ decisions, summaries }: RunLog): string | null {
  const decision = decisions.find(({ error }) => error !== undefined && error !== null)?.error ?? null;
  return decision ?? summaries.find(isUnansweredSummary)?.schema_error ?? null;
}

function failedNotices(totals: readonly ReplayTotals[], first: string | null, recorded: boolean): string[] {
  const failed = totals.reduce((sum, { failedCalls }) => sum + failedCalls, 0);
  if (failed === 0) return [];
  return [
    `calls that got no answer: ${failed}${first === null ? '' : `; the first: ${first.slice(0, 120)}`}`,
    ...(recorded ? [] : ['finished cases are kept as they are: --retry-failed replays those with such calls']),
    ...(isUnanswered(totals) ? ['not one call was answered: there is nothing to measure'] : []),
  ];
}

function kbVersionNotice({ concept_extractor: extractor }: ConceptProvenance): string[] {
  return extractor['linker_kb_version'] === null
    ? ['the logs state no version of the knowledge base: write linker_kb_version into extractor.yaml']
    : [];
}

/** Traces in folders below are not replayed, which has to be said where others look into them. */
function belowNotice(traces: string): string[] {
  const below = filesBelow(traces);
  return below === 0
    ? []
    : [`${below} files in folders below ${traces} are left alone: name their folder to replay them`];
}

function describeModel({ model }: ChosenModel): object {
  return { id: model.id, kind: model.kind, note: model.note };
}

/** `join` belongs to measuring: whoever gives both commands the same lines is told, not stopped. */
function isOfMeasure(line: string): boolean {
  return /^(?:stream\.)?join=/.test(line);
}

function chosenVariants(list: string | undefined, config: string | null): string[] {
  const all = variantNames(config);
  if (all.length === 0)
    throw new UsageError(`--config ${config ?? ''}: there is no variant`, 'expected files such as V0.yaml');
  if (list === undefined) return all;
  const names = list.split(',').map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw new UsageError(`--variants ${list}: expected names between commas`, `there are: ${all.join(', ')}`);
  return [...new Set(names)];
}

/** `3 of 25: V0 case-03: 5 flushes, 4 decisions, 2 summaries` */
function caseLine({ finished, total, caseId, variant, kept, log }: ReplayProgress): string {
  const { flushes, decisions, summaries } = log;
  const counts = [
    counted(flushes.length, 'flush', 'flushes'),
    counted(decisions.length, 'decision'),
    counted(summaries.length, 'summary', 'summaries'),
  ].join(', ');
  return safeText(`${finished} of ${total}: ${variant} ${caseId}: ${counts}${kept ? ' (done before)' : ''}`);
}

function progressLine({ finished, total, caseId, variant }: ReplayProgress, elapsed: number): string {
  const left = Math.ceil(((elapsed / finished) * (total - finished)) / 1000);
  return `${shareBar(finished / total)}  ${finished} of ${total} (${variant} ${caseId})  ${left} s left`;
}
