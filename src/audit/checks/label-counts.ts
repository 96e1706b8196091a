import type { Side } from '../../data/item.ts';
import type { AuditCase, CheckContext } from '../check.ts';
import { pairParts } from '../recipe-parts.ts';

/** What there is of one label of one kind on both sides; items that left before pairing are in none of the numbers. */
export interface OfLabel {
  gold: number;
  predicted: number;
  /** Of these, those that count: not excused. */
  missed: number;
  spurious: number;
  /** Rules that took gold of this label out before pairing: gold as it was given has it. */
  readonly goldTakenOutBy: Set<string>;
}

/** Kinds whose labels are compared when items are paired; elsewhere the two sides may name things as they like. */
export function labelledKinds({ recipe }: CheckContext): Set<string> {
  // Components are looked for by name in every answer: one that no answer has says something of the answers.
  const compared = pairParts(recipe).filter(
    ({ kind, accept }) =>
      kind !== 'component' &&
      kind !== 'concept' &&
      accept.some(({ gate, similarity }) => gate.includes('label') || similarity === 'relation'),
  );
  return new Set(compared.map(({ kind }) => kind));
}

/** Counts labels by kind as they are after label maps. */
export class LabelCounts {
  readonly byKind = new Map<string, Map<string, OfLabel>>();
  readonly #kinds: ReadonlySet<string>;

  constructor(kinds: ReadonlySet<string>) {
    this.#kinds = kinds;
  }

  looksAt(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** How many of a label one side has so far. */
  in(side: Side, kind: string, label: string): number {
    return this.byKind.get(kind)?.get(label)?.[side] ?? 0;
  }

  add({ verdicts }: AuditCase): void {
    for (const { kind, verdict, rule, gold, predicted, setAside } of verdicts) {
      if (!this.#kinds.has(kind)) continue;
      if (setAside) {
        if (gold !== null) this.#of(kind, gold.label).goldTakenOutBy.add(rule);
        continue;
      }
      if (gold !== null) {
        const own = this.#of(kind, gold.label);
        own.gold += 1;
        if (verdict === 'missed') own.missed += 1;
      }
      if (predicted !== null) {
        const own = this.#of(kind, predicted.label);
        own.predicted += 1;
        if (verdict === 'spurious') own.spurious += 1;
      }
    }
  }

  #of(kind: string, label: string): OfLabel {
    let labels = this.byKind.get(kind);
    if (labels === undefined) this.byKind.set(kind, (labels = new Map<string, OfLabel>()));
    let own = labels.get(label);
    if (own === undefined)
      labels.set(label, (own = { gold: 0, predicted: 0, missed: 0, spurious: 0, goldTakenOutBy: new Set() }));
    return own;
  }
}
