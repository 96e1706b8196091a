import { useEffect, useMemo, useRef } from 'preact/hooks';

import type { ContentBlock, ReviewContent } from '../../src/review/content.ts';
import { languageTag, Pieces, PlainText } from './plain-text.tsx';
import { readableText } from './readable-pieces.ts';
import { toneStyle } from './tone-style.ts';
import { scrollPane } from './scroll-pane.ts';
import { segmentsOf, type ShownSpan } from './text-segments.ts';

/** The texts of an item, with spans marked in the one under review. Everything is text, whatever it contains. */
export function ShownContent(props: {
  readonly content: ReviewContent;
  readonly spans?: readonly ShownSpan[];
  /** Ids of the spans that the person is at. */
  readonly current?: readonly string[];
  readonly onPick?: (span: string) => void;
  /** Level of the headings. */
  readonly level?: 2 | 3;
}) {
  const { content } = props;
  const Heading = props.level === 3 ? 'h3' : 'h2';
  return (
    <div class="shown-content stack loose">
      {content.blocks.map((block) => (
        <section key={block.name} class={block.name === content.under ? 'block stack under card' : 'block stack'}>
          <Heading class="block-title">
            <PlainText text={block.title} />
          </Heading>
          {block.name === content.under && props.spans !== undefined && props.spans.length > 0 ? (
            <MarkedText
              block={block}
              language={content.language}
              spans={props.spans}
              current={props.current ?? []}
              onPick={props.onPick}
            />
          ) : (
            <div class="text" dir="auto" lang={languageTag(content.language)} data-block={block.name}>
              <Pieces text={block.text} />
            </div>
          )}
        </section>
      ))}
    </div>
  );
}

function MarkedText(props: {
  readonly block: ContentBlock;
  readonly language: string | null;
  readonly spans: readonly ShownSpan[];
  readonly current: readonly string[];
  readonly onPick: ((span: string) => void) | undefined;
}) {
  const { block, spans, current, onPick } = props;
  const shown = useRef<HTMLDivElement>(null);
  const segments = useMemo(() => segmentsOf(block.text.length, spans), [block.text, spans]);
  const byId = useMemo(() => new Map(spans.map((span) => [span.id, span])), [spans]);

  useEffect(() => {
    const mark = shown.current?.querySelector('.span.current');
    const pane = mark?.closest('[data-pane]');
    // On a narrow screen, where no pane scrolls, the question must stay in view.
    if (pane != null && pane.scrollHeight > pane.clientHeight) scrollPane(pane, mark, 48);
  }, [current.join(' ')]);

  return (
    <div ref={shown} class="text marked" dir="auto" lang={languageTag(props.language)} data-block={block.name}>
      {segments.map((segment) => {
        const beginning = segment.spans
          .flatMap((id) => byId.get(id) ?? [])
          .filter(({ start, kind }) => start === segment.start && kind !== null);
        let inner = (
          <SegmentText text={block.text.slice(segment.start, segment.end)} from={segment.start} spans={beginning} />
        );
        segment.spans.forEach((id, index) => {
          inner = (
            <mark
              class={spanClass(byId.get(id), segment.lanes[index] ?? 0, current.includes(id))}
              style={toneStyle(byId.get(id)?.tone ?? null)}
            >
              {inner}
            </mark>
          );
        });
        if (segment.spans.length === 0) return <span key={segment.start}>{inner}</span>;
        // For those with a mouse; by keyboard one walks through the list of spans. The innermost comes first, and each
        // further click goes to the one around it.
        const at = segment.spans.findIndex((id) => current.includes(id));
        const wanted = segment.spans.at(at < 0 ? -1 : at - 1);
        const pick = () => {
          if (wanted !== undefined && getSelection()?.isCollapsed !== false) onPick?.(wanted);
        };
        return (
          <span key={segment.start} onClick={pick}>
            {inner}
          </span>
        );
      })}
    </div>
  );
}

/** The kinds of the spans that begin here stand at the first word: a system may take the space before it for its own. */
function SegmentText(props: { readonly text: string; readonly from: number; readonly spans: readonly ShownSpan[] }) {
  const { text, from, spans } = props;
  if (spans.length === 0) return <Pieces text={text} from={from} />;
  const lead = text.length - text.trimStart().length;
  return (
    <>
      <Pieces text={text.slice(0, lead)} from={from} />
      {spans.map(({ id, kind, tone }) => (
        <span key={id} class="span-kind" style={toneStyle(tone)}>
          {readableText(kind ?? '')}
        </span>
      ))}
      <Pieces text={text.slice(lead)} from={from + lead} />
    </>
  );
}

function spanClass(span: ShownSpan | undefined, lane: number, current: boolean): string {
  const kind = span?.kind == null ? '' : ' with-kind';
  return `span lane-${Math.min(lane, 3)}${kind}${current ? ' current' : ''}`;
}
