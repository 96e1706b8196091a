import type { Verdict } from '../../judge/verdict.ts';
import { compareText } from '../../text/compare.ts';
import type { Check, CheckContext, NewFinding } from '../check.ts';
import { isPaired, plainScore } from '../plain-score.ts';
import { labelsNamed, rulesOf, stringsAt } from '../recipe-parts.ts';
import { SubjectEvidence } from '../subject-evidence.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import { listed } from '../words.ts';

/** From here on the hits show in the second decimal of precision and recall, which is what people quote. */
const ERROR_SHARE = 0.01;

/** What became of the items of one label. */
interface LabelCounts {
  hits: number;
  worth: number;
  missed: number;
  spurious: number;
  excused: number;
}

const NOTHING: LabelCounts = { hits: 0, worth: 0, missed: 0, spurious: 0, excused: 0 };

/** A label on which a find counts and a miss does not can only raise the score. */
export const excusedHits: Check = {
  name: 'excused-hits',
  about: 'hits that count on labels whose misses are excused',
  open(context) {
    const named = labelsNamed(context.recipe, 'judge', 'excuse-missed');
    const isOnExcused = hitsOnExcused(context, named);
    const labels = new Map<string, LabelCounts>();
    /** Hits whose own label is no excused one, but that a rule credits on gold of such a label. */
    const credited = new Set<string>();
    const evidence = new SubjectEvidence();
    const of = (label: string): LabelCounts => {
      let own = labels.get(label);
      if (own === undefined) labels.set(label, (own = { ...NOTHING }));
      return own;
    };
    return {
      add({ id, verdicts }) {
        for (const verdict of verdicts) {
          if (!isPaired(verdict.kind)) continue;
          const { weight, credit, label, gold, predicted, because: note } = verdict;
          const own = of(label);
          if (verdict.verdict === 'hit') {
            own.hits += weight;
            own.worth += weight * credit;
            if (isOnExcused(verdict)) credited.add(label);
            // Without such a rule nothing will be found, and there is no need of examples.
            if (named.size === 0) continue;
            const side = gold === null ? 'predicted' : 'gold';
            evidence.add(label, id, { side, label, text: (gold ?? predicted)?.text ?? '', note });
          } else if (verdict.verdict !== 'excused') own[verdict.verdict] += weight;
          else if (gold !== null && !verdict.setAside) own.excused += weight;
        }
      },
      finish() {
        const found = [...labels].filter(
          ([label, { hits, missed, excused }]) =>
            hits > 0 && (named.has(label) || credited.has(label) || (excused > 0 && missed === 0)),
        );
        const inOrder = found.sort(([a, one], [b, other]) => other.hits - one.hits || compareText(a, b));
        return inOrder.length === 0
          ? []
          : [
              finding(
                inOrder.map(([label]) => label),
                labels,
                evidence,
              ),
            ];
      },
    };
  },
};

/** A rule that turns a left-over prediction into a hit on gold whose misses are all excused. */
function hitsOnExcused({ recipe }: CheckContext, named: ReadonlySet<string>): (hit: Verdict) => boolean {
  const rules = new Set(
    rulesOf(recipe, 'judge', 'loc-in-org').flatMap(({ name, params }) => {
      const gold = stringsAt(params, 'gold');
      return gold.length > 0 && gold.every((label) => named.has(label)) ? [name] : [];
    }),
  );
  return ({ rule }) => rules.has(rule);
}

function finding(
  subjects: readonly string[],
  labels: ReadonlyMap<string, LabelCounts>,
  evidence: SubjectEvidence,
): NewFinding {
  const all = sum([...labels.values()]);
  const own = sum(subjects.map((label) => labels.get(label) ?? NOTHING));
  const asScored = plainScore(all);
  const without = plainScore({
    hits: all.hits - own.hits,
    worth: all.worth - own.worth,
    missed: all.missed - own.missed,
    spurious: all.spurious - own.spurious,
  });
  const withMisses = plainScore({ ...all, missed: all.missed + own.excused });
  const counting =
    own.excused === 0
      ? ''
      : `; with those misses counted, recall would be ${said(withMisses.recall)} instead of ${said(asScored.recall)}`;
  return {
    severity: own.hits / all.hits >= ERROR_SHARE ? 'error' : 'note',
    title: `${count(own.hits)} of ${counted(all.hits, 'hit')} (${percent(own.hits, all.hits)}) ${own.hits === 1 ? 'is' : 'are'} on labels whose misses are excused (${listed(subjects)})${counting}`,
    why:
      `On these labels a find raises the score and a miss costs nothing, so the score can only go up. Counted plainly over all items, ` +
      `precision is ${said(asScored.precision)}, recall ${said(asScored.recall)} and F1 ${said(asScored.f1)}. Without these labels, ` +
      `precision would be ${said(without.precision)}, recall ${said(without.recall)} and F1 ${said(without.f1)}` +
      (own.excused === 0
        ? '.'
        : `; with their ${counted(own.excused, 'excused miss', 'excused misses')} counted, recall would be ${said(withMisses.recall)} and F1 ${said(withMisses.f1)}.`),
    todo: 'Treat hits and misses of a label alike: take the labels out on both sides (prepare: drop), or count their misses (judge: excuse-missed off). Until then quote the figures above beside the score.',
    subjects,
    ...evidence.of(subjects),
    only: (some) =>
      finding(
        subjects.filter((label) => some.has(label)),
        labels,
        evidence,
      ),
  };
}

function sum(counts: readonly LabelCounts[]): LabelCounts {
  const total = { ...NOTHING };
  for (const own of counts) {
    total.hits += own.hits;
    total.worth += own.worth;
    total.missed += own.missed;
    total.spurious += own.spurious;
    total.excused += own.excused;
  }
  return total;
}

function said(value: number | null): string {
  return value === null ? 'undefined' : figure(value);
}
