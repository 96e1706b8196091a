import { statSync } from 'node:fs';

import * as flag from '../flags.ts';
import * as stream from '../../stream.ts';
import { Cleanup, plural, safeJson, safeText, UsageError } from '../../plugin.ts';
import { parseShard } from '../../pipeline.ts';
import { MOST_BATCHED } from '../../experiment.ts';
import { batchOf, refuseBatchWithQueue } from '../batch-flags.ts';
import { command } from '../command.ts';
import { EXIT } from '../group.ts';
import { type Progress, shareBar } from '../progress.ts';
import { QUEUE_FLAGS, withQueue } from '../run/queue-flags.ts';
import { DEFAULT_CASES, keepFinishedCases, MODEL_FLAGS, refusedCall, replayModel } from './model-calls.ts';
import { chosenVariants, EACH_CASE, outFolder, VARIANTS } from './stream-flags.ts';

/** Flags of a replay, alone or as a part of stream run. */
export const REPLAY_FLAGS = {
  traces: flag.required(flag.string('<folder>', 'traces, as .jsonl.gz or .jsonl; or a single file')),
  variants: VARIANTS,
  config: flag.string('<folder>', 'configuration: variants, summarizer.yaml and others (default: as shipped)'),
  set: flag.strings('<path=value>', 'setting of the variants to change; V0.minWords=40 for one of them'),
  ...MODEL_FLAGS,
  ...QUEUE_FLAGS,
  asPublished: flag.toggle('reproduce the faults of the program behind the published logs'),
  retryFailed: flag.toggle('also replay the finished cases in which a call failed'),
  force: flag.toggle(
    'replay traces that differ from their manifest; overwrite logs of other runs; state stoplists of another extractor',
  ),
  shard: flag.parsed('<n/shards>', 'part of the traces to replay, such as 3/16; all parts share --out', parseShard),
  verbose: EACH_CASE,
  quiet: flag.QUIET,
};

const FLAGS = {
  ...REPLAY_FLAGS,
  out: outFolder('folder to write V0/<case>.run.jsonl.gz to'),
  manifest: flag.inputFile('manifest of the traces (default: the one next to them)'),
  concepts: flag.string('<extractor>', 'extractor to state in the logs, as for stream measure; see below'),
  stoplists: flag.string('<folder>', 'stoplists to state in the logs, or off (default: those of the configuration)'),
  allowStubs: flag.toggle('also replay traces that are marked as stubs'),
  concurrency: flag.integer('<n>', 'cases at a time (default: 4 for PROVIDER/NAME, else 1)', { from: 1, to: 100 }),
  json: flag.JSON,
};

type ReplayFlags = flag.FlagValues<typeof FLAGS>;

/** Settings that reproduce the published logs, each a fault of the program they were made with. */
const AS_PUBLISHED = ['maxWait=first-buffer-only', 'turnTimestamp=boundary'];

