import { basename, join } from 'node:path';

import { defined, entryAt, readText, sha256Of, UsageError } from '../../plugin.ts';
import { NO_ANSWER } from '../failed-call.ts';
import { parseRunLog, runLogFiles } from '../read-run-log.ts';
import type { BufferDecision, RunLog, SummaryEvent } from '../run-log-records.ts';
import { failedDecision } from './decision-answer.ts';
import type { CallUsage, DecisionRequest, StreamModel, SummaryRequest } from './model.ts';
import { noSummary } from './summary-answer.ts';

const RECORDED_ID = 'recorded';

/** Answers from earlier runs, with an account of how far they went. */
interface RecordedModel extends StreamModel {
  readonly kind: 'recorded';
  readonly counts: Readonly<RecordedCounts>;
  /** `sha256:…` of the log that a case's answers come from; null if absent. */
  answersHash(caseId: string, variant: string): Promise<string | null>;
  /** Which model answered, by the recorded log: a stand-in stays one when it is played back. */
  noteOf(caseId: string, variant: string): Promise<string | null>;
}

interface RecordedCounts {
  used: number;
  missing: number;
  /** Recorded for this window, but of another text. */
  otherText: number;
}

/**
 * Plays back the answers of run logs in DIR/VARIANT/. A decision and a summary are found by their window, in the order in
 * which they were recorded. What is not there fails as a call would, with the reason.
 */
export function recordedModel(folder: string): RecordedModel {
  const counts: RecordedCounts = { used: 0, missing: 0, otherText: 0 };
  const tapeOf = tapes(recordedLogs(folder));
  /** The recorded answer to a request, or why it is missing. */
  const answerTo = async <T extends BufferDecision | SummaryEvent>(
    request: DecisionRequest | SummaryRequest,
    what: 'decision' | 'summary',
    answersIn: (tape: Tape) => Answers<T>,
    fits: (record: T) => boolean,
  ): Promise<(T & { readonly llm_usage: CallUsage }) | string> => {
    const { caseId, variant, index, startSeq, endSeq } = request;
    const tape = await tapeOf(caseId, variant);
    const answers = tape === null ? null : answersIn(tape);
    if (index === 0) answers?.rewind();
    const record = answers?.take(request, fits) ?? 'missing';
    counts[typeof record === 'string' ? record : 'used'] += 1;
    if (typeof record !== 'string') return { ...record, llm_usage: usageOf(record, tape!.log) };
    const place = `the ${what} of ${caseId} in ${variant} over ${startSeq} to ${endSeq}`;
    return `no recorded answer for ${place}${record === 'missing' ? '' : ': the one recorded there is of another text'}`;
  };
  return {
    id: RECORDED_ID,
    kind: 'recorded',
    note: 'answers recorded in an earlier run; model_id says whose they are',
    counts,
    answersHash: async (caseId, variant) => (await tapeOf(caseId, variant))?.sha256 ?? null,
    async noteOf(caseId, variant) {
      const model = (await tapeOf(caseId, variant))?.log.meta.model;
      if (model === undefined || (model.kind !== 'heuristic' && model.note === undefined)) return null;
      return `recorded from ${model.id} (${model.kind})${model.note === undefined ? '' : `: ${model.note}`}`;
    },

    async decide(request) {
      const hasUnits = ({ input_ctu: units }: BufferDecision): boolean => units === request.inputCtu;
      const record = await answerTo(request, 'decision', ({ decisions }) => decisions, hasUnits);
      if (typeof record === 'string') return { ...failedDecision(record), llm_usage: NO_USAGE };
      const { completeness_passed: complete, value_passed: relevant, novelty_passed: novel } = record.filter_results;
      return {
        decision: record.decision === 'summarize' ? 'summarize' : 'buffer',
        filter_results: {
          ...(complete == null ? {} : { completeness_passed: complete }),
          ...(relevant == null ? {} : { value_passed: relevant }),
          novelty_passed: novel ?? null,
        },
        llm_usage: record.llm_usage,
        ...defined({ latency_ms: record.latency_ms, error: record.error ?? undefined }),
      };
    },

    async summarize(request) {
      const isOfText = ({ new_buffer_text_hash: hash }: SummaryEvent): boolean => hash === request.newBufferHash;
      const record = await answerTo(request, 'summary', ({ summaries }) => summaries, isOfText);
      // Without a record no text was sent.
      if (typeof record === 'string')
        return { ...noSummary(NO_ANSWER, record), summarizer_input_hash: sha256Of(''), llm_usage: NO_USAGE };
      return {
        summary_content: record.summary_content,
        schema_ok: record.schema_ok,
        schema_error: record.schema_error,
        limits_ok: record.limits_ok,
        failure_mode: record.failure_mode,
        llm_usage: record.llm_usage,
        ...defined({
          summarizer_input_text: record.summarizer_input_text,
          summarizer_input_hash: record.summarizer_input_hash,
          latency_ms: record.latency_ms,
        }),
      };
    },
  };
}

const NO_USAGE: CallUsage = {
  provider_prompt_tokens: null,
  provider_completion_tokens: null,
  model_id: RECORDED_ID,
};

