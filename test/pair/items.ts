import { type Case, type CaseInit, makeCase } from '../../src/data/case.ts';
import { type Fields, type Item, makeItem } from '../../src/data/item.ts';

/** A span by its offsets; its text is the slice where a text is given. */
export function span(
  start: number,
  end: number,
  label = 'PERSON',
  more: { text?: string; fields?: Fields } = {},
): Item {
  return makeItem({ kind: 'span', index: 0, label, start, end, ...more });
}

/** A span of several pieces: `inPieces(HEART, '0-4 15-21', 'A')`. */
export function inPieces(text: string, places: string, label = 'PERSON'): Item {
  const fragments = places.split(' ').map((piece) => {
    const [start = 0, end = 0] = piece.split('-').map(Number);
    return { start, end };
  });
  const words = fragments.map(({ start, end }) => text.slice(start, end)).join(' ');
  return { ...span(fragments[0]!.start, fragments.at(-1)!.end, label, { text: words }), fragments };
}

export function object(label: string, text: string, fields: Fields = {}): Item {
  return makeItem({ kind: 'object', index: 0, label, text, fields });
}

export function entity(name: string, type = 'Person', fields: Fields = {}): Item {
  return makeItem({ kind: 'entity', index: 0, label: type, text: name, fields: { type, ...fields } });
}

export function relationship(source: string, type: string, target: string, fields: Fields = {}): Item {
  const text = `${source} --${type}--> ${target}`;
  return makeItem({ kind: 'relationship', index: 0, label: type, text, source, target, fields });
}

/** Items as a file gives them: numbered by kind. */
export function numbered(items: readonly Item[]): Item[] {
  const next = new Map<string, number>();
  return items.map((item) => {
    const index = next.get(item.kind) ?? 0;
    next.set(item.kind, index + 1);
    return { ...item, index };
  });
}

/** A case whose items are numbered, and whose spans have the text of their place. */
export function caseOf(init: Partial<CaseInit>): Case {
  const { text = null } = init;
  const ready = (items: readonly Item[] = []): Item[] =>
    numbered(items).map((item) =>
      item.kind === 'span' && item.text === '' && text !== null && item.start >= 0
        ? { ...item, text: text.slice(item.start, item.end) }
        : item,
    );
  return makeCase({ id: 'c1', ...init, gold: ready(init.gold), predicted: ready(init.predicted) });
}

/** The span of a quote in a text: the first one, or the one that begins at or after `from`. */
export function quoted(
  text: string,
  quote: string,
  label: string,
  more: { from?: number; fields?: Fields } = {},
): Item {
  const start = text.indexOf(quote, more.from ?? 0);
  if (start < 0) throw new Error(`${quote} is not in ${text}`);
  return span(start, start + quote.length, label, { text: quote, fields: more.fields ?? {} });
}
