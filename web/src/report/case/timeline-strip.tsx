import type { Selecting } from './picking.tsx';
import { shorten } from '../../../../src/data/visible.ts';
import { plural } from '../../../../src/text/figures.ts';
import { ticksWithin, tickText } from '../../../../src/report/svg/ticks.ts';
import { readableText } from '../../readable-pieces.ts';
import { readableName } from '../../relation.ts';
import type { StreamPoint, StreamRun, StreamSummary } from './stream-model.ts';
import { Words } from './words.tsx';

const MOST_MARKS = 400;
const MOST_AGENTS = 12;

export function TimelineStrip(
  props: Selecting & {
    readonly stream: StreamRun;
  },
) {
  const { stream } = props;
  const { span, unit, agents, flushes, decisions, summaries } = stream;
  if (span === null) return <p class="hint">Nothing in this case has a time.</p>;
  const across = (at: number): string => `${((100 * (at - span[0])) / (span[1] - span[0])).toFixed(3)}%`;
  const reach = (from: number, to: number): string =>
    `${((100 * Math.max(0, to - from)) / (span[1] - span[0])).toFixed(3)}%`;
  const scale = unit === 'seq' ? { per: 1, name: 'record of the trace' } : timeUnit(span[1] - span[0]);
  const ticks = ticksWithin(span[0] / scale.per, span[1] / scale.per, 6);
  const cut = [flushes, decisions, summaries].some(({ length }) => length > MOST_MARKS);
  return (
    <figure class="timeline">
      <div class="timeline-rows frame">
        {agents.slice(0, MOST_AGENTS).map((agent) => (
          <div key={agent.name} class="timeline-row">
            <Words in="span" class="timeline-name muted cut" text={agent.name} most={24} />
            <span class="timeline-lane" aria-hidden="true">
              {agent.turns.slice(0, MOST_MARKS).map(([from, to]) => (
                <span key={from} class="turn" style={{ insetInlineStart: across(from), width: reach(from, to) }} />
              ))}
            </span>
          </div>
        ))}
        {flushes.length === 0 ? null : <PointRow {...props} name="flushes" points={flushes} across={across} />}
        {decisions.length === 0 ? null : <PointRow {...props} name="decisions" points={decisions} across={across} />}
        {summaries.length === 0 ? null : (
          <div class="timeline-row">
            <span class="timeline-name muted cut">summaries</span>
            <span class="timeline-lane tall">
              {summaries.slice(0, MOST_MARKS).map((summary) => (
                <SummaryBar key={summary.key} {...props} summary={summary} across={across} reach={reach} />
              ))}
            </span>
          </div>
        )}
        <div class="timeline-row axis" aria-hidden="true">
          <span class="timeline-name muted cut" />
          <span class="timeline-lane">
            {ticks.values.map((value) => (
              <span key={value} class="timeline-tick" style={{ insetInlineStart: across(value * scale.per) }}>
                {tickText(value, ticks.step)}
              </span>
            ))}
          </span>
        </div>
      </div>
      <figcaption class="hint">
        {scale.name}; bars: turns of an agent
        {decisions.length === 0 ? '' : '; decisions: ▲ summarise, | buffer, □ discard, ✕ failed call'}
        {
          '; summaries: the window that each stands for, hatched where its form was wrong, underlined in red where a concept lacks support'
        }
        .{agents.length > MOST_AGENTS ? ` ${plural(agents.length - MOST_AGENTS, 'more agent')} not drawn.` : ''}
        {cut ? ` The first ${MOST_MARKS} of a row are drawn.` : ''}
        {stream.outside === 0 ? '' : ` ${plural(stream.outside, 'record')} without a place on this axis.`}
        {unit === 'seq' ? ' This run keeps no times.' : ''}
      </figcaption>
    </figure>
  );
}

const OUTCOMES: Readonly<Record<string, string>> = { summarize: '▲', summarise: '▲', buffer: '|', discard: '□' };

function PointRow(
  props: Selecting & {
    readonly name: 'flushes' | 'decisions';
    readonly points: readonly StreamPoint[];
    readonly across: (at: number) => string;
  },
) {
  const { name, points, across, isSelected, onSelect } = props;
  return (
    <div class="timeline-row">
      <span class="timeline-name muted cut">{name}</span>
      <span class="timeline-lane">
        {points.slice(0, MOST_MARKS).map(({ key, at, name: what, failed }) => {
          const sign = name === 'flushes' ? '|' : failed ? '✕' : Object.hasOwn(OUTCOMES, what) ? OUTCOMES[what] : '·';
          const words = `${name === 'flushes' ? 'flush' : 'decision'}: ${readableText(shorten(readableName(what), 60))}${failed ? ', the call failed' : ''}`;
          return (
            <button
              key={key}
              type="button"
              class={`bare timeline-point${failed ? ' spurious' : ''}`}
              style={{ insetInlineStart: across(at) }}
              aria-label={words}
              title={words}
              aria-pressed={isSelected(key)}
              onClick={() => onSelect(key)}
            >
              {sign}
            </button>
          );
        })}
      </span>
    </div>
  );
}

function SummaryBar(
  props: Selecting & {
    readonly summary: StreamSummary;
    readonly across: (at: number) => string;
    readonly reach: (from: number, to: number) => string;
  },
) {
  const { summary, across, reach, isSelected, onSelect } = props;
  const { key, line, number, from, to, unsupported, supported } = summary;
  if (from === null || to === null) return null;
  const words = `summary ${number}, ${line.record.verdict === 'hit' ? 'in form' : 'not in form'}, ${supported.length} concepts supported, ${unsupported.length} not`;
  return (
    <button
      type="button"
      class={`timeline-window ${line.record.verdict}${unsupported.length > 0 ? ' unsupported' : ''}`}
      style={{ insetInlineStart: across(from), width: reach(from, to) }}
      aria-label={words}
      title={words}
      aria-pressed={isSelected(key)}
      onClick={() => onSelect(key)}
    >
      <span>{number}</span>
    </button>
  );
}

function timeUnit(ms: number): { readonly per: number; readonly name: string } {
  if (ms <= 180_000) return { per: 1000, name: 'Seconds into the conversation' };
  return ms <= 3 * 3_600_000
    ? { per: 60_000, name: 'Minutes into the conversation' }
    : { per: 3_600_000, name: 'Hours into the conversation' };
}
