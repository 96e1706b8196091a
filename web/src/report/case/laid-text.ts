import type { Mark } from './marks.ts';

/** A mark on its lane, in one segment of the text. */
export interface Cell {
  readonly mark: Mark;
  readonly lane: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

/** A stretch of text that the same marks cover from end to end. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly cells: readonly Cell[];
  /** Marks whose names stand here: those that begin here, or began in the space before. */
  readonly named: readonly Cell[];
  /** Marks that begin here and found no lane, by row. */
  readonly more: readonly More[];
}

export interface More {
  readonly row: number;
  readonly marks: readonly Mark[];
}

/** A line of the text as its author broke it, or a piece of one that is too long to be set at once. */
export interface Paragraph {
  readonly start: number;
  readonly end: number;
  readonly segments: readonly Segment[];
  /** How many lanes each row takes: gold, then each run. */
  readonly lanes: readonly number[];
}

/** Lanes of a row that hold bars; what needs more is counted in one lane beyond. */
export const MOST_LANES = 6;
/** Longest name at a bar. */
export const LONGEST_NAME = 20;
/** Letters of a name against letters of the text: they are smaller. */
const NAME_SHARE = 0.8;
const NAME_SPACE = 3;

/** Cuts a text into paragraphs and those into segments, and gives every mark a lane. `rows`: 1 + the number of runs. */
export function laidText(text: string, marks: readonly Mark[], rows: number): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let next = 0;
  let open: Mark[] = [];
  for (let start = 0; start <= text.length;) {
    const end = paragraphEnd(text, start);
    for (let mark = marks[next]; mark !== undefined && mark.start < end; mark = marks[next]) {
      open.push(mark);
      next += 1;
    }
    if (end > start) paragraphs.push(paragraphOf(text, start, end, open, rows));
    open = open.filter((mark) => mark.end > end);
    if (end === text.length) break;
    start = end;
  }
  return paragraphs;
}

/** Browsers take very long over a line of tens of thousands of characters with marks all along. */
const LONGEST_PARAGRAPH = 4000;

/** After the line break; of a long line after a space, or else between two characters. */
function paragraphEnd(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  const end = newline < 0 ? text.length : newline + 1;
  if (end - start <= LONGEST_PARAGRAPH) return end;
  const most = start + LONGEST_PARAGRAPH;
  const space = text.lastIndexOf(' ', most - 1) + 1;
  if (space > start + LONGEST_PARAGRAPH / 2) return space;
  const unit = text.charCodeAt(most);
  return unit >= 0xdc00 && unit <= 0xdfff ? most + 1 : most;
}

function paragraphOf(text: string, start: number, end: number, marks: readonly Mark[], rows: number): Paragraph {
  if (marks.length === 0) {
    const segments = [{ start, end, cells: [], named: [], more: [] }];
    return { start, end, segments, lanes: Array.from({ length: rows }, () => 0) };
  }
  const lanes = new Map<Mark, number | null>();
  const counts = Array.from({ length: rows }, (_, row) => {
    const own = marks.filter((mark) => mark.row === row);
    const given = lanesOf(
      own.map((mark) => ({
        start: Math.max(start, mark.start),
        end: Math.min(end, mark.end),
        room: mark.start < start ? start : mark.start + nameRoom(mark),
      })),
      MOST_LANES,
    );
    let most = 0;
    for (const [at, mark] of own.entries()) {
      const lane = given[at] ?? null;
      lanes.set(mark, lane);
      most = Math.max(most, lane === null ? MOST_LANES + 1 : lane + 1);
    }
    // Of several runs each keeps a lane, so that one sees that it found nothing here.
    return rows > 2 && row > 0 ? Math.max(1, most) : most;
  });
  return { start, end, segments: segmentsOf(text, start, end, marks, lanes), lanes: counts };
}

function nameRoom({ label }: Mark): number {
  return Math.ceil((Math.min(label.length, LONGEST_NAME) + NAME_SPACE) * NAME_SHARE);
}

