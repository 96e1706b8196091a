import { describe } from '../../../data/record-fields.ts';
import { sha256Of } from '../../../data/sha256-of.ts';
import { ctu } from '../ctu.ts';
import { SUMMARY_FIELDS, type SummaryEvent } from '../run-log-records.ts';
import type { Check } from './findings.ts';
import { eventId } from './index-check.ts';

type Tell = (line: number | null, check: Check, message: string) => void;

/** The last field says who contributed, which is no content. */
const SEMANTIC_FIELDS = SUMMARY_FIELDS.slice(0, -1);

/** Whether a summary agrees with itself, and names the summaries before it. */
export function checkSummary(record: SummaryEvent, number: number, historyK: number | null, line: number, tell: Tell) {
  const semantics = SEMANTIC_FIELDS.map((field) => record.summary_content[field]).join(' ');
  if (record.summary_semantics_text !== semantics)
    tell(
      line,
      'semantics-text',
      `summary_semantics_text: found ${describe(record.summary_semantics_text)}, expected ${SEMANTIC_FIELDS.join(', ')} of summary_content with a space between`,
    );
  const units = ctu(record.summary_semantics_text);
  if (record.summary_ctu !== units)
    tell(line, 'ctu', `summary_ctu: found ${record.summary_ctu}, expected ${units}, a quarter of the code points`);
  const { summarizer_input_text: input, summarizer_input_hash: given } = record;
  const inputHash = input === undefined ? null : sha256Of(input);
  if (inputHash !== null && given !== undefined && given !== inputHash)
    tell(line, 'input-hash', `summarizer_input_hash: found ${given}, expected ${inputHash}`);
  checkFlags(record, line, tell);
  checkHistory(record, number, historyK, line, tell);
}

/** The one failure that is about limits. */
const TOO_LONG = 'length_limit_violation';

/** A summary is as it should be, or it failed and says how; one that is too long has failed. */
function checkFlags(record: SummaryEvent, line: number, tell: Tell): void {
  const { schema_ok: ok, limits_ok: fits, failure_mode: mode, schema_error: error } = record;
  if (ok && !fits) tell(line, 'flags', 'schema_ok: found true, expected false where limits_ok is false');
  else if (ok && (mode !== null || error !== null))
    tell(
      line,
      'flags',
      `schema_ok: found true, expected false where ${mode === null ? 'schema_error' : 'failure_mode'} is ${describe(mode ?? error)}`,
    );
  else if (fits && mode === TOO_LONG)
    tell(line, 'flags', `limits_ok: found true, expected false where failure_mode is ${TOO_LONG}`);
  else if (!ok && mode === null)
    tell(line, 'flags', `schema_ok: found false, expected ${fits ? 'true, or ' : ''}a failure_mode, which is null`);
}

function checkHistory(record: SummaryEvent, number: number, historyK: number | null, line: number, tell: Tell): void {
  const latest = number === 0 ? null : eventId(record, number - 1);
  if (record.latest_summary_event_id !== latest)
    tell(
      line,
      'history',
      `latest_summary_event_id: found ${describe(record.latest_summary_event_id)}, expected ${describe(latest)}`,
    );
  if (historyK === null) return;
  const most = Math.max(0, Math.min(historyK, number - 1));
  const { summary_history_event_ids: given } = record;
  const isRight = given.length === most && given.every((id, at) => id === eventId(record, number - 1 - most + at));
  if (isRight) return;
  const found = given.length <= 10 ? `[${given.map(describe).join(', ')}]` : `${given.length} ids`;
  const expected = Array.from({ length: Math.min(most, 10) }, (_, at) =>
    describe(eventId(record, number - 1 - most + at)),
  );
  tell(
    line,
    'history',
    `summary_history_event_ids: found ${found}, expected [${expected.join(', ')}${most > 10 ? ', …' : ''}], the ${historyK} before the latest`,
  );
}
