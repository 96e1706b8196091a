import { type CaseItems, type CaseLine, lineKey, type VerdictName } from './case-items.ts';
import { isWrong } from './item-rows.ts';

/** An item that runs judge differently; null in `verdicts` for a run that does not have it. */
export interface Difference {
  readonly key: string;
  readonly line: CaseLine;
  readonly verdicts: readonly (VerdictName | null)[];
  /** Against the first run: what any later one gained or lost; `other` where it is neither, as another excuse. */
  readonly change: 'better' | 'worse' | 'other';
}

/** What is not the same under all runs: gold by its verdicts, wrong predictions by who gives them. What got worse first. */
export function differences(items: CaseItems, runs: number): readonly Difference[] {
  if (runs < 2) return [];
  const groups = new Map<string, { readonly line: CaseLine; readonly key: string; verdicts: (VerdictName | null)[] }>();
  for (const line of items.lines) {
    const stands = line.gold ?? line.predicted;
    const key = lineKey(line);
    if (stands === null || key === null) continue;
    const group = groups.get(stands.identity) ?? { line, key, verdicts: Array.from({ length: runs }, () => null) };
    groups.set(stands.identity, group);
    group.verdicts[line.run] ??= line.record.verdict;
  }
  const found: Difference[] = [];
  for (const { line, key, verdicts } of groups.values()) {
    const [first = null] = verdicts;
    const others = verdicts.slice(1);
    if (others.every((verdict) => verdict === first)) continue;
    const change = changeOf(first, others);
    // An item that only one system has is not a difference unless it is wrong.
    if (change === 'other' && verdicts.includes(null)) continue;
    found.push({ key, line, verdicts, change });
  }
  const order = ['worse', 'better', 'other'];
  return found.sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
}

function changeOf(first: VerdictName | null, others: readonly (VerdictName | null)[]): Difference['change'] {
  const wrong = first !== null && isWrong(first);
  const wrongs = others.map((verdict) => verdict !== null && isWrong(verdict));
  if (!wrong && wrongs.includes(true)) return 'worse';
  return wrong && wrongs.includes(false) ? 'better' : 'other';
}