function segmentsOf(
  text: string,
  start: number,
  end: number,
  marks: readonly Mark[],
  lanes: ReadonlyMap<Mark, number | null>,
): readonly Segment[] {
  const cuts = new Set([start, end]);
  for (const mark of marks) {
    if (mark.start > start) cuts.add(mark.start);
    if (mark.end < end) cuts.add(mark.end);
  }
  const places = [...cuts].sort((a, b) => a - b);
  const segments: Segment[] = [];
  let next = 0;
  let open: Mark[] = [];
  let unnamed: ReadonlySet<Mark> = new Set();
  for (const [at, from] of places.slice(0, -1).entries()) {
    const to = places[at + 1] ?? end;
    open = open.filter((mark) => mark.end > from);
    const lost: Mark[] = [];
    for (let mark = marks[next]; mark !== undefined && mark.start <= from; mark = marks[next]) {
      if (mark.end > from) {
        if (lanes.get(mark) === null) lost.push(mark);
        else open.push(mark);
      }
      next += 1;
    }
    const cells = open.map((mark) => ({
      mark,
      lane: lanes.get(mark) ?? 0,
      opens: mark.start === from,
      closes: mark.end === to,
    }));
    // A space may stay behind on the line before: what begins with one is named at the word after it.
    const blank = text.slice(from, to).trim() === '';
    const due = cells.filter(({ mark, opens }) => opens || unnamed.has(mark));
    const named = due.filter(({ closes }) => !blank || closes);
    unnamed = new Set(due.filter((cell) => !named.includes(cell)).map(({ mark }) => mark));
    segments.push({ start: from, end: to, cells, named, more: byRow(lost) });
  }
  return segments;
}

function byRow(marks: readonly Mark[]): readonly More[] {
  return [...Map.groupBy(marks, ({ row }) => row)].map(([row, own]) => ({ row, marks: own }));
}

/** Marks of a segment from the innermost out, gold before predictions: the order in which clicks go through them. */
export function outward({ cells, more }: Segment): readonly Mark[] {
  return [...cells.map(({ mark }) => mark), ...more.flatMap(({ marks }) => marks)].sort(
    (a, b) => a.end - a.start - (b.end - b.start) || a.row - b.row,
  );
}

/** What a click on a segment's text selects. */
export function nextOutward(segment: Segment, selected: string | null): Mark | null {
  const marks = outward(segment);
  const at = marks.findIndex(({ keys }) => selected !== null && keys.includes(selected));
  return marks[(at + 1) % Math.max(1, marks.length)] ?? null;
}

/** The mark on a lane of a segment, counted as `row` and lane from the text outward. */
export function markOnLane(segment: Segment, row: number, lane: number): Mark | null {
  const cell = segment.cells.find(({ mark, lane: own }) => mark.row === row && own === lane);
  return cell?.mark ?? (lane >= MOST_LANES ? (segment.more.find((more) => more.row === row)?.marks[0] ?? null) : null);
}

/** Which row and lane lies `below` lanes under the text. */
export function rowBelow(
  lanes: readonly number[],
  below: number,
): { readonly row: number; readonly lane: number } | null {
  let from = 0;
  for (const [at, own] of lanes.slice(1).entries()) {
    if (below < from + own) return { row: at + 1, lane: below - from };
    from += own;
  }
  return null;
}

/** How many lanes lie between the text and a lane of a row. */
export function lanesBefore(lanes: readonly number[], row: number, lane: number): number {
  return row === 0 ? lane : lanes.slice(1, row).reduce((sum, own) => sum + own, lane);
}

/** A stretch that wants a lane; `room` is the end of what it needs, its name included. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly room: number;
}

/**
 * A lane for each stretch so that no two in a lane touch, 0 being closest to the text; null if `most` are full. The
 * shortest choose first: a stretch inside another is closer to the text.
 *
 * @example lanesOf([{ start: 0, end: 9, room: 9 }, { start: 2, end: 4, room: 4 }], 6) // [1, 0]
 */
export function lanesOf(stretches: readonly Stretch[], most: number): readonly (number | null)[] {
  const lanes: Lane[] = [];
  const found: (number | null)[] = stretches.map(() => null);
  const order = stretches
    .map((stretch, at) => ({ stretch, at }))
    .sort((a, b) => length(a.stretch) - length(b.stretch) || a.stretch.start - b.stretch.start || a.at - b.at);
  for (const { stretch, at } of order) {
    const to = Math.max(stretch.end, stretch.room);
    for (let lane = 0; lane < most; lane += 1) {
      const held = (lanes[lane] ??= new Lane());
      if (held.takes(stretch.start, to)) {
        found[at] = lane;
        break;
      }
    }
  }
  return found;
}

function length({ start, end }: Stretch): number {
  return end - start;
}

/** Stretches in order that do not overlap. */
class Lane {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  takes(start: number, end: number): boolean {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && (this.#ends[low - 1] ?? 0) > start) return false;
    if (low < this.#starts.length && (this.#starts[low] ?? 0) < end) return false;
    this.#starts.splice(low, 0, start);
    this.#ends.splice(low, 0, end);
    return true;
  }
}
