import { basename } from 'node:path';

import { type Case, type CaseReader, makeCase, type ReadFile } from '../../index.ts';
import { noNotices, readText, textLines, UsageError, type WholeText } from '../../plugin.ts';
import type { Join } from '../canonical-text.ts';
import type { ConceptExtractor } from '../concepts/extractor.ts';
import { isFailedDecision, isUnansweredSummary } from '../failed-call.ts';
import { loggedNumbers } from './logged-numbers.ts';
import { streamCase } from './stream-case.ts';
import { parseRunLog } from '../read-run-log.ts';
import { parseTrace } from '../read-trace.ts';
import type { RunLog } from '../run-log-records.ts';

/** A case of a variant: its trace, and its log if there is one. */
export interface CaseFiles {
  readonly trace: string;
  readonly log: string | null;
}

interface StreamReaderOptions {
  readonly files: readonly CaseFiles[];
  readonly extractor: ConceptExtractor;
  readonly join: Join;
  /** Measures a log although it states that it is of another trace. */
  readonly force?: boolean;
  /** Called with each case and the log it was made from. */
  readonly seen?: (given: Case, log: RunLog | null) => void;
}

/** Cases of one variant, one trace at a time. A trace without a log is a case that failed. */
export function streamReader({ files, extractor, join, force = false, seen }: StreamReaderOptions): CaseReader {
  const read: ReadFile[] = [];
  const notices = {
    ...noNotices(),
    stubTraces: 0,
    summariesNotInFaithfulness: 0,
    failedDecisions: 0,
    fallbackTimestamps: 0,
    emptyWindows: 0,
    casesWithoutSummary: 0,
    unansweredSummaries: 0,
    heuristicLogs: 0,
  };
  const text = async (path: string, role: ReadFile['role']): Promise<WholeText> => {
    const whole = await readText(path);
    const rows = [...textLines(whole.text)].length;
    const { storedSha256: sha256, storedBytes: bytes } = whole;
    read.push({
      role,
      name: basename(path),
      path,
      format: role === 'cases' ? 'trace' : 'run-log',
      sha256,
      bytes,
      rows,
    });
    return whole;
  };
  async function* cases(): AsyncGenerator<Case> {
    for (const { trace: traceFile, log: logFile } of files) {
      const { text: traceText, sha256, storedSha256 } = await text(traceFile, 'cases');
      const trace = parseTrace(traceText, traceFile, sha256);
      if (trace.meta.stub_mode === true) notices.stubTraces += 1;
      if (logFile === null) {
        const failed = makeCase({ id: trace.meta.case_id, failed: 'this case has no run log' });
        seen?.(failed, null);
        yield failed;
        continue;
      }
      const log = parseRunLog((await text(logFile, 'predictions')).text, logFile);
      if (!force) refuseOtherTrace(log, logFile, traceFile, [sha256, storedSha256]);
      if (log.summaries.length === 0) notices.casesWithoutSummary += 1;
      notices.unansweredSummaries += log.summaries.filter(isUnansweredSummary).length;
      notices.summariesNotInFaithfulness += log.summaries.filter(({ schema_ok: ok }) => !ok).length;
      notices.failedDecisions += log.decisions.filter(isFailedDecision).length;
      notices.fallbackTimestamps += log.meta.timestamp_derivation?.derived_from_fallback ?? 0;
      if (isHeuristic(log)) notices.heuristicLogs += 1;
      const made = await streamCase(trace, log, extractor, join);
      notices.emptyWindows += loggedNumbers(made, 'summary', 'window_deltas').filter((deltas) => deltas === 0).length;
      seen?.(made, log);
      yield made;
    }
  }
  return { [Symbol.asyncIterator]: cases, files: () => read, notices };
}

/** Also if the answers of a stand-in were recorded and played back. */
function isHeuristic({ meta, summaries }: RunLog): boolean {
  if (meta.model?.kind === 'heuristic') return true;
  return summaries.some(({ llm_usage: usage }) => usage.model_id?.startsWith('heuristic') === true);
}

/** A log names its trace by the hash of its bytes, compressed or not: figures of one against another mean nothing. */
function refuseOtherTrace({ meta }: RunLog, log: string, trace: string, hashes: readonly string[]): void {
  const stated = meta.trace_file_hash;
  if (stated === undefined || hashes.some((hash) => stated === `sha256:${hash}`)) return;
  throw new UsageError(
    `${log} was made of another trace than ${trace}: its trace_file_hash is ${stated.slice(0, 15)}…`,
    'replay the trace again, or measure anyway with --force',
  );
}
