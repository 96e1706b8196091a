import { beforeAll, describe, expect, test } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { score } from '../../src/report/score.ts';
import type { RunQueries } from '../../src/score/run-queries.ts';

/*
 * Spans in pieces ("left … atrium" without "right" between) under every scheme, against counting: a span is the set of
 * its characters, and everything below is worked out from such sets by plain loops.
 */

type Piece = readonly [start: number, end: number];

interface Marked {
  readonly label: string;
  readonly pieces: readonly Piece[];
}

interface Document {
  readonly id: string;
  readonly text: string;
  readonly gold: readonly Marked[];
  readonly predicted: readonly Marked[];
}

function spanRecord({ label, pieces }: Marked): object {
  const [start, end] = [Math.min(...pieces.map(([from]) => from)), Math.max(...pieces.map(([, to]) => to))];
  return { start, end, label, ...(pieces.length === 1 ? {} : { fragments: pieces }) };
}

function record({ id, text, gold, predicted }: Document): string {
  return `${JSON.stringify({ id, text, gold: gold.map(spanRecord), predicted: predicted.map(spanRecord) })}\n`;
}

async function scored(recipe: string | object, documents: readonly Document[]): Promise<RunQueries> {
  const cases = memorySource('documents.jsonl', documents.map(record).join(''));
  return score(recipe, { cases }, { set: ['interval=off'] });
}

/** Credit of hits, gold and predicted units of each case under each scheme; null is the recipe's own. */
async function totalsOf(run: RunQueries): Promise<Map<string, Totals>> {
  const totals = new Map<string, Totals>();
  for (const { case: id, scheme = null, verdict, credit = 1, weight = 1 } of await Array.fromAsync(run.verdicts())) {
    const key = `${id} ${scheme ?? 'own'}`;
    const { hits, gold, predicted } = totals.get(key) ?? NONE;
    totals.set(key, {
      hits: hits + (verdict === 'hit' ? credit * weight : 0),
      gold: gold + (verdict === 'spurious' ? 0 : weight),
      predicted: predicted + (verdict === 'missed' ? 0 : weight),
    });
  }
  return totals;
}

interface Totals {
  readonly hits: number;
  readonly gold: number;
  readonly predicted: number;
}

const NONE: Totals = { hits: 0, gold: 0, predicted: 0 };

// The reference.

function charactersOf({ pieces }: Marked): Set<number> {
  const set = new Set<number>();
  for (const [start, end] of pieces) for (let at = start; at < end; at += 1) set.add(at);
  return set;
}

/** Characters in a row. */
function rowsOf(set: ReadonlySet<number>): [start: number, end: number][] {
  const rows: [number, number][] = [];
  for (let at = 0; at < 1000; at += 1)
    if (set.has(at)) {
      if (set.has(at - 1)) rows.at(-1)![1] = at + 1;
      else rows.push([at, at + 1]);
    }
  return rows;
}

function countIn(set: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let count = 0;
  for (const at of set) if (other.has(at)) count += 1;
  return count;
}

function overlap(gold: ReadonlySet<number>, predicted: ReadonlySet<number>): number {
  const both = countIn(gold, predicted);
  return both / (gold.size + predicted.size - both);
}

/** The predicted rows, a boundary next to gold's being gold's, if there are as many of them. */
function snapped(gold: ReadonlySet<number>, predicted: ReadonlySet<number>, tolerance: number): Set<number> {
  const [golds, rows] = [rowsOf(gold), rowsOf(predicted)];
  if (golds.length !== rows.length) return new Set(predicted);
  const near = (at: number, other: number): number => (Math.abs(at - other) <= tolerance ? other : at);
  const pieces = rows.map(([start, end], row): Piece => [near(start, golds[row]![0]), near(end, golds[row]![1])]);
  return charactersOf({ label: '', pieces });
}

function haveRows(gold: ReadonlySet<number>, predicted: ReadonlySet<number>, tolerance: number): boolean {
  const [golds, rows] = [rowsOf(gold), rowsOf(predicted)];
  if (golds.length !== rows.length) return false;
  return golds.every(([start, end], row) => {
    const [from, to] = rows[row]!;
    return Math.abs(start - from) <= tolerance && Math.abs(end - to) <= tolerance;
  });
}

