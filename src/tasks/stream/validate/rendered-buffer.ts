import { sha256Of } from '../../../data/sha256-of.ts';
import { codePointLength } from '../../../text/characters.ts';
import { EMPTY_BUFFER, renderSegments, type Segment } from '../replay/render.ts';

/**
 * What has come since the last summary, as it is rendered for a question. Its length is added up: a buffer that is asked
 * about a thousand times is not rendered a thousand times.
 */
export class RenderedBuffer {
  #segments: Segment[] = [];
  #points = 0;
  #known = true;

  /** Something came that is not known: until the buffer is emptied, neither is what it holds. */
  lose(): void {
    this.#known = false;
  }

  add(segment: Segment): void {
    const last = this.#segments.at(-1);
    const heading = last?.agent === segment.agent ? codePointLength(segment.agent) + 2 : 0;
    this.#points += pointsOf(segment) - heading + (last === undefined ? 0 : 1);
    this.#segments.push(segment);
  }

  /** The units of a question about the buffer and a new segment; null where they are not known. */
  unitsWith(segment: Segment): number | null {
    if (!this.#known) return null;
    const buffered = this.#segments.length === 0 ? codePointLength(EMPTY_BUFFER) : this.#points;
    return Math.ceil((buffered + 1 + pointsOf(segment)) / 4);
  }

  /** Where the window of what is buffered begins; null for an empty buffer, or one that is not known. */
  get startSeq(): number | null {
    return this.#known ? (this.#segments[0]?.startSeq ?? null) : null;
  }

  /** `sha256:…` of all of it, after which it is empty; null where it was not known. */
  takeHash(): string | null {
    const hash = this.#known ? sha256Of(renderSegments(this.#segments)) : null;
    this.#segments = [];
    this.#points = 0;
    this.#known = true;
    return hash;
  }
}

function pointsOf(segment: Segment): number {
  return codePointLength(renderSegments([segment]));
}
