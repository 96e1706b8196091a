import { useMemo } from 'preact/hooks';

import { Pieces } from '../../plain-text.tsx';
import { readableText } from '../../readable-pieces.ts';
import { barStyle, type Stress } from './bars.ts';
import { type Cell, lanesBefore, LONGEST_NAME, MOST_LANES, type Paragraph, type Segment } from './laid-text.ts';
import type { Mark } from './marks.ts';
import { runLetter } from './run-letter.ts';
import { VERDICT_SIGNS } from './verdict-words.ts';

interface Drawing {
  readonly text: string;
  readonly paragraph: Paragraph;
  readonly place: number;
  readonly several: boolean;
  /** The mark that the tab key leads to, where it is here. */
  readonly stop: string | null;
  readonly stressOf: (mark: Mark) => Stress;
}

/** One paragraph, drawn again only when something in it changes: texts are long. */
export function MarkedParagraph(props: {
  readonly text: string;
  readonly paragraph: Paragraph;
  readonly place: number;
  readonly captions: readonly string[];
  readonly several: boolean;
  /** Whether its marks are drawn yet; its lines lie the same without them. */
  readonly drawn: boolean;
  readonly stop: string | null;
  /** Ids of the marks that stand out, a line each: a text is the same as its equal. */
  readonly chosen: string;
  readonly partners: string;
}) {
  const { text, paragraph, place, captions, several, drawn, stop, chosen, partners } = props;
  return useMemo(() => {
    const [picked, others] = [new Set(chosen.split('\n')), new Set(partners.split('\n'))];
    const stressOf = ({ id }: Mark): Stress => (picked.has(id) ? 'selected' : others.has(id) ? 'partner' : null);
    const drawing: Drawing = { text, paragraph, place, several, stop, stressOf };
    const [up = 0, ...rest] = paragraph.lanes;
    const down = rest.reduce((sum, own) => sum + own, 0);
    const style = { '--up': String(up), '--down': String(down), '--chars': String(paragraph.end - paragraph.start) };
    return (
      <div class={up + down === 0 ? 'paragraph bare' : 'paragraph'} style={style}>
        {up + down === 0 ? null : <Captions lanes={paragraph.lanes} captions={captions} />}
        <div class="paragraph-text" dir="auto">
          {drawn ? (
            paragraph.segments.map((segment, at) => (
              <SegmentText key={segment.start} drawing={drawing} segment={segment} at={at} />
            ))
          ) : (
            <Pieces text={text.slice(paragraph.start, paragraph.end)} from={paragraph.start} />
          )}
        </div>
      </div>
    );
  }, [text, paragraph, place, captions, several, drawn, stop, chosen, partners]);
}

function Captions(props: { readonly lanes: readonly number[]; readonly captions: readonly string[] }) {
  const { lanes, captions } = props;
  return (
    <div class="captions" aria-hidden="true">
      {lanes.map((own, row) =>
        own === 0 ? null : (
          <span
            key={row}
            class={row === 0 ? 'caption above' : 'caption below'}
            style={{ '--away': String(lanesBefore(lanes, row, 0)) }}
          >
            {captions[row] ?? ''}
          </span>
        ),
      )}
    </div>
  );
}

function SegmentText(props: { readonly drawing: Drawing; readonly segment: Segment; readonly at: number }) {
  const { drawing, segment, at } = props;
  const { start, end, cells, named, more } = segment;
  const words = drawing.text.slice(start, end);
  if (cells.length === 0 && more.length === 0) return <Pieces text={words} from={start} />;
  const style = barStyle(segment, drawing.paragraph.lanes, drawing.stressOf);
  const [lead, head, rest] = headOf(words);
  return (
    <span class="segment" data-paragraph={drawing.place} data-segment={at} {...(style === null ? {} : { style })}>
      {named.length === 0 && more.length === 0 ? (
        <Pieces text={words} from={start} />
      ) : (
        <>
          <Pieces text={lead} from={start} />
          <span class="segment-head">
            {named.map((cell) => (
              <Tag key={cell.mark.id} drawing={drawing} cell={cell} />
            ))}
            {more.map(({ row, marks }) => (
              <MoreTag key={row} drawing={drawing} row={row} marks={marks} />
            ))}
            <Pieces text={head} from={start + lead.length} />
          </span>
          <Pieces text={rest} from={start + lead.length + head.length} />
        </>
      )}
    </span>
  );
}

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Of a first character that somebody made longer than any is. */
const LONGEST_CHARACTER = 40;

/** Leading space, the first character after it, the rest. A bar's name is attached to what no line break can split. */
export function headOf(words: string): readonly [string, string, string] {
  const lead = words.length - words.trimStart().length;
  const from = lead === words.length ? 0 : lead;
  const [first] = CHARACTERS.segment(words.slice(from, from + LONGEST_CHARACTER));
  const to = from + (first?.segment.length ?? 0);
  return [words.slice(0, from), words.slice(from, to), words.slice(to)];
}

function Tag(props: { readonly drawing: Drawing; readonly cell: Cell }) {
  const { drawing, cell } = props;
  const { mark, lane } = cell;
  const { paragraph, several, stop, stressOf } = drawing;
  const stress = stressOf(mark);
  const [verdict = 'excused'] = mark.verdicts;
  const look = mark.verdicts.length > 1 ? 'mixed' : verdict;
  const name = mark.label.length > LONGEST_NAME ? `${mark.label.slice(0, LONGEST_NAME - 1)}…` : mark.label;
  const letter = several && mark.row > 0 ? runLetter(mark.row - 1) : null;
  return (
    <button
      type="button"
      class={`bare tag ${look} ${mark.row === 0 ? 'above' : 'below'}${stress === null ? '' : ` ${stress}`}`}
      style={{ '--away': String(lanesBefore(paragraph.lanes, mark.row, lane)) }}
      data-key={mark.id}
      tabIndex={mark.id === stop ? 0 : -1}
      // The visible words come first, so that voice control recognises them.
      aria-label={letter === null ? mark.name : `${letter} ${readableText(name)}, ${mark.name}`}
      aria-pressed={stress === 'selected'}
    >
      {letter === null ? null : <span class="tag-run">{letter}</span>}
      {`${mark.verdicts.map((one) => VERDICT_SIGNS[one]).join('')} ${readableText(name)}`}
    </button>
  );
}

function MoreTag(props: { readonly drawing: Drawing; readonly row: number; readonly marks: readonly Mark[] }) {
  const { drawing, row, marks } = props;
  const [first] = marks;
  if (first === undefined) return null;
  return (
    <button
      type="button"
      class={`bare tag more ${row === 0 ? 'above' : 'below'}`}
      style={{ '--away': String(lanesBefore(drawing.paragraph.lanes, row, MOST_LANES)) }}
      data-key={first.id}
      tabIndex={-1}
      aria-label={`${marks.length} more here; the first: ${first.name}`}
    >
      +{marks.length}
    </button>
  );
}
