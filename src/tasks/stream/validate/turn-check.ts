import { describe } from '../../../data/record-fields.ts';
import type { StreamDelta, TurnBoundary } from '../trace-records.ts';
import type { Check } from './findings.ts';
import { TextHash } from './text-hash.ts';

type Tell = (line: number | null, check: Check, message: string) => void;

/** Whose turn it is. */
interface Speaker {
  readonly turn: number;
  readonly agent: string;
}

interface OpenTurn extends Speaker {
  readonly line: number;
  readonly text: TextHash;
  /** Records inside the turn that said otherwise: told once, not again for each that follows. */
  told: Speaker | null;
  /** A record was lost on the way: what the turn holds is not known. */
  unsure: boolean;
}

/**
 * Whether turns begin and end in pairs, none inside another and none twice, each with its own deltas of its own agent,
 * and whether the hash at the end of a turn is that of its text.
 */
export class TurnCheck {
  readonly #tell: Tell;
  readonly #ended = new Set<number>();
  #open: OpenTurn | null = null;
  /** A turn that had not ended when the open one started: its end may still come as the next record. */
  #ending: OpenTurn | null = null;
  #crossed = 0;
  #unsure = false;
  #turns = 0;
  #withoutHash = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  get turns(): number {
    return this.#turns;
  }

  /** Turns that start one record before the turn before them ends, as two streams that hand over may write it. */
  get crossed(): number {
    return this.#crossed;
  }

  /** Ends of turns without a content_hash. */
  get withoutHash(): number {
    return this.#withoutHash;
  }

  boundary(record: TurnBoundary, line: number): void {
    if (record.boundary === 'end' && this.#ending !== null && isSame(this.#ending, speakerOf(record))) {
      this.#crossed += 1;
      this.#close(this.#ending, record, line);
      this.#ending = null;
      return;
    }
    this.#tellNested();
    if (record.boundary === 'start') this.#start(record, line);
    else this.#end(record, line);
  }

  delta(record: StreamDelta, line: number): void {
    this.#tellNested();
    const speaker = speakerOf(record);
    if (this.#open === null) {
      if (!this.#unsure)
        this.#tell(
          line,
          'turn',
          `a delta of turn ${speaker.turn} outside of every turn, expected the start of its turn before it`,
        );
      this.#begin(speaker, line);
    } else this.#agree(this.#open, speaker, line, 'delta');
    this.#open?.text.add(record.delta_text);
  }

  /** A record was lost that may have been a boundary or a delta. */
  lost(): void {
    this.#unsure = true;
    this.#ending = null;
    if (this.#open !== null) this.#open.unsure = true;
  }

  end(): void {
    this.#tellNested();
    if (this.#open !== null && !this.#unsure)
      this.#tell(this.#open.line, 'turn', `turn ${this.#open.turn} never ends, expected an end before the file’s`);
  }

  #start(record: TurnBoundary, line: number): void {
    const speaker = speakerOf(record);
    if (!this.#unsure) this.#ending = this.#open;
    if (this.#ended.has(speaker.turn))
      this.#tell(line, 'turn', `turn ${speaker.turn} starts again, expected a turn that was not there before`);
    this.#begin(speaker, line);
    this.#unsure = false;
  }

  #tellNested(): void {
    if (this.#ending !== null && this.#open !== null)
      this.#tell(
        this.#open.line,
        'turn',
        `turn ${this.#open.turn} starts inside turn ${this.#ending.turn} (record ${this.#ending.line}), expected the end of that first`,
      );
    this.#ending = null;
  }

  #begin(speaker: Speaker, line: number): void {
    if (this.#open !== null) this.#ended.add(this.#open.turn);
    this.#turns += 1;
    this.#open = { ...speaker, line, text: new TextHash(), told: null, unsure: this.#unsure };
  }

  #end(record: TurnBoundary, line: number): void {
    const speaker = speakerOf(record);
    const open = this.#open;
    if (open === null) {
      if (!this.#unsure)
        this.#tell(line, 'turn', `turn ${speaker.turn} ends but is not open, expected its start before it`);
    } else {
      this.#agree(open, speaker, line, 'end');
      this.#close(open, record, line);
    }
    this.#ended.add(speaker.turn);
    this.#open = null;
    this.#unsure = false;
  }

  #close(open: OpenTurn, record: TurnBoundary, line: number): void {
    this.#ended.add(open.turn);
    if (open.unsure || this.#unsure) return;
    const { content_hash: given } = record;
    if (given === undefined) {
      this.#withoutHash += 1;
      return;
    }
    const expected = open.text.digest();
    if (given !== expected)
      this.#tell(line, 'content-hash', `content_hash: found ${given}, expected ${expected} for turn ${open.turn}`);
  }

  #agree(open: OpenTurn, speaker: Speaker, line: number, what: 'delta' | 'end'): void {
    if (isSame(open, speaker) || (open.told !== null && isSame(open.told, speaker)) || this.#unsure) return;
    open.told = speaker;
    this.#tell(
      line,
      'turn',
      speaker.turn === open.turn
        ? `agent_id: found ${describe(speaker.agent)}, expected ${describe(open.agent)} as at the start of turn ${open.turn}`
        : `turn_id: found ${speaker.turn} for ${what === 'delta' ? 'a delta inside' : 'the end of'} turn ${open.turn}, expected ${open.turn}`,
    );
  }
}

function speakerOf({ turn_id: turn, agent_id: agent }: StreamDelta | TurnBoundary): Speaker {
  return { turn, agent };
}

function isSame(a: Speaker, b: Speaker): boolean {
  return a.turn === b.turn && a.agent === b.agent;
}
