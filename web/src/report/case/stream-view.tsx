import { Pill, type Selecting } from './picking.tsx';
import { useMemo, useState } from 'preact/hooks';

import { count, plural, figure } from '../../../../src/text/figures.ts';
import { type CaseLine, lineKey } from './case-items.ts';
import { itemWords } from './item-words.ts';
import { streamOf, type StreamSummary } from './stream-model.ts';
import { TimelineStrip } from './timeline-strip.tsx';
import { Words } from './words.tsx';

const CARDS = 12;
const MOST_CONCEPTS = 400;

export function StreamView(
  props: Selecting & {
    readonly lines: readonly CaseLine[];
  },
) {
  const stream = useMemo(() => streamOf(props.lines), [props.lines]);
  const [all, setAll] = useState(false);
  const { summaries, covered, missed, extra } = stream;
  const picked = summaries.findIndex(({ key }) => props.isSelected(key));
  const shown = all || picked >= CARDS ? summaries : summaries.slice(0, CARDS);
  return (
    <>
      <section class="case-section stack">
        <h3>Timeline</h3>
        <TimelineStrip {...props} stream={stream} />
        {stream.chunks.length === 0 ? null : (
          <p class="hint">Chunks of the trace: {stream.chunks.map(([name, n]) => `${name} ${count(n)}`).join(', ')}</p>
        )}
      </section>
      {covered.length + missed.length + extra.length === 0 ? null : (
        <section class="case-section stack">
          <h3>
            Concepts of the conversation{' '}
            <span class="hint count">
              {count(covered.length)} of {count(covered.length + missed.length)} covered
            </span>
          </h3>
          <Concepts {...props} title="Missed" lines={missed} />
          <Concepts {...props} title="Covered" lines={covered} />
          <Concepts {...props} title="In a summary, not in the conversation" lines={extra} />
        </section>
      )}
      {summaries.length === 0 ? null : (
        <section class="case-section stack">
          <h3>
            Summaries <span class="hint count">{count(summaries.length)}</span>
          </h3>
          <ol class="summary-cards" role="list">
            {shown.map((summary) => (
              <SummaryCard key={summary.key} {...props} summary={summary} unit={stream.unit} />
            ))}
          </ol>
          {shown.length < summaries.length ? (
            <button type="button" class="small" onClick={() => setAll(true)}>
              Show all {count(summaries.length)}
            </button>
          ) : null}
        </section>
      )}
    </>
  );
}

function Concepts(
  props: Selecting & {
    readonly title: string;
    readonly lines: readonly CaseLine[];
  },
) {
  const { title, lines } = props;
  if (lines.length === 0) return null;
  return (
    <div class="concepts">
      <h4>
        {title} <span class="hint count">{count(lines.length)}</span>
      </h4>
      <ul role="list" class="pill-list flow">
        {lines.slice(0, MOST_CONCEPTS).map((line) => (
          <ConceptPill key={lineKey(line)} {...props} line={line} />
        ))}
        {lines.length > MOST_CONCEPTS ? <li class="hint">and {count(lines.length - MOST_CONCEPTS)} more</li> : null}
      </ul>
    </div>
  );
}

function ConceptPill(props: Selecting & { readonly line: CaseLine }) {
  const { line } = props;
  const item = (line.gold ?? line.predicted)?.item;
  return (
    <Pill {...props} item={lineKey(line) ?? ''} verdict={line.record.verdict}>
      <Words text={item === undefined ? '' : itemWords(item).words} most={60} />
    </Pill>
  );
}

function SummaryCard(
  props: Selecting & {
    readonly summary: StreamSummary;
    readonly unit: 'ms' | 'seq';
  },
) {
  const { summary, unit, isSelected, onSelect } = props;
  const { key, line, number, from, to, supported, unsupported } = summary;
  const { record } = line;
  const window =
    from === null || to === null
      ? ''
      : unit === 'ms'
        ? `${figure(from / 1000)} to ${figure(to / 1000)} s`
        : `records ${from} to ${to}`;
  return (
    <li class={`summary-card stack card ${record.verdict}${isSelected(key) ? ' selected' : ''}`}>
      <header>
        <button type="button" class="bare row-button" aria-pressed={isSelected(key)} onClick={() => onSelect(key)}>
          <b>Summary {number}</b> <span class="hint">{window}</span>
        </button>
        {record.verdict === 'hit' ? null : (
          <span class="spurious ink">
            form wrong: <Words text={record.because ?? record.rule} most={160} />
          </span>
        )}
      </header>
      <Words in="p" class="summary-text" text={line.predicted?.item.text ?? ''} most={4000} />
      {unsupported.length === 0 ? null : (
        <>
          <p class="hint">
            {plural(unsupported.length, 'concept')} without support in its window or the summary before:
          </p>
          <ul role="list" class="pill-list flow">
            {unsupported.slice(0, MOST_CONCEPTS).map((one) => (
              <ConceptPill key={lineKey(one)} {...props} line={one} />
            ))}
          </ul>
        </>
      )}
      {supported.length === 0 ? null : (
        <details>
          <summary class="hint">{plural(supported.length, 'concept')} supported</summary>
          <ul role="list" class="pill-list flow">
            {supported.slice(0, MOST_CONCEPTS).map((one) => (
              <ConceptPill key={lineKey(one)} {...props} line={one} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