/** Whether each character of the inner set is in the outer one or at most so far from it. */
function liesIn(inner: ReadonlySet<number>, outer: ReadonlySet<number>, tolerance: number): boolean {
  for (const at of inner) {
    let isNear = false;
    for (let by = -tolerance; by <= tolerance; by += 1) if (outer.has(at + by)) isNear = true;
    if (!isNear) return false;
  }
  return true;
}

type Credit = (gold: ReadonlySet<number>, predicted: ReadonlySet<number>) => number;
const hit = (isHit: boolean): number => (isHit ? 1 : 0);

interface Way {
  readonly gated: boolean;
  readonly credit: Credit;
  readonly settings: object;
}

const WAYS: Readonly<Record<string, Way>> = {
  strict: { gated: true, credit: (g, p) => hit(haveRows(g, p, 0)), settings: { similarity: 'exact' } },
  exact: { gated: false, credit: (g, p) => hit(haveRows(g, p, 0)), settings: { similarity: 'exact' } },
  partial: {
    gated: false,
    credit: (g, p) => (haveRows(g, p, 0) ? 1 : countIn(g, p) > 0 ? 0.5 : 0),
    settings: { similarity: 'iou', threshold: 0, partial: 0.5 },
  },
  type: { gated: true, credit: (g, p) => hit(countIn(g, p) > 0), settings: { similarity: 'iou', threshold: 0 } },
  'iou-0.3': { gated: true, credit: (g, p) => hit(overlap(g, p) >= 0.3), settings: iou(0.3) },
  'iou-0.5': { gated: true, credit: (g, p) => hit(overlap(g, p) >= 0.5), settings: iou(0.5) },
  'iou-0.7': { gated: true, credit: (g, p) => hit(overlap(g, p) >= 0.7), settings: iou(0.7) },
  'inside-gold': {
    gated: true,
    credit: (g, p) => hit(countIn(g, p) / p.size >= 0.5),
    settings: { similarity: 'inside-gold', threshold: 0.5 },
  },
  'covers-gold': {
    gated: true,
    credit: (g, p) => hit(countIn(g, p) / g.size >= 0.5),
    settings: { similarity: 'covers-gold', threshold: 0.5 },
  },
  containment: {
    gated: true,
    credit: (g, p) => hit(liesIn(g, p, 0) || liesIn(p, g, 0)),
    settings: { similarity: 'containment' },
  },
  'containment-1': {
    gated: true,
    credit: (g, p) => hit(liesIn(g, p, 1) || liesIn(p, g, 1)),
    settings: { similarity: 'containment', tolerance: 1 },
  },
  'exact-1': {
    gated: true,
    credit: (g, p) => hit(haveRows(g, p, 1)),
    settings: { similarity: 'exact', tolerance: 1 },
  },
  'iou-0.5-1': {
    gated: true,
    credit: (g, p) => hit(countIn(g, p) > 0 && overlap(g, snapped(g, p, 1)) >= 0.5),
    settings: { ...iou(0.5), tolerance: 1 },
  },
};

function iou(threshold: number): object {
  return { similarity: 'iou', threshold };
}

/** The highest credit of any way to put spans together one to one. */
function mostCredit(credits: readonly (readonly number[])[], gold = 0, taken: readonly number[] = []): number {
  const row = credits[gold];
  if (row === undefined) return 0;
  let most = mostCredit(credits, gold + 1, taken);
  for (let at = 0; at < row.length; at += 1)
    if (row[at]! > 0 && !taken.includes(at))
      most = Math.max(most, row[at]! + mostCredit(credits, gold + 1, [...taken, at]));
  return most;
}

function countSpans({ gold, predicted }: Document, { gated, credit }: Way): Totals {
  const credits = gold.map((own) =>
    predicted.map((other) => (gated && own.label !== other.label ? 0 : credit(charactersOf(own), charactersOf(other)))),
  );
  return { hits: mostCredit(credits), gold: gold.length, predicted: predicted.length };
}

/** Characters, or the units that hold them, label by label. */
function countUnits(document: Document, units: readonly (readonly number[])[]): Totals {
  let { hits, gold, predicted } = NONE;
  const marks = (list: readonly Marked[], label: string, unit: readonly number[]): boolean =>
    list.some((own) => own.label === label && unit.some((at) => charactersOf(own).has(at)));
  for (const label of ['A', 'B'])
    for (const unit of units) {
      const [inGold, inPredicted] = [marks(document.gold, label, unit), marks(document.predicted, label, unit)];
      if (inGold) gold += 1;
      if (inPredicted) predicted += 1;
      if (inGold && inPredicted) hits += 1;
    }
  return { hits, gold, predicted };
}

