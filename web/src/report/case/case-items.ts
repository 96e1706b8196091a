import type { CaseDetail, ReportHead, ViewRecord } from '../../../../src/report/html/report-data.ts';
import type { LedgerItem } from '../../../../src/score/ledger.ts';
import { stretchesOf } from '../../../../src/text/pieces.ts';
import type { Stretch } from '../../boundaries.ts';

export type Side = 'gold' | 'predicted';
export type VerdictName = ViewRecord['verdict'];

/** One side of a line of the ledger: what a person points at. */
export interface CaseItem {
  /** `<run>.<side>.<kind>.<index>`; with `~2` and on where several lines of a case hold that item. */
  readonly key: string;
  readonly run: number;
  readonly side: Side;
  readonly record: ViewRecord;
  readonly item: LedgerItem;
  /** The other side of the same line. */
  readonly partner: string | null;
  /** The same for the same gold under several runs, and for what two systems say alike. */
  readonly identity: string;
  readonly place: Place | null;
  /** Why a given place is not shown; null if it is shown or absent. */
  readonly astray: string | null;
}

/** A line of the ledger with the keys of its sides. */
export interface CaseLine {
  readonly run: number;
  /** Place in its run's records. */
  readonly at: number;
  readonly record: ViewRecord;
  readonly gold: CaseItem | null;
  readonly predicted: CaseItem | null;
}

export interface CaseItems {
  readonly all: readonly CaseItem[];
  readonly lines: readonly CaseLine[];
  readonly byKey: ReadonlyMap<string, CaseItem>;
  readonly byIdentity: ReadonlyMap<string, readonly CaseItem[]>;
  readonly lineOf: ReadonlyMap<string, CaseLine>;
}

/** Everything that the runs hold of a case. What another matching scheme said is not part of it. */
export function caseItems(detail: CaseDetail, texts: ReportHead['texts']): CaseItems {
  const finder = new PlaceFinder(detail.text, texts === 'full');
  const all: CaseItem[] = [];
  const lines: CaseLine[] = [];
  const byKey = new Map<string, CaseItem>();
  const byIdentity = new Map<string, CaseItem[]>();
  const lineOf = new Map<string, CaseLine>();
  const taken = new Map<string, number>();
  const keyOf = (run: number, side: Side, kind: string, index: number): string => {
    const key = `${run}.${side}.${kind}.${index}`;
    const times = (taken.get(key) ?? 0) + 1;
    taken.set(key, times);
    return times === 1 ? key : `${key}~${times}`;
  };
  for (const [run, part] of detail.runs.entries()) {
    for (const [at, record] of (part?.records ?? []).entries()) {
      if (record.scheme !== undefined) continue;
      const { kind, gold, predicted } = record;
      const keys = {
        gold: gold === undefined ? null : keyOf(run, 'gold', kind, gold.index),
        predicted: predicted === undefined ? null : keyOf(run, 'predicted', kind, predicted.index),
      };
      const sideOf = (side: Side): CaseItem | null => {
        const [item, key] = [record[side], keys[side]];
        if (item === undefined || key === null) return null;
        const partner = side === 'gold' ? keys.predicted : keys.gold;
        const made = { key, run, side, record, item, partner, identity: identityOf(kind, side, item) };
        return { ...made, ...finder.placeOf(kind, item) };
      };
      const line = { run, at, record, gold: sideOf('gold'), predicted: sideOf('predicted') };
      lines.push(line);
      for (const one of [line.gold, line.predicted]) {
        if (one === null) continue;
        all.push(one);
        byKey.set(one.key, one);
        lineOf.set(one.key, line);
        const alike = byIdentity.get(one.identity);
        if (alike === undefined) byIdentity.set(one.identity, [one]);
        else alike.push(one);
      }
    }
  }
  return { all, lines, byKey, byIdentity, lineOf };
}

/** Systems number their answers as they like; gold is numbered alike for all. */
function identityOf(kind: string, side: Side, { index, label, text, start, end, fragments }: LedgerItem): string {
  const place = [start ?? null, end ?? null, fragments];
  return JSON.stringify([side, kind, side === 'gold' ? index : null, label, place, text]);
}

/** The key that stands for a line: gold's where there is gold. */
export function lineKey({ gold, predicted }: CaseLine): string | null {
  return gold?.key ?? predicted?.key ?? null;
}