export default command({
  name: 'replay',
  flags: FLAGS,
  help: `
Nothing but the trace decides: its clock is the clock, and the same call gives
the same bytes on any day. After a kill the same call resumes; finished cases
are kept.

Models:
  recorded:DIR    answers from run logs, DIR/V0/…; a window that has none there
                  counts as a failed call
  heuristic       a fixed rule; every log and report notes that it is one
  PROVIDER/NAME   openai, google, anthropic, openai-compatible; the key comes
                  from the environment and is written nowhere

With --batch, calls of PROVIDER/NAME go to the provider's batch endpoint: half
the price, hours of waiting. All cases and variants are replayed at once, and
each round of their calls is a batch: a case with 20 calls waits 20 times. After
Ctrl-C or a kill the same command takes the answers of batches under way.

The first record of each log states the concept extractor with the version and
hash of its knowledge base, and the hashes of the stoplists: those of --concepts
and --stoplists, else of the --config folder (extractor.yaml, stop_*.txt), else
the vocabulary without stoplists. stream measure uses both; the stoplists are
kept in OUT/stoplists. Traces that differ from their manifest (changed,
missing, not listed) are refused; with --force, each log states the difference.
A manifest with another mac_commit than the traces is always refused.

Settings by short name: minWords, maxWords, silence, maxWaitSeconds, maxWait,
novelty, historyK, chunkCtu, intervalSeconds, turnTimestamp, summarizeTail. Any
other line of the YAML by its path: --set components.token_gate.min_words=40.
V3 cuts by size or by time: for time, set chunkCtu to null.

summarizer.yaml of --config applies to variants that do not set it themselves:
history_k, token_gate, generation.max_tokens (a token is 3 characters) or
max_characters, and model: { name, temperature, base_url, timeout_seconds }.
A flag overrides it; what has no effect is reported with its line.

--as-published: maxWait=first-buffer-only, turnTimestamp=boundary, and cases
called by their file.

Examples:
  $ assay stream replay --traces traces --model heuristic --out runs
  $ assay stream replay --traces traces --variants V0,V2 \\
      --model recorded:runs --out replayed
  $ assay stream replay --traces traces --variants V3 --model heuristic \\
      --set chunkCtu=null --set intervalSeconds=10 --out by-time
  $ assay stream replay --traces traces --variants V0 \\
      --model google/gemini-2.5-flash-lite --out runs --set minWords=40
  $ assay stream replay --traces traces --model heuristic --out runs \\
      --shard 3/16
  $ assay stream replay --traces traces --model openai/gpt-4o-mini --out runs \\
      --batch
  $ assay stream replay --traces traces --model openai/gpt-4o-mini --out runs \\
      --queue redis://localhost:6379             # and assay worker`,
  async run(flags, { progress }) {
    const { totals, model, notices } = await replayTraces(flags, progress);
    const { id, kind, note } = model;
    return {
      document: () => stream.replayDocument({ totals, model, notices, next: flags }),
      json: () => safeJson({ model: { id, kind, note }, notices, variants: totals }),
      // The call was wrong, or the model: there is nothing to measure.
      exit: isUnanswered(totals) ? EXIT.usage : EXIT.done,
    };
  },
});

/** Whether calls were made and not one was answered. */
export function isUnanswered(totals: readonly stream.ReplayTotals[]): boolean {
  const sum = (of: (variant: stream.ReplayTotals) => number): number =>
    totals.reduce((all, variant) => all + of(variant), 0);
  const calls = sum(({ decisions, summaries }) => decisions + summaries);
  return calls > 0 && sum(({ failedCalls }) => failedCalls) === calls;
}

/** `name`: of the command; `used`: files of the configuration that it reads besides. */
export async function replayTraces(
  flags: flag.FlagValues<typeof REPLAY_FLAGS> & Pick<ReplayFlags, 'out'> & Partial<ReplayFlags>,
  progress: Progress,
  name = 'stream replay',
  used: readonly string[] = [],
) {
  const { config = null, out, asPublished, force, verbose } = flags;
  const isBatched = batchOf(flags) !== null;
  refuseBatchWithQueue(isBatched, flags.queue);
  if (flags.shard !== undefined && (flags.queue !== undefined || isBatched))
    throw new UsageError('--shard: a queue or a batch distributes the cases itself', 'leave out --shard');
  const summarizer = config === null ? null : stream.readSummarizerConfig(config);
  const set = [...(asPublished ? AS_PUBLISHED : []), ...flags.set];
  const lines = set.filter((line) => !isOfMeasure(line));
  const variants = variantsOf(flags.variants, config).map((variant) =>
    stream.readVariant(variant, config, lines, summarizer?.defaults),
  );
  const traces = stream.traceFiles(flags.traces);
  const say = (text: string): void => progress.keep(safeText(`Note: ${text}.`));
  const { model, asked, answersOf, batches, ...chosen } = await replayModel(flags, summarizer, out, say);
  const dataset = await stream.datasetHashOf(traces, {
    manifest: flags.manifest ?? null,
    whole: statSync(flags.traces).isDirectory(),
    force,
  });
  const { stopFiles, ...provenance } = await stream.configProvenance(config, flags);
  await using held = new Cleanup();
  held.defer(() => batches?.close());
  keepFinishedCases(out, batches !== null);
  let firstFailure: string | null = null;
  const note = (text: string): void => progress.keep(safeText(text));
  const { queue: _, ...unqueued } = flags;
  const totals = await withQueue(model.kind === 'provider' ? flags : unqueued, note, (access) =>
    stream.replayFolder({
      onNotice: note,
      queue: access === null ? null : { access, model: chosen.spec },
      traces,
      variants,
      model,
      setting: {
        model,
        asked,
        datasetHash: dataset.hash,
        provenance: {
          ...provenance,
          ...(summarizer === null ? {} : { summarizer_config_hash: summarizer.file.hash }),
        },
        differences: dataset.differences,
      },
      out,
      stopFiles,
      caseName: asPublished ? 'file' : 'meta',
      answersOf,
      retryFailed: flags.retryFailed,
      force,
      allowStubs: flags.allowStubs === true,
      shard: flags.shard,
      batches,
      concurrency:
        flags.concurrency ?? (batches === null ? (model.kind === 'provider' ? DEFAULT_CASES : 1) : MOST_BATCHED),
      done(step) {
        firstFailure ??= failureIn(step.log);
        if (verbose) progress.keep(caseLine(step));
        progress.show((elapsed) => progressLine(step, elapsed));
      },
    }),
  ).catch(refusedCall);
  progress.end();
  const files = config === null ? [] : stream.variantNames(config).map((variant) => `${variant}.yaml`);
  const notices = [
    ...(config === null ? [] : stream.unreadFiles(config, name, [...used, ...files])),
    ...(summarizer?.file.notices ?? []),
    ...chosen.unusedSettings,
    ...stream.overruledNotices(variants),
    ...variants.flatMap((variant) => variant.notices),
    ...set.filter(isOfMeasure).map((line) => `${line} is a setting of stream measure: replay ignores it`),
    ...dataset.notices,
    ...untimedNotices(dataset.untimed),
    ...(provenance.concept_extractor['linker_kb_version'] === null
      ? ['the logs state no version of the knowledge base: write linker_kb_version into extractor.yaml']
      : []),
    ...belowNotice(flags.traces),
    ...chosen.notices(),
    ...failedNotices(totals, firstFailure, model.kind === 'recorded'),
  ];
  return { totals, model, notices };
}