function usageOf({ llm_usage: usage }: BufferDecision | SummaryEvent, { meta }: RunLog): CallUsage {
  return {
    ...defined({ prompt_ctu: usage.prompt_ctu, completion_ctu: usage.completion_ctu }),
    provider_prompt_tokens: usage.provider_prompt_tokens ?? null,
    provider_completion_tokens: usage.provider_completion_tokens ?? null,
    model_id: usage.model_id ?? meta.model?.id ?? RECORDED_ID,
  };
}

interface RecordedLog {
  readonly log: RunLog;
  /** `sha256:…` of the decompressed bytes. */
  readonly sha256: string;
}

/** The log of a case in a variant; null if none was recorded. */
type FindLog = (caseId: string, variant: string) => Promise<RecordedLog | null>;

/**
 * Logs in DIR/VARIANT/, read when they are asked for. Each log states its case; names of files differ between tools, and
 * only show where to look first.
 */
function recordedLogs(folder: string): FindLog {
  if (!isFolder(folder))
    throw new UsageError(
      `${folder}: no such folder`,
      'name the folder that holds a folder of run logs for each variant',
    );
  const variants = new Map<string, VariantFolder | null>();
  return async (caseId, variant) => {
    let logs = variants.get(variant);
    if (logs === undefined) {
      const place = join(folder, variant);
      logs = isFolder(place) ? variantFolder(place) : null;
      variants.set(variant, logs);
    }
    if (logs === null) return null;
    const wanted = plainId(caseId);
    const likely = logs.byName.get(wanted);
    if (likely?.length === 1) {
      const found = await readLog(likely[0]!);
      if (plainId(found.log.meta.case_id) === wanted) return found;
    }
    const file = (await logs.byCase()).get(wanted);
    return file === undefined ? null : readLog(file);
  };
}

interface VariantFolder {
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** Reads all logs, once. */
  byCase(): Promise<ReadonlyMap<string, string>>;
}

function variantFolder(place: string): VariantFolder {
  const files = runLogFiles(place);
  let byCase: Promise<ReadonlyMap<string, string>> | undefined;
  return { byName: Map.groupBy(files, caseInName), byCase: () => (byCase ??= casesIn(files)) };
}

async function casesIn(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const file of files) {
    const { case_id: written } = (await readLog(file)).log.meta;
    const caseId = plainId(written);
    const other = found.get(caseId);
    if (other !== undefined)
      throw new UsageError(`${other} and ${file} are both logs of the case ${caseId}`, 'keep one of them');
    found.set(caseId, file);
  }
  return found;
}

async function readLog(file: string): Promise<RecordedLog> {
  const { text, sha256 } = await readText(file);
  return { log: parseRunLog(text, file), sha256: `sha256:${sha256}` };
}

/** Some logs name a case after the file of its trace: `case-1.trace` is `case-1`. */
function plainId(caseId: string): string {
  return caseId.replace(/\.trace$/, '');
}

function caseInName(file: string): string {
  return plainId(basename(file).replace(/(?:\.run)?\.jsonl(?:\.gz|\.zst)?$/, ''));
}

function isFolder(place: string): boolean {
  return entryAt(place)?.isDirectory() ?? false;
}

// One log at a time is in use for each case under way; a folder may have many more.
const LOGS_KEPT = 64;

interface Tape extends RecordedLog {
  readonly decisions: Answers<BufferDecision>;
  readonly summaries: Answers<SummaryEvent>;
}

function tapes(findLog: FindLog): (caseId: string, variant: string) => Promise<Tape | null> {
  const kept = new Map<string, Promise<Tape | null>>();
  return (caseId, variant) => {
    const key = JSON.stringify([variant, caseId]);
    const tape = kept.get(key) ?? findLog(caseId, variant).then(wound);
    // The one used last is last; the first is the one to go.
    kept.delete(key);
    kept.set(key, tape);
    if (kept.size > LOGS_KEPT) kept.delete(kept.keys().next().value!);
    return tape;
  };
}

function wound(found: RecordedLog | null): Tape | null {
  if (found === null) return null;
  const { decisions, summaries } = found.log;
  return { ...found, decisions: new Answers(decisions), summaries: new Answers(summaries) };
}

interface Windowed {
  readonly start_seq: number;
  readonly end_seq: number;
}

/** Recorded answers of one kind, each given out once until the tape is rewound. */
class Answers<T extends Windowed> {
  readonly #byWindow: ReadonlyMap<string, readonly T[]>;
  readonly #taken = new Set<T>();

  constructor(records: readonly T[]) {
    this.#byWindow = Map.groupBy(records, (one) => windowKey(one.start_seq, one.end_seq));
  }

  rewind(): void {
    this.#taken.clear();
  }

  take(
    window: Pick<DecisionRequest, 'startSeq' | 'endSeq'>,
    fits: (record: T) => boolean,
  ): T | 'missing' | 'otherText' {
    const left = (this.#byWindow.get(windowKey(window.startSeq, window.endSeq)) ?? []).filter(
      (one) => !this.#taken.has(one),
    );
    const found = left.find(fits);
    if (found === undefined) return left.length === 0 ? 'missing' : 'otherText';
    this.#taken.add(found);
    return found;
  }
}

function windowKey(startSeq: number, endSeq: number): string {
  return `${startSeq}-${endSeq}`;
}
