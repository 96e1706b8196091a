import { useEffect, useMemo, useRef } from 'preact/hooks';

import type { ContentBlock, ReviewContent } from '../../src/review/content.ts';
import { languageTag, Pieces, PlainText } from './plain-text.tsx';
import { segmentsOf, type TextSpan } from './text-segments.ts';

/** A span of the text under review; `tone` (0-7) is the colour of its line, null for a line without colour. */
export interface ShownSpan extends TextSpan {
  readonly tone: number | null;
  /** Written before it, as for a PII label; null where the line is enough. */
  readonly kind: string | null;
}

/** The texts of an item, with spans marked in the one under review. Everything is text, whatever it contains. */
export function ShownContent(props: {
  readonly content: ReviewContent;
  readonly spans?: readonly ShownSpan[];
  readonly current?: string | null;
  readonly onPick?: (span: string) => void;
  /** Level of the headings. */
  readonly level?: 2 | 3;
}) {
  const { content } = props;
  const Heading = props.level === 3 ? 'h3' : 'h2';
  return (
    <div class="shown-content">
      {content.blocks.map((block) => (
        <section key={block.name} class={block.name === content.under ? 'block under' : 'block'}>
          <Heading class="block-title">
            <PlainText text={block.title} />
          </Heading>
          {block.name === content.under && props.spans !== undefined && props.spans.length > 0 ? (
            <MarkedText
              block={block}
              language={content.language}
              spans={props.spans}
              current={props.current ?? null}
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
  readonly current: string | null;
  readonly onPick: ((span: string) => void) | undefined;
}) {
  const { block, spans, current, onPick } = props;
  const shown = useRef<HTMLDivElement>(null);
  const segments = useMemo(() => segmentsOf(block.text.length, spans), [block.text, spans]);
  const byId = useMemo(() => new Map(spans.map((span) => [span.id, span])), [spans]);

  useEffect(() => {
    const mark = current === null ? null : shown.current?.querySelector('.span.current');
    if (mark instanceof HTMLElement) bringIntoPane(mark);
  }, [current]);

  return (
    <div ref={shown} class="text marked" dir="auto" lang={languageTag(props.language)} data-block={block.name}>
      {segments.map((segment) => {
        let inner = <Pieces text={block.text.slice(segment.start, segment.end)} from={segment.start} />;
        segment.spans.forEach((id, index) => {
          const span = byId.get(id);
          const begins = span?.start === segment.start;
          inner = (
            <mark class={spanClass(span, segment.lanes[index] ?? 0, id === current)}>
              {begins && span.kind !== null ? <span class="span-kind">{span.kind}</span> : null}
              {inner}
            </mark>
          );
        });
        const innermost = segment.spans.at(-1);
        if (innermost === undefined) return <span key={segment.start}>{inner}</span>;
        // For those with a mouse; by keyboard one walks through the list of spans.
        const pick = () => {
          if (getSelection()?.isCollapsed !== false) onPick?.(innermost);
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

function spanClass(span: ShownSpan | undefined, lane: number, current: boolean): string {
  const tone = span?.tone == null ? '' : ` tone-${span.tone % 8}`;
  const kind = span?.kind == null ? '' : ' with-kind';
  return `span lane-${Math.min(lane, 3)}${kind}${tone}${current ? ' current' : ''}`;
}

/** Scrolls the pane that the text stands in, and never the page: on a narrow screen that would take the question away. */
function bringIntoPane(mark: HTMLElement): void {
  const pane = mark.closest('[data-pane]');
  if (pane === null || pane.scrollHeight <= pane.clientHeight) return;
  const [outer, inner] = [pane.getBoundingClientRect(), mark.getBoundingClientRect()];
  const margin = 48;
  if (inner.top < outer.top + margin) pane.scrollTop -= outer.top + margin - inner.top;
  else if (inner.bottom > outer.bottom - margin) pane.scrollTop += inner.bottom - outer.bottom + margin;
}
