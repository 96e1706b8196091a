import type { ItemKind } from '../../data/item.ts';
import type { Verdict, VerdictKind } from '../../judge/verdict.ts';
import type { RepeatedRun } from './repeated-run.ts';

/** How often a gold item is found. `excused`: never, and no run is blamed for it. */
export type Finding = 'always' | 'sometimes' | 'never' | 'excused';

export interface GoldItem {
  readonly case: string;
  readonly kind: ItemKind;
  readonly label: string;
  readonly text: string;
  readonly found: Finding;
  /** By run: what became of it. */
  readonly runs: readonly VerdictKind[];
}

export interface FoundGold {
  readonly counts: Readonly<Record<Finding, number>>;
  /** Gold that is not in the gold of every run, which only forced comparisons have: it is left out. */
  readonly notInEveryRun: number;
  readonly items: readonly GoldItem[];
}

/** Which gold items every run finds, which only some runs find, and which none does. */
export function findGold(runs: readonly RepeatedRun[], cases: readonly string[]): FoundGold {
  const counts = { always: 0, sometimes: 0, never: 0, excused: 0 };
  const items: GoldItem[] = [];
  let notInEveryRun = 0;
  for (const id of cases) {
    const byRun = runs.map((run) => goldOf(run.cases.get(id)?.verdicts ?? []));
    const keys = new Set(byRun.flatMap((gold) => [...gold.keys()]));
    for (const key of keys) {
      const verdicts = byRun.flatMap((gold) => gold.get(key) ?? []);
      if (verdicts.length < runs.length) {
        notInEveryRun += 1;
        continue;
      }
      const { gold, kind } = verdicts[0]!;
      const outcomes = verdicts.map(({ verdict }) => verdict);
      const found = findingOf(outcomes);
      counts[found] += 1;
      items.push({ case: id, kind, label: gold.label, text: gold.text, found, runs: outcomes });
    }
  }
  return { counts, notInEveryRun, items };
}

type GoldVerdict = Verdict & { readonly gold: NonNullable<Verdict['gold']> };

/** By what gold says, since with other gold the same number may be another item; the number of its like makes it one. */
function goldOf(verdicts: readonly Verdict[]): Map<string, GoldVerdict> {
  const out = new Map<string, GoldVerdict>();
  const seen = new Map<string, number>();
  for (const verdict of verdicts.filter(hasGold).toSorted((a, b) => a.gold.index - b.gold.index)) {
    const { gold, kind } = verdict;
    const said = JSON.stringify([kind, gold.label, gold.text, gold.start, gold.end, gold.source, gold.target]);
    const nth = seen.get(said) ?? 0;
    seen.set(said, nth + 1);
    out.set(`${said} ${nth}`, verdict);
  }
  return out;
}

/** What left before pairing, and stretches of tokens or characters, are no gold items to be found. */
function hasGold(verdict: Verdict): verdict is GoldVerdict {
  return verdict.gold !== null && !verdict.setAside && verdict.gold.index >= 0;
}

function findingOf(outcomes: readonly VerdictKind[]): Finding {
  const hits = outcomes.filter((verdict) => verdict === 'hit').length;
  if (hits === outcomes.length) return 'always';
  if (hits > 0) return 'sometimes';
  return outcomes.includes('missed') ? 'never' : 'excused';
}
