import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { listen } from '../../listen.ts';
import { languageTag } from '../../plain-text.tsx';
import { selectedText } from '../../text-place.ts';
import { laidText, markOnLane, nextOutward, type Paragraph, rowBelow } from './laid-text.ts';
import { MarkedParagraph } from './marked-paragraph.tsx';
import './marked-text.css';
import type { Mark } from './marks.ts';
import { stepOf } from './step-of.ts';

/** More marks than this are drawn as one comes to them. */
const EAGER = 1500;
/** Parts of the case that keep their place on the screen while something is selected in them. */
const ELSEWHERE = '.items, .attributes, .graph-section, .timeline, .summary-cards';

export function MarkedText(props: {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Whose lanes they are, for the margin: the row above the text, then those below it. */
  readonly captions: readonly string[];
  /** Of several runs, whose letters then stand at the bars. */
  readonly several?: boolean;
  readonly label: string;
  readonly selected: string | null;
  readonly stressed: { readonly own: ReadonlySet<string>; readonly partners: ReadonlySet<string> };
  readonly onSelect: (key: string | null) => void;
  readonly language?: string | null;
}) {
  const { text, marks, captions, several = false, selected, stressed, onSelect } = props;
  const frame = useRef<HTMLDivElement>(null);
  const rows = captions.length;
  const paragraphs = useMemo(() => laidText(text, marks, rows), [text, marks, rows]);
  const at = marks.findIndex(({ keys }) => selected !== null && keys.includes(selected));
  const stop = marks[Math.max(0, at)]?.id ?? null;

  const near = useNear(frame, marks.length > EAGER);
  /** The pointer picked something here: keys go on from it. */
  const pointed = useRef(false);

  useEffect(() => {
    const held = frame.current;
    if (held === null || at < 0 || stop === null) return;
    const tag = held.querySelector(`[data-key="${CSS.escape(stop)}"]`);
    if (!(tag instanceof HTMLElement)) return;
    const { activeElement } = document;
    // Stepping through the text continues from here; focus in a table or a graph stays there.
    if (pointed.current || held.contains(activeElement)) tag.focus({ preventScroll: true });
    if (activeElement?.closest(ELSEWHERE) == null) tag.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    pointed.current = false;
  }, [stop, at]);

  const walk = (event: KeyboardEvent): void => {
    // Pieces of one item are one stop.
    const stops = marks.filter(({ piece }) => piece === 0);
    const to = stepOf(
      event,
      stops.findIndex(({ id }) => at >= 0 && id === stop),
      stops.length,
    );
    if (to === null) return;
    event.preventDefault();
    onSelect(stops[to]?.selects ?? null);
  };

  const pick = (event: MouseEvent): void => {
    const mark = pickedMark(event, paragraphs, selected);
    if (mark === null) return;
    pointed.current = true;
    onSelect(mark.selects);
  };

  return (
    <div
      ref={frame}
      class={`marked${several ? ' several' : ''}${marks.length === 0 ? ' unmarked' : ''}`}
      role="group"
      aria-label={props.label}
      lang={languageTag(props.language)}
      onClick={pick}
      onKeyDown={walk}
      onCopy={(event) => {
        const copied = frame.current === null ? null : selectedText(frame.current, text);
        if (copied === null) return;
        // With the characters that are shown by name, and without the names of bars.
        event.clipboardData?.setData('text/plain', copied.text);
        event.preventDefault();
      }}
    >
      {paragraphs.map((paragraph, place) => (
        <MarkedParagraph
          key={paragraph.start}
          text={text}
          paragraph={paragraph}
          place={place}
          captions={captions}
          several={several}
          drawn={near === null || near.has(place) || within(paragraph, marks[Math.max(0, at)])}
          stop={within(paragraph, marks[Math.max(0, at)]) ? stop : null}
          chosen={idsWithin(paragraph, stressed.own)}
          partners={idsWithin(paragraph, stressed.partners)}
        />
      ))}
    </div>
  );
}