/** Why the first call that failed did. */
function failureIn({ decisions, summaries }: stream.RunLog): string | null {
  const decision = decisions.find(({ error }) => error !== undefined && error !== null)?.error ?? null;
  return decision ?? summaries.find(stream.isUnansweredSummary)?.schema_error ?? null;
}

function failedNotices(totals: readonly stream.ReplayTotals[], first: string | null, isRecorded: boolean): string[] {
  const failed = totals.reduce((sum, { failedCalls }) => sum + failedCalls, 0);
  if (failed === 0) return [];
  return [
    `calls that got no answer: ${failed}${first === null ? '' : `; the first: ${first.slice(0, 120)}`}`,
    ...(isRecorded ? [] : ['finished cases are kept as they are: --retry-failed replays those with such calls']),
    ...(isUnanswered(totals) ? ['not one call was answered: there is nothing to measure'] : []),
  ];
}

function untimedNotices(cases: readonly string[]): string[] {
  if (cases.length === 0) return [];
  const first = `${cases.slice(0, 3).join(', ')}${cases.length > 3 ? ', …' : ''}`;
  return [
    `${plural(cases.length, 'trace')} without any t_emitted_ms (${first}): the times in the logs are made up, a second for each seq`,
  ];
}

/** Traces in folders below are not replayed; other programs look into them. */
function belowNotice(traces: string): string[] {
  const below = stream.filesBelow(traces);
  return below === 0
    ? []
    : [`${below} files in folders below ${traces} are not read: name their folder to replay them`];
}

/** `join` belongs to measuring: the same lines for both commands are reported, not refused. */
function isOfMeasure(line: string): boolean {
  return /^(?:stream\.)?join=/.test(line);
}

function variantsOf(names: readonly string[], config: string | null): readonly string[] {
  const all = stream.variantNames(config);
  if (all.length === 0)
    throw new UsageError(`--config ${config ?? ''}: there is no variant`, 'expected files such as V0.yaml');
  return chosenVariants(names) ?? all;
}

/** `3 of 25: V0 case-03: 5 flushes, 4 decisions, 2 summaries` */
function caseLine({ finished, total, caseId, variant, kept, log }: stream.ReplayProgress): string {
  const { flushes, decisions, summaries } = log;
  const counts = [
    plural(flushes.length, 'flush', 'flushes'),
    plural(decisions.length, 'decision'),
    plural(summaries.length, 'summary', 'summaries'),
  ].join(', ');
  return safeText(`${finished} of ${total}: ${variant} ${caseId}: ${counts}${kept ? ' (done before)' : ''}`);
}

function progressLine({ finished, total, caseId, variant }: stream.ReplayProgress, elapsed: number): string {
  const left = Math.ceil(((elapsed / finished) * (total - finished)) / 1000);
  return `${shareBar(finished / total)}  ${finished} of ${total} (${variant} ${caseId})  ${left} s left`;
}
