import { compareText } from '../../text/compare.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import type { Check, CheckContext, NewFinding } from '../check.ts';
import { listed, SubjectEvidence } from '../evidence.ts';
import { labelsNamed, rulesOf, stringsAt } from '../recipe-parts.ts';
import { isPaired, plainScore } from '../scores.ts';
import { plainCounts, type VerdictRow, weightOf } from '../totals.ts';

/** From here on the hits show in the second decimal of precision and recall, which is what people quote. */
const ERROR_SHARE = 0.01;

/** A label on which a find counts and a miss does not can only raise the score. */
export const excusedHits: Check = {
  name: 'excused-hits',
  about: 'hits that count on labels whose misses are excused',
  open({ recipe, totals }) {
    const named = labelsNamed(recipe, 'judge', 'excuse-missed');
    const crediting = rulesThatCredit(recipe, named);
    const evidence = new SubjectEvidence();
    return {
      verdict({ kind, verdict, label, gold, predicted, because }, { id }) {
        // Without such a rule nothing will be found, and there is no need of examples.
        if (named.size === 0 || verdict !== 'hit' || !isPaired(kind)) return;
        const side = gold === null ? 'predicted' : 'gold';
        evidence.add(label, { case: id, side, label, text: (gold ?? predicted)?.text ?? '', note: because });
      },
      find() {
        const rows = totals.rows(({ kind }) => isPaired(kind));
        const labels = [...Map.groupBy(rows, ({ label }) => label)].flatMap(([label, own]) => {
          const { hits, missed } = plainCounts(own);
          const isCredited = own.some(({ verdict, rule }) => verdict === 'hit' && crediting.has(rule));
          const isExcused = excusedMisses(own) > 0 && missed === 0;
          return hits > 0 && (named.has(label) || isCredited || isExcused) ? [{ label, hits }] : [];
        });
        labels.sort((a, b) => b.hits - a.hits || compareText(a.label, b.label));
        return labels.length === 0
          ? null
          : finding(
              labels.map(({ label }) => label),
              rows,
              evidence,
            );
      },
    };
  },
};

/** Rules that turn a left-over prediction into a hit on gold whose misses are all excused. */
function rulesThatCredit(recipe: CheckContext['recipe'], named: ReadonlySet<string>): Set<string> {
  return new Set(
    rulesOf(recipe, 'judge', 'loc-in-org').flatMap(({ name, params }) => {
      const gold = stringsAt(params, 'gold');
      return gold.length > 0 && gold.every((label) => named.has(label)) ? [name] : [];
    }),
  );
}

function excusedMisses(rows: readonly VerdictRow[]): number {
  return weightOf(rows.filter(({ verdict, gold, setAside }) => verdict === 'excused' && gold !== null && !setAside));
}

function finding(subjects: readonly string[], rows: readonly VerdictRow[], evidence: SubjectEvidence): NewFinding {
  const isOwn = ({ label }: VerdictRow): boolean => subjects.includes(label);
  const [all, own, excused] = [plainCounts(rows), plainCounts(rows.filter(isOwn)), excusedMisses(rows.filter(isOwn))];
  const asScored = plainScore(all);
  const without = plainScore(plainCounts(rows.filter((row) => !isOwn(row))));
  const withMisses = plainScore({ ...all, missed: all.missed + excused });
  const counting = `; with those misses counted, recall would be ${said(withMisses.recall)} instead of ${said(asScored.recall)}`;
  return {
    severity: own.hits / all.hits >= ERROR_SHARE ? 'error' : 'note',
    title: `${count(own.hits)} of ${counted(all.hits, 'hit')} (${percent(own.hits, all.hits)}) ${own.hits === 1 ? 'is' : 'are'} on labels whose misses are excused (${listed(subjects)})${excused === 0 ? '' : counting}`,
    why:
      `On these labels a find raises the score and a miss costs nothing, so the score can only go up. Counted plainly over all items, ` +
      `precision is ${said(asScored.precision)}, recall ${said(asScored.recall)} and F1 ${said(asScored.f1)}. Without these labels, ` +
      `precision would be ${said(without.precision)}, recall ${said(without.recall)} and F1 ${said(without.f1)}` +
      (excused === 0
        ? '.'
        : `; with their ${counted(excused, 'excused miss', 'excused misses')} counted, recall would be ${said(withMisses.recall)} and F1 ${said(withMisses.f1)}.`),
    todo: 'Treat hits and misses of a label alike: take the labels out on both sides (prepare: drop), or count their misses (judge: excuse-missed off). Until then quote the figures above beside the score.',
    subjects,
    evidence: evidence.of(subjects),
    only: (some) =>
      finding(
        subjects.filter((label) => some.has(label)),
        rows,
        evidence,
      ),
  };
}

function said(value: number | null): string {
  return value === null ? 'undefined' : figure(value);
}
