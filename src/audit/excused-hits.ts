import { compareText } from '../text/compare.ts';
import { count, figure, percent, plural } from '../text/figures.ts';
import { formatList } from './evidence.ts';
import { namedRules, type ResolvedRecipe, stringsAt } from './recipe-parts.ts';
import { plainCounts, plainScore, type VerdictRow, weightOf } from './totals.ts';

/** Verdicts of paired items by rule and label, as the audit or the counts of a run have them. */
export type ExcusableRow = Pick<VerdictRow, 'verdict' | 'rule' | 'label' | 'weight' | 'worth'> & {
  /** Gold that a rule excused instead of counting it as missed. */
  readonly isExcusedMiss: boolean;
};

/** Names of the rules that excuse missed gold, and the labels that they name. */
export function excusingRules(recipe: ResolvedRecipe): {
  readonly names: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
} {
  const rules = namedRules(recipe, 'judge', 'excuse-missed');
  return {
    names: new Set(rules.map(({ name }) => name)),
    labels: new Set(rules.flatMap(({ params }) => stringsAt(params, 'labels'))),
  };
}

/** Labels with hits whose misses are excused, those with most hits first. */
export function labelsOfExcusedHits(rows: readonly ExcusableRow[], recipe: ResolvedRecipe): string[] {
  const { labels: named } = excusingRules(recipe);
  // Rules that turn a left-over prediction into a hit on gold whose misses are all excused.
  const crediting = namedRules(recipe, 'judge', 'loc-in-org').flatMap(({ name, params }) => {
    const gold = stringsAt(params, 'gold');
    return gold.length > 0 && gold.every((label) => named.has(label)) ? [name] : [];
  });
  const labels = [...Map.groupBy(rows, ({ label }) => label)].flatMap(([label, own]) => {
    const { hits, missed } = plainCounts(own);
    const isCredited = own.some(({ verdict, rule }) => verdict === 'hit' && crediting.includes(rule));
    const isAllExcused = own.some(({ isExcusedMiss }) => isExcusedMiss) && missed === 0;
    return hits > 0 && (named.has(label) || isCredited || isAllExcused) ? [{ label, hits }] : [];
  });
  return labels.sort((a, b) => b.hits - a.hits || compareText(a.label, b.label)).map(({ label }) => label);
}

/** Scores of a run, counted plainly: as they are, without these labels, and with their excused misses counted. */
export function excusedHitScores(rows: readonly ExcusableRow[], labels: ReadonlySet<string>) {
  const own = rows.filter(({ label }) => labels.has(label));
  const [all, excused] = [plainCounts(rows), weightOf(own.filter(({ isExcusedMiss }) => isExcusedMiss))];
  return {
    hits: plainCounts(own).hits,
    allHits: all.hits,
    excused,
    asScored: plainScore(all),
    without: plainScore(plainCounts(rows.filter(({ label }) => !labels.has(label)))),
    withMisses: plainScore({ ...all, missed: all.missed + excused }),
  };
}

/** The sentence of the audit and of the notices. Holds labels from data: escape it. */
export function excusedHitsSentence(
  { hits, allHits, excused, asScored, withMisses }: ReturnType<typeof excusedHitScores>,
  labels: readonly string[],
): string {
  const recall =
    excused === 0 || withMisses.recall === null || asScored.recall === null
      ? ''
      : `; with those misses counted, recall would be ${figure(withMisses.recall)} instead of ${figure(asScored.recall)}`;
  return `${count(hits)} of ${plural(allHits, 'hit')} (${percent(hits, allHits)}) ${hits === 1 ? 'is' : 'are'} on labels whose misses are excused (${formatList([...labels])})${recall}`;
}