const SPACE = ' ';

function charactersIn(text: string): number[][] {
  return Array.from(text, (_, at) => [at]);
}

/** Words between single spaces, each a list of its characters. */
function wordsIn(text: string): number[][] {
  const words: number[][] = [[]];
  Array.from(text).forEach((character, at) => {
    if (character === SPACE) words.push([]);
    else words.at(-1)!.push(at);
  });
  return words.filter((word) => word.length > 0);
}

// Documents at random.

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Outside the basic plane, with an accent, of one letter: offsets count characters. */
const WORDS = ['left', 'a', 'right', 'été', '𝒜b', 'atrium', 'von', '𠮷'];

function randomDocument(random: (below: number) => number, id: string): Document {
  const text = Array.from({ length: 3 + random(6) }, () => WORDS[random(WORDS.length)]!).join(SPACE);
  const { length } = Array.from(text);
  const cuts = (count: number): number[] => {
    const set = new Set<number>();
    while (set.size < count) set.add(random(length + 1));
    return [...set].sort((a, b) => a - b);
  };
  const marked = (): Marked => {
    const pieces: Piece[] = [];
    const bounds = cuts(2 * (1 + random(3)));
    for (let at = 0; at < bounds.length; at += 2) pieces.push([bounds[at]!, bounds[at + 1]!]);
    // As files may have them: two pieces that touch are one, and their order says nothing.
    const [start, end] = pieces[0]!;
    if (random(6) === 0 && end - start > 1) pieces.splice(0, 1, [start, start + 1], [start + 1, end]);
    if (random(6) === 0) pieces.reverse();
    return { label: random(3) === 0 ? 'B' : 'A', pieces };
  };
  const gold = Array.from({ length: random(4) }, marked);
  const near = ({ label, pieces }: Marked): Marked => {
    const at = random(pieces.length);
    const moved = pieces.map(([start, end], piece): Piece => {
      const by = piece === at ? random(3) - 1 : 0;
      return [start, Math.min(length, Math.max(start + 1, end + by))];
    });
    const isEqual = random(3) === 0;
    return { label: random(5) === 0 ? 'B' : label, pieces: isEqual ? pieces : random(3) === 0 ? [pieces[at]!] : moved };
  };
  const predicted = gold.flatMap((own) => (random(4) === 0 ? [] : [near(own)]));
  return { id, text, gold, predicted: [...predicted, ...Array.from({ length: random(3) }, marked)] };
}

const RECIPE = {
  extends: 'spans/semeval',
  schemes: {
    ...Object.fromEntries(
      Object.entries(WAYS).map(([name, { gated, settings }]) => [name, { gate: gated ? ['label'] : [], ...settings }]),
    ),
    token: { unit: 'token', words: 'whitespace' },
    character: { unit: 'character' },
  },
};

const LEFT_ATRIUM: Marked = { label: 'A', pieces: [[0, 4], [15, 21]] }; // prettier-ignore
const RIGHT: Marked = { label: 'A', pieces: [[9, 14]] };
const HEART = 'left and right atrium';

describe('ends of relations in pieces', () => {
  const entity = (id: string, fragments: readonly Piece[]): object => {
    const [start, end] = [fragments[0]![0], fragments.at(-1)![1]];
    const name = fragments.map(([from, to]) => HEART.slice(from, to)).join(' ');
    return { id, name, type: 'A', start, end, ...(fragments.length > 1 ? { fragments } : {}) };
  };
  const graph = (...pieces: readonly Piece[]): object => ({
    entities: [entity('a', pieces), entity('b', [[9, 14]])],
    relationships: [{ source_ref: 'a', type: 'beside', target_ref: 'b' }],
  });
  const f1 = async (predicted: object): Promise<(number | null)[]> => {
    const line = { id: 'c', input: HEART, expected_output: graph([0, 4], [15, 21]), output: predicted };
    const input = { cases: memorySource('g.jsonl', `${JSON.stringify(line)}\n`) };
    const run = await score('relations/boundaries', input, { set: ['interval=off', 'data.places=required'] });
    return [run.value('entity_f1'), run.value('relationship_f1')];
  };

  test('are the same with the same pieces only', async () => {
    expect(await f1(graph([0, 4], [15, 21]))).toEqual([1, 1]);
    expect(await f1(graph([0, 21]))).toEqual([0.5, 0]);
    expect(await f1(graph([0, 8], [15, 21]))).toEqual([0.5, 0]);
  });
});

