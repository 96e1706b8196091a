import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';

export type Draw = (below: number) => number;
type Span = { start: number; end: number; label: string };
type Document = { text: string; gold: Span[]; predicted: Span[] };

const WORDS = 'the and of Łódź øst "Ask" O’Neil at ax ia br uc ell said that İzmir के \\ \n 🙂 Ann'.split(' ');
const LATIN = WORDS.filter((word) => !word.includes('🙂'));
const LABELS = ['A', 'B', '__proto__', 'a'];

/** Spans that overlap, repeat and compete in all ways, in any order. */
function spansIn(text: string, most: number, labels: readonly string[], draw: Draw): Span[] {
  return Array.from({ length: text.length < 2 ? 0 : draw(most + 1) }, () => {
    const start = draw(Math.min(text.length - 1, 30));
    const end = Math.min(text.length, start + 1 + draw(8));
    return { start, end, label: labels[draw(labels.length)]! };
  });
}

function textOf(draw: Draw, most = 40): string {
  return Array.from({ length: draw(most) }, () => LATIN[draw(LATIN.length)]).join(' ');
}

/** A text with names between other words, which are letters of more than one byte here and there. */
function namedText(draw: Draw, at: number): { text: string; gold: Span[] } {
  let text = `Case ${at}`;
  const gold = Array.from({ length: 3 + draw(8) }, () => {
    text += ` ${['øst', 'said', 'that'][draw(3)]!} `;
    const start = text.length;
    text += ['Ann Lund', 'Oslo', 'Łódź', 'Bo'][draw(4)]!;
    return { start, end: text.length, label: ['A', 'B', 'C'][draw(3)]! };
  });
  return { text: `${text} and so on`, gold };
}