/** An item with all that belong to it: the same under other runs, and what each was paired with. */
export interface Chosen {
  readonly item: CaseItem;
  readonly own: ReadonlySet<string>;
  readonly partners: ReadonlySet<string>;
  /** Its line, and those of the same gold under other runs, by run. */
  readonly lines: readonly CaseLine[];
}

export function chosenItem(items: CaseItems, key: string | null): Chosen | null {
  const item = key === null ? undefined : items.byKey.get(key);
  if (item === undefined) return null;
  const twins = (one: CaseItem): readonly CaseItem[] => items.byIdentity.get(one.identity) ?? [one];
  const partner = item.partner === null ? undefined : items.byKey.get(item.partner);
  const gold = item.side === 'gold' ? item : (partner ?? null);
  const golds = gold === null ? [] : twins(gold);
  const answers = golds.flatMap((one) => items.byKey.get(one.partner ?? '') ?? []);
  const own = item.side === 'gold' ? golds : [item];
  const partners = item.side === 'gold' ? answers : golds;
  const held = (golds.length > 0 ? golds : [item]).flatMap((one) => items.lineOf.get(one.key) ?? []);
  const first = items.lineOf.get(item.key);
  const lines = [...held].sort((a, b) => rank(a, first) - rank(b, first) || a.run - b.run || a.at - b.at);
  return { item, own: keysOf(own), partners: keysOf(partners), lines };
}

function rank(line: CaseLine, first: CaseLine | undefined): number {
  return line === first ? 0 : 1;
}

function keysOf(items: readonly CaseItem[]): ReadonlySet<string> {
  return new Set(items.map(({ key }) => key));
}

/** The place of an item in the text of its case. */
interface Place {
  readonly start: number;
  readonly end: number;
  /** Those of a span that is not in one piece. */
  readonly pieces?: readonly Stretch[];
  /** `words`: it has no given place and is shown where its words first occur. */
  readonly by: 'place' | 'words';
}

interface Found {
  readonly place: Place | null;
  readonly astray: string | null;
}

/** What is looked for by its words where it has no place. */
const QUOTES: ReadonlySet<string> = new Set(['object', 'span', 'entity']);
/** A hostile case has thousands of quotes and a long text: beyond this many nothing is looked for. */
const MOST_SEARCHES = 2000;

/** Finds items in one text. With `search`, those without a place by their words. */
export class PlaceFinder {
  readonly #text: string | null;
  readonly #search: boolean;
  readonly #found = new Map<string, Place | null>();

  constructor(text: string | null, search: boolean) {
    this.#text = text;
    this.#search = search;
  }

  placeOf(kind: string, { start, end, text, fragments }: LedgerItem): Found {
    if (this.#text === null) return { place: null, astray: null };
    if (start !== undefined && end !== undefined) {
      const whole = placeWithin(this.#text, start, end);
      return fragments === undefined || whole.place === null ? whole : inPieces(this.#text, whole.place, fragments);
    }
    const place = this.#search && QUOTES.has(kind) && text.trim() !== '' ? this.#byWords(this.#text, text) : null;
    return { place, astray: null };
  }

  #byWords(within: string, words: string): Place | null {
    const known = this.#found.get(words);
    if (known !== undefined) return known;
    if (this.#found.size >= MOST_SEARCHES) return null;
    const start = within.indexOf(words);
    const place = start < 0 ? null : { start, end: start + words.length, by: 'words' as const };
    this.#found.set(words, place);
    return place;
  }
}

/** A place that lies outside the text is not bent until it fits; one that cuts a character in two takes it whole. */
export function placeWithin(text: string, start: number, end: number): Found {
  const astray = (why: string): Found => ({ place: null, astray: `its place, ${start} to ${end}, ${why}` });
  if (!Number.isInteger(start) || !Number.isInteger(end)) return astray('is not one of whole characters');
  if (start < 0 || end > text.length) return astray(`lies outside the text of ${text.length} characters`);
  if (start >= end) return astray('holds no characters');
  return {
    place: { start: cuts(text, start) ? start - 1 : start, end: cuts(text, end) ? end + 1 : end, by: 'place' },
    astray: null,
  };
}

function inPieces(text: string, place: Place, fragments: readonly Stretch[]): Found {
  const found = stretchesOf({ ...place, fragments }).map((piece) => placeWithin(text, piece.start, piece.end));
  const astray = found.find((piece) => piece.place === null);
  return astray ?? { place: { ...place, pieces: found.flatMap((piece) => piece.place ?? []) }, astray: null };
}

function cuts(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
