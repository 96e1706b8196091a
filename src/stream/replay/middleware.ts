import { sha256Of } from '../../plugin.ts';
import { ctu } from '../ctu.ts';
import {
  type BufferDecision,
  type FlushReason,
  type SummaryContent,
  type SummaryEvent,
  SUMMARY_FIELDS,
  type TokengateFlush,
} from '../run-log-records.ts';
import type { StreamModel } from './model.ts';
import { renderSegments, type Segment } from './render.ts';
import type { TraceClock } from './trace-clock.ts';
import type { Variant } from './variant.ts';

/** The middleware as one case sees it: what is buffered, what was summarised, and the log of it. */
export class Middleware {
  readonly flushes: TokengateFlush[] = [];
  readonly decisions: BufferDecision[] = [];
  readonly summaries: SummaryEvent[] = [];
  readonly #caseId: string;
  readonly #variant: Variant;
  readonly #model: StreamModel;
  readonly #clock: TraceClock;
  #context: Segment[] = [];

  constructor(caseId: string, variant: Variant, model: StreamModel, clock: TraceClock) {
    this.#caseId = caseId;
    this.#variant = variant;
    this.#model = model;
    this.#clock = clock;
  }

  logFlush({ text, startSeq, endSeq }: Segment, reason: FlushReason): void {
    this.flushes.push({
      record_type: 'tokengate_flush',
      ...this.#belongs(),
      flush_index: this.flushes.length,
      timestamp: this.#clock.at(endSeq),
      start_seq: startSeq,
      end_seq: endSeq,
      accumulated_ctu: ctu(text),
      trigger_reason: reason,
      text_hash: sha256Of(text),
    });
  }

  keep(segment: Segment): void {
    this.#context.push(segment);
  }

  /** Asks whether what is buffered and the new segment are to be summarised now, and does so. */
  async consider(segment: Segment, novelty: boolean, reason: string | null): Promise<void> {
    const startSeq = this.#context[0]?.startSeq ?? segment.startSeq;
    const context = renderSegments(this.#context);
    const fresh = renderSegments([segment]);
    const inputCtu = ctu(`${context}\n${fresh}`);
    const index = this.decisions.length;
    const answer = await this.#model.decide({
      caseId: this.#caseId,
      variant: this.#variant.id,
      index,
      startSeq,
      endSeq: segment.endSeq,
      inputCtu,
      context,
      segment: fresh,
      history: lastOf(this.summaries, this.#variant.historyK).map(contentOf),
      novelty,
    });
    this.decisions.push({
      record_type: 'buffer_decision',
      ...this.#belongs(),
      decision_index: index,
      decision_id: `${this.#caseId}-${this.#variant.id}-bd-${numbered(index)}`,
      timestamp: this.#clock.at(segment.endSeq),
      start_seq: startSeq,
      end_seq: segment.endSeq,
      input_ctu: inputCtu,
      ...answer,
      ...(reason === null ? {} : { trigger_reason: reason }),
    });
    this.#context.push(segment);
    if (answer.decision !== 'summarize') return;
    const all = this.#context;
    this.#context = [];
    await this.summarize(all, { startSeq, endSeq: segment.endSeq }, 'buffer_agent', segment.endSeq);
  }

  /** `timeSeq` is the delta whose time the summary has. */
  async summarize(
    segments: readonly Segment[],
    window: Pick<Segment, 'startSeq' | 'endSeq'>,
    trigger: SummaryEvent['trigger_type'],
    timeSeq: number,
  ): Promise<void> {
    const index = this.summaries.length;
    const newBuffer = renderSegments(segments);
    const newBufferHash = sha256Of(newBuffer);
    const latest = this.summaries.at(-1) ?? null;
    // The last ones before the latest; the list itself is not copied, since a log can have many thousands.
    const history = this.summaries.slice(-this.#variant.historyK - 1, -1);
    const answer = await this.#model.summarize({
      caseId: this.#caseId,
      variant: this.#variant.id,
      index,
      ...window,
      newBuffer,
      newBufferHash,
      history: history.map(contentOf),
      latest: latest === null ? null : contentOf(latest),
      limits: this.#variant.limits,
    });
    const semantics = semanticsText(answer.summary_content);
    this.summaries.push({
      record_type: 'summary_event',
      ...this.#belongs(),
      event_index: index,
      event_id: `${this.#caseId}-${this.#variant.id}-se-${numbered(index)}`,
      timestamp: this.#clock.at(timeSeq),
      start_seq: window.startSeq,
      end_seq: window.endSeq,
      trigger_type: trigger,
      summary_history_event_ids: history.map(({ event_id: id }) => id),
      latest_summary_event_id: latest?.event_id ?? null,
      new_buffer_text_hash: newBufferHash,
      ...answer,
      summary_semantics_text: semantics,
      summary_ctu: ctu(semantics),
    });
  }

  #belongs(): { case_id: string; variant_id: string } {
    return { case_id: this.#caseId, variant_id: this.#variant.id };
  }
}

/** The clinical content of a summary: its first five fields, without who contributed. */
export function semanticsText(content: SummaryContent): string {
  return SUMMARY_FIELDS.slice(0, 5)
    .map((field) => content[field])
    .join(' ');
}

/** The last of a list; `slice(-0)` would be all of them. */
function lastOf<T>(list: readonly T[], most: number): readonly T[] {
  return most === 0 ? [] : list.slice(-most);
}

function contentOf({ summary_content: content }: SummaryEvent): SummaryContent {
  return content;
}

function numbered(index: number): string {
  return String(index).padStart(3, '0');
}
