import { codePointLength } from '../../text/characters.ts';
import type { OffsetUnit } from '../../text/offsets.ts';
import type { Span } from '../../text/span.ts';
import type { ReadContext } from '../format.ts';
import { type Item, makeItem } from '../item.ts';
import { wrong } from '../record-fields.ts';

/** A token with its line, as a tag sequence belongs to it. */
export interface Token {
  readonly text: string;
  readonly line: number;
}

const LENGTHS: Readonly<Record<OffsetUnit, (text: string) => number>> = {
  utf16: (text) => text.length,
  codepoint: codePointLength,
  byte: (text) => Buffer.byteLength(text),
};

/**
 * Spans of a sequence of IOB1, IOB2, BIOES or BILOU tags over tokens joined by single spaces, with offsets in the unit
 * that the read declares. An I-, E- or L- that nothing began begins one (as conlleval reads it), or is a problem.
 */
export function taggedSpans(tokens: readonly Token[], tags: readonly string[], context: ReadContext): Item[] {
  const items: Item[] = [];
  const { starts, ends } = places(tokens, context.options.offsets);
  let from = -1;
  let label = '';
  const close = (to: number): void => {
    if (from < 0) return;
    const text = tokens
      .slice(from, to + 1)
      .map((token) => token.text)
      .join(' ');
    const { line } = tokens[from]!;
    items.push(
      makeItem({ kind: 'span', index: items.length, label, text, start: starts[from]!, end: ends[to]!, line }),
    );
    from = -1;
  };
  tags.forEach((tag, at) => {
    const mark = tag[0]!;
    const own = tag.slice(2);
    const isInside = mark === 'I' || mark === 'E' || mark === 'L';
    const goesOn = isInside && from >= 0 && own === label;
    if (!goesOn) close(at - 1);
    if (mark === 'O') return;
    if (!goesOn) {
      if (isInside && context.options.strayInside === 'error') reportStray(tag, own, tokens[at]!.line, context);
      from = at;
      label = own;
    }
    if (mark !== 'B' && mark !== 'I') close(at);
  });
  close(tags.length - 1);
  return items;
}

/** Where the tokens are in the text, in UTF-16 units. */
export function tokenPlaces(tokens: readonly Token[]): Span[] {
  const { starts, ends } = places(tokens, 'utf16');
  return starts.map((start, at) => ({ start, end: ends[at]! }));
}

function places(tokens: readonly Token[], unit: OffsetUnit): { starts: number[]; ends: number[] } {
  const lengthOf = LENGTHS[unit];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const token of tokens) {
    starts.push(at);
    at += lengthOf(token.text);
    ends.push(at);
    at += 1;
  }
  return { starts, ends };
}

function reportStray(tag: string, label: string, line: number, context: ReadContext): void {
  const next = 'or read it as a beginning: --set data.strayInside=begin';
  wrong(context, line, 'tag', `B-${label} before ${tag}`, tag, next);
}