/** As one text, so that a paragraph without any of them stays as it is drawn. */
function idsWithin({ segments }: Paragraph, keys: ReadonlySet<string>): string {
  if (keys.size === 0) return '';
  const found = segments.flatMap(({ cells }) =>
    cells.filter(({ mark }) => mark.keys.some((key) => keys.has(key))).map(({ mark }) => mark.id),
  );
  return [...new Set(found)].join('\n');
}

function within({ start, end }: Paragraph, mark: Mark | undefined): boolean {
  return mark !== undefined && mark.start >= start && mark.start < end;
}

/** The bar under the pointer; on the text itself the innermost first, and with each further click the one around it. */
function pickedMark(event: MouseEvent, paragraphs: readonly Paragraph[], selected: string | null): Mark | null {
  const { target } = event;
  // Somebody selects text to copy it.
  if (!(target instanceof Element) || getSelection()?.isCollapsed === false) return null;
  const shown = target.closest<HTMLElement>('[data-segment]');
  const tag = target.closest<HTMLElement>('[data-key]');
  if (shown === null) return null;
  const paragraph = paragraphs[Number(shown.dataset['paragraph'])];
  const segment = paragraph?.segments[Number(shown.dataset['segment'])];
  if (paragraph === undefined || segment === undefined) return null;
  if (tag !== null) {
    const key = tag.dataset['key'];
    const named = [...segment.cells.map(({ mark }) => mark), ...segment.more.flatMap(({ marks }) => marks)];
    return named.find(({ id }) => id === key) ?? null;
  }
  const style = getComputedStyle(shown);
  const [up, down] = [Number.parseFloat(style.paddingTop), Number.parseFloat(style.paddingBottom)];
  const box = [...shown.getClientRects()].find(({ top, bottom }) => event.clientY >= top && event.clientY <= bottom);
  if (box !== undefined && event.detail > 0) {
    const above = box.top + up - event.clientY;
    const below = event.clientY - (box.bottom - down);
    const lanesUp = paragraph.lanes[0] ?? 0;
    const lanesDown = paragraph.lanes.slice(1).reduce((sum, own) => sum + own, 0);
    if (above > 0) return markOnLane(segment, 0, Math.floor((above / up) * lanesUp));
    if (below > 0) {
      const found = rowBelow(paragraph.lanes, Math.floor((below / down) * lanesDown));
      return found === null ? null : markOnLane(segment, found.row, found.lane);
    }
  }
  return nextOutward(segment, selected);
}

const MARGIN = '1200px';

/**
 * Which children of a frame are or were near to what is in view, by their order; null: all of them. Thousands of marks
 * are drawn as one comes to them, and at once for paper.
 */
function useNear(frame: RefObject<HTMLElement | null>, lazy: boolean): ReadonlySet<number> | null {
  const [near, setNear] = useState<ReadonlySet<number>>(new Set());
  const [all, setAll] = useState(false);
  useEffect(() => {
    const held = frame.current;
    if (held === null || !lazy) return undefined;
    const places = new Map([...held.children].map((child, at) => [child, at]));
    const options = { rootMargin: `${MARGIN} 0px`, scrollMargin: `${MARGIN} 0px` };
    const observer = new IntersectionObserver((entries) => {
      const come = entries
        .filter(({ isIntersecting }) => isIntersecting)
        .flatMap(({ target }) => places.get(target) ?? []);
      if (come.length > 0) setNear((before) => new Set([...before, ...come]));
      for (const { target, isIntersecting } of entries) if (isIntersecting) observer.unobserve(target);
    }, options);
    for (const child of places.keys()) observer.observe(child);
    const end = listen(window, { beforeprint: () => setAll(true) });
    return () => {
      observer.disconnect();
      end();
    };
  }, [frame, lazy]);
  return lazy && !all ? near : null;
}
