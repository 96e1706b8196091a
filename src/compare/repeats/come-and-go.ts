import type { VerdictKind } from '../../judge/verdict.ts';
import type { FoundGroup } from './found-groups.ts';
import { type Likeness, likenessOf, type NearMiss } from './likeness.ts';
import type { RepeatedQuestion } from './repeated-run.ts';

/** An item that some runs found and others did not. */
export interface ComingAndGoing {
  readonly case: string;
  readonly kind: string;
  readonly label: string;
  readonly text: string;
  /** By run: what became of it, or `found` where there is no gold; null where the run does not have it. */
  readonly runs: readonly (VerdictKind | 'found' | null)[];
  /** By run: its text; null where the run does not have it. */
  readonly texts: readonly (string | null)[];
  /** In the unit of the files, of the first run that has it; null where the item has no place. */
  readonly place: { readonly start: number; readonly end: number } | null;
  /** What runs that lack it found instead and the recipe does not take for the same; null where nothing comes near. */
  readonly near: (NearMiss & { readonly label: string; readonly text: string }) | null;
}

/** The items that come and go, each with what the other runs may have found in its stead. */
export function comingAndGoing(question: RepeatedQuestion, groups: readonly FoundGroup[]): ComingAndGoing[] {
  const likeness = new Map([...question.pair].map(([kind, settings]) => [kind, likenessOf(kind, settings)]));
  const wavering = groups.filter(({ items }) => items.includes(null));
  const byCase = Map.groupBy(wavering, ({ case: id, kind }) => JSON.stringify([id, kind]));
  return wavering.map((group) => {
    const rivals = byCase.get(JSON.stringify([group.case, group.kind])) ?? [];
    const misses = rivals.flatMap((other) => {
      if (other === group || !areApart(group, other)) return [];
      const miss = nearest(group, other, likeness.get(group.kind)!);
      return miss === null ? [] : [{ ...miss, label: other.label, text: other.text }];
    });
    const first = group.items.find((item) => item !== null)!;
    return {
      case: group.case,
      kind: group.kind,
      label: group.label,
      text: group.text,
      runs: group.verdicts.map((verdict) => (verdict === null || question.hasGold ? verdict : 'found')),
      texts: group.items.map((item) => item?.text ?? null),
      place: first.start < 0 ? null : { start: first.start, end: first.end },
      near: misses.sort((a, b) => b.similarity - a.similarity)[0] ?? null,
    };
  });
}

/** No run has both: they may be one thing that was found in two ways. */
function areApart(a: FoundGroup, b: FoundGroup): boolean {
  return a.items.every((item, run) => item === null || b.items[run] === null);
}

function nearest(a: FoundGroup, b: FoundGroup, likeness: Likeness): NearMiss | null {
  let best: NearMiss | null = null;
  for (const one of a.items) {
    for (const other of b.items) {
      if (one === null || other === null) continue;
      const miss = likeness.nearMiss(one, other);
      if (miss !== null && (best === null || miss.similarity > best.similarity)) best = miss;
    }
  }
  return best;
}