/** Each kind of file has something for another check. */
export const FILES: Readonly<Record<string, (draw: Draw, at: number) => Document>> = {
  'anything at all': (draw) => {
    const text = textOf(draw);
    const gold = spansIn(text, 6, LABELS, draw);
    return { text, gold, predicted: [...gold.filter(() => draw(2) === 0), ...spansIn(text, 4, LABELS, draw)] };
  },
  'equal and nearly equal texts, with other gold': (draw) => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at}`);
    const text = words.with(draw(30), draw(3) === 0 ? 'Other' : 'other').join(draw(2) === 0 ? ' ' : ', ');
    const gold = draw(3) === 0 ? spansIn(text, 3, ['A'], draw) : [{ start: 0, end: 5, label: 'A' }];
    return { text, gold, predicted: spansIn(text, 3, ['A'], draw) };
  },
  'copies of gold': (draw) => {
    const text = textOf(draw);
    const gold = spansIn(text, 5, draw(9) === 0 ? ['B'] : ['A', 'C'], draw);
    return { text, gold, predicted: draw(2) === 0 ? gold : gold.toReversed() };
  },
  'copies of gold but for upper and lower case': (draw) => {
    const text = textOf(draw);
    const gold = spansIn(text, 5, LABELS, draw);
    const turned = (label: string): string => (label === 'A' ? 'a' : label === 'a' ? 'A' : label);
    return { text, gold, predicted: gold.map((span) => ({ ...span, label: turned(span.label) })) };
  },
  'the same places, whatever stands there': (draw) => {
    const text = `${textOf(draw, 10)} one two three four five six seven`;
    const same = [
      { start: 0, end: 4, label: 'A' },
      { start: 6, end: 9, label: 'B' },
    ];
    return { text, gold: spansIn(text, 2, ['A'], draw), predicted: same };
  },
  'labels that one side has': (draw) => {
    const text = textOf(draw);
    return { text, gold: spansIn(text, 6, ['A', 'B', 'C'], draw), predicted: spansIn(text, 6, ['A', 'X', 'Y'], draw) };
  },
  'offsets that are off by one': (draw) => {
    const text = `${textOf(draw)} and more than that`;
    const starts = Array.from({ length: 1 + draw(3) }, (_, at) => at * 5);
    const at = (by: number) => starts.map((start) => ({ start: start + by, end: start + by + 3, label: 'A' }));
    return { text, gold: at(0), predicted: at(1) };
  },
  'answers of the case before': (_, at) => {
    const text = `This is the text of the case with the number ${at} and of no other case`;
    const spans = (by: number) => [{ start: (at + by) % 40, end: ((at + by) % 40) + 2, label: 'A' }];
    return { text, gold: spans(1), predicted: spans(0) };
  },
  'whole texts, and empty answers': (draw) => {
    const text = `${textOf(draw)} ${'much longer '.repeat(20)}`;
    const all = [{ start: 0, end: text.length, label: 'A' }];
    return { text, gold: [{ start: 0, end: 3, label: 'A' }], predicted: draw(2) === 0 ? [] : all };
  },
  'words cut into pieces': (draw) => {
    const text = `The doctor said that this is a spin oc ere bell ar at ax ia and not what they had before ${textOf(draw)}`;
    return { text, gold: spansIn(text, 2, ['A'], draw), predicted: [] };
  },
  'copies of gold in a part of the cases, and bad or empty answers in the others': (draw, at) => {
    const text = `The text of case ${at} is as long as it has to be, ${'and that '.repeat(20)}`;
    const span = (start: number) => ({ start, end: start + 1 + draw(3), label: 'A' });
    const gold = [0, 5, 9, 9, 20].map(span);
    return {
      text,
      gold,
      predicted: [gold, gold.slice(0, 1), [], gold.slice(0, 2).map(({ start }) => span(start))][draw(4)]!,
    };
  },
  'lists that are empty, and one case that decides': (_, at) => {
    const text = `The text of case ${at} is as long as it has to be, ${'and that '.repeat(90)}`;
    const gold = Array.from({ length: at === 5 ? 400 : 2 }, (__, start) => ({
      start: start * 2,
      end: start * 2 + 2,
      label: 'A',
    }));
    return { text, gold, predicted: at % 2 === 0 ? [] : at === 5 ? [{ start: 1, end: 2, label: 'B' }] : gold };
  },
  'blanks at the ends of spans': (draw, at) => {
    const { text, gold } = namedText(draw, at);
    const blanks = gold.map((span) => ({ ...span, start: span.start - draw(2), end: span.end + draw(2) }));
    return { text, gold: at % 4 === 0 ? blanks : gold, predicted: at % 4 === 0 ? gold : blanks };
  },
  'offsets that are off in some cases': (draw, at) => {
    const { text, gold } = namedText(draw, at);
    const [start, end] = [at % 4 === 0 ? 1 : 0, at % 4 === 0 ? 1 : at % 4 === 1 ? -1 : 0];
    const off = gold.map((span) => ({ ...span, start: span.start + start, end: span.end + end }));
    return { text, gold, predicted: off.filter(() => draw(6) > 0) };
  },
  'offsets in bytes': (draw, at) => {
    const { text, gold } = namedText(draw, at);
    const bytes = (end: number): number => Buffer.byteLength(text.slice(0, end));
    const inBytes = gold.map((span) => ({ ...span, start: bytes(span.start), end: bytes(span.end) }));
    return { text, gold, predicted: inBytes.filter(({ end }) => end <= text.length) };
  },
  'spans that are there several times': (draw, at) => {
    const { text, gold } = namedText(draw, at);
    const several = gold.flatMap((span) => Array.from({ length: 2 + draw(2) }, () => ({ ...span })));
    return { text, gold: at % 3 === 0 ? several : gold, predicted: at % 3 === 1 ? several : gold };
  },
  'labels that are exchanged': (draw, at) => {
    const { text, gold } = namedText(draw, at);
    const turned = (label: string): string => (label === 'A' ? 'B' : label === 'B' ? 'A' : label);
    const wrong = gold.map((span) => ({ ...span, label: draw(9) === 0 ? span.label : turned(span.label) }));
    return { text, gold, predicted: [...wrong, ...wrong.filter(() => draw(5) === 0)] };
  },
  'nothing predicted behind a place': (draw, at) => {
    const { text, gold } = namedText(draw, at);
    return { text, gold, predicted: gold.filter(({ end }) => end < 60 && draw(5) > 0) };
  },
  'an answer key in the text': (draw, at) => {
    const names = ['Ann Lee', `Bo ${at}`].slice(0, 1 + draw(2));
    const mentions = `${textOf(draw, 10)} ${names.join(' met ')}`;
    const gold = names.map((name) => {
      const start = mentions.indexOf(name);
      return { start, end: start + name.length, label: 'PERSON' };
    });
    const key =
      draw(3) === 0 ? ` Entities: ${names.join(', ')}` : ` (${names.map((name) => `${name} = person`).join('; ')})`;
    return { text: `${mentions}${draw(4) === 0 ? '' : key}`, gold: gold.toReversed(), predicted: gold.slice(draw(2)) };
  },
  'no gold in some, and as many predictions': (draw, at) => {
    const text = `The text of case ${at} is as long as it has to be, ${'and that '.repeat(9)}`;
    const spans = [0, 9, 20, 30, 31].map((start) => ({ start, end: start + 1 + draw(9), label: 'A' }));
    const predicted = draw(3) === 0 ? spans.toReversed() : spans.with(draw(5), { start: 60, end: 70, label: 'A' });
    return { text, gold: at % 3 === 0 ? [] : spans, predicted };
  },
  'no gold': (draw) => {
    const text = textOf(draw);
    return { text, gold: [], predicted: spansIn(text, 3, ['A'], draw) };
  },
};

/** Lines of a file, made one by one. */
export function linesOf(make: (draw: Draw, at: number) => Document, count: number, isMixed: boolean): string[] {
  const random = new MersenneTwister(7);
  return Array.from({ length: count }, (_, at) => {
    const { text, ...spans } = make((below) => random.below(below), at);
    // A record with a further column is read in the other way, and so is a text beyond the basic plane.
    const odd = isMixed && at % 3 === 0 ? { more: 1 } : {};
    return JSON.stringify({ id: `d${at}`, text: isMixed && at % 5 === 0 ? `${text} 🙂` : text, ...spans, ...odd });
  });
}
