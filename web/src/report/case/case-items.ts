import type { CaseDetail, ReportHead, ViewRecord } from '../../../../src/report/html/report-data.ts';
import type { LedgerItem } from '../../../../src/score/ledger.ts';
import { type Place, PlaceFinder } from './places.ts';

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
function identityOf(kind: string, side: Side, { index, label, text, start, end }: LedgerItem): string {
  return JSON.stringify([side, kind, side === 'gold' ? index : null, label, start ?? null, end ?? null, text]);
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