describe('spans in pieces', () => {
  const random = randomNumbers(20261118);
  const documents = Array.from({ length: 320 }, (_, at) => randomDocument(random, `d${at}`));
  let totals: Map<string, Totals>;

  beforeAll(async () => {
    totals = await totalsOf(await scored(RECIPE, documents));
  });

  test.each([...Object.keys(WAYS), 'token', 'character'])('%s is what counting characters gives', (scheme) => {
    const way = WAYS[scheme];
    const differing = documents.flatMap((document) => {
      const { text } = document;
      const expected =
        way === undefined
          ? countUnits(document, scheme === 'token' ? wordsIn(text) : charactersIn(text))
          : countSpans(document, way);
      const ours = totals.get(`${document.id} ${scheme}`) ?? NONE;
      return JSON.stringify(ours) === JSON.stringify(expected) ? [] : [{ document: record(document), ours, expected }];
    });
    expect(differing).toEqual([]);
  });

  test('plain documents have the same numbers alone, which is the quick way, and with others among them', async () => {
    const plain = documents.map(({ gold, predicted, ...rest }) => {
      const whole = (list: readonly Marked[]): Marked[] =>
        list.map(({ label, pieces: [first] }) => ({ label, pieces: [first!] }));
      return { ...rest, gold: whole(gold), predicted: whole(predicted) };
    });
    const alone = await totalsOf(await scored('spans/every-scheme', plain));
    const others = documents.map((document) => ({ ...document, id: `other-${document.id}` }));
    const mixed = await totalsOf(
      await scored(
        'spans/every-scheme',
        plain.flatMap((document, at) => [document, others[at]!]),
      ),
    );
    for (const [key, own] of alone) expect([key, mixed.get(key)]).toEqual([key, own]);
    for (const document of plain)
      for (const scheme of ['strict', 'exact', 'partial', 'type', 'iou-0.5'])
        expect([document.id, scheme, alone.get(`${document.id} ${scheme}`) ?? NONE]).toEqual([
          document.id,
          scheme,
          countSpans(document, WAYS[scheme]!),
        ]);
    // A document in pieces is scored as in the recipe above.
    for (const { id } of documents)
      for (const scheme of ['partial', 'type', 'iou-0.3', 'character'])
        expect(mixed.get(`other-${id} ${scheme}`)).toEqual(totals.get(`${id} ${scheme}`));
  });

  test('what lies between the pieces is not part of the span', async () => {
    const run = await scored(RECIPE, [{ id: 'a', text: HEART, gold: [LEFT_ATRIUM], predicted: [RIGHT] }]);
    const all = await totalsOf(run);
    for (const scheme of ['own', ...Object.keys(WAYS)])
      expect([scheme, all.get(`a ${scheme}`)]).toEqual([scheme, { hits: 0, gold: 1, predicted: 1 }]);
    expect(all.get('a token')).toEqual({ hits: 0, gold: 2, predicted: 1 });
    expect(all.get('a character')).toEqual({ hits: 0, gold: 10, predicted: 5 });
    // Not one error in two shapes either: they share no character.
    for await (const { rejected, rule } of run.verdicts())
      expect([rule, rejected]).toEqual([expect.not.stringMatching('incorrect'), undefined]);
  });

  test('the same ends with other pieces are other boundaries', async () => {
    const whole: Marked = { label: 'A', pieces: [[0, 21]] };
    const run = await scored('spans/semeval', [{ id: 'a', text: HEART, gold: [LEFT_ATRIUM], predicted: [whole] }]);
    expect(run.value('incorrect')).toBe(1);
    expect(run.value('partial', { scheme: 'partial' })).toBe(1);
    expect(run.value('f1', { scheme: 'partial' })).toBe(0.5);
    const [missed] = await Array.fromAsync(run.verdicts());
    expect(missed).toMatchObject({
      verdict: 'missed',
      because: 'boundaries differ',
      rejected: { similarity: 10 / 21, why: 'boundaries differ: 0–4 + 15–21 in gold, 0–21 predicted' },
    });
  });
});
