import { compareText } from '../../text/compare.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import type { Check, NewFinding } from '../check.ts';
import { divisible, listed, SubjectEvidence } from '../evidence.ts';
import { rulesOf, stringsAt } from '../recipe-parts.ts';
import { isPaired, plainCounts, plainScore, type VerdictRow, weightOf } from '../totals.ts';

/** From here on the hits show in the second decimal of precision and recall, which is what people quote. */
const ERROR_SHARE = 0.01;

export const excusedHits: Check = {
  name: 'excused-hits',
  about: 'hits that count on labels whose misses are excused',
  open({ recipe, totals }) {
    const named = new Set(
      rulesOf(recipe, 'judge', 'excuse-missed').flatMap(({ params }) => stringsAt(params, 'labels')),
    );
    // Rules that turn a left-over prediction into a hit on gold whose misses are all excused.
    const crediting = rulesOf(recipe, 'judge', 'loc-in-org').flatMap(({ name, params }) => {
      const gold = stringsAt(params, 'gold');
      return gold.length > 0 && gold.every((label) => named.has(label)) ? [name] : [];
    });
    const evidence = new SubjectEvidence();
    return {
      verdict({ kind, verdict, label, gold, predicted, because }, { case: id }) {
        // Without such a rule nothing will be found, and there is no need of examples.
        if (named.size === 0 || verdict !== 'hit' || !isPaired(kind)) return;
        const side = gold === null ? 'predicted' : 'gold';
        evidence.add(label, { case: id, side, label, text: (gold ?? predicted)?.text ?? '', note: because });
      },
      find() {
        const rows = totals.rows(({ kind }) => isPaired(kind));
        const labels = [...Map.groupBy(rows, ({ label }) => label)].flatMap(([label, own]) => {
          const { hits, missed } = plainCounts(own);
          const isCredited = own.some(({ verdict, rule }) => verdict === 'hit' && crediting.includes(rule));
          const isAllExcused = excusedMisses(own) > 0 && missed === 0;
          return hits > 0 && (named.has(label) || isCredited || isAllExcused) ? [{ label, hits }] : [];
        });
        labels.sort((a, b) => b.hits - a.hits || compareText(a.label, b.label));
        const tell = (some: readonly { readonly label: string }[]): NewFinding =>
          finding(new Set(some.map(({ label }) => label)), rows, evidence);
        return labels.length === 0 ? null : divisible(labels, ({ label }) => label, tell);
      },
    };
  },
};

function excusedMisses(rows: readonly VerdictRow[]): number {
  return weightOf(rows.filter(({ verdict, gold, setAside }) => verdict === 'excused' && gold !== null && !setAside));
}

function finding(labels: ReadonlySet<string>, rows: readonly VerdictRow[], evidence: SubjectEvidence): NewFinding {
  const isOwn = ({ label }: VerdictRow): boolean => labels.has(label);
  const [all, own, excused] = [plainCounts(rows), plainCounts(rows.filter(isOwn)), excusedMisses(rows.filter(isOwn))];
  const asScored = said(plainScore(all));
  const without = said(plainScore(plainCounts(rows.filter((row) => !isOwn(row)))));
  const withMisses = said(plainScore({ ...all, missed: all.missed + excused }));
  const counting = `; with those misses counted, recall would be ${withMisses.recall} instead of ${asScored.recall}`;
  return {
    severity: own.hits / all.hits >= ERROR_SHARE ? 'error' : 'note',
    title: `${count(own.hits)} of ${counted(all.hits, 'hit')} (${percent(own.hits, all.hits)}) ${own.hits === 1 ? 'is' : 'are'} on labels whose misses are excused (${listed([...labels])})${excused === 0 ? '' : counting}`,
    why:
      `On these labels a find raises the score and a miss costs nothing, so the score can only go up. Counted plainly over all items, ` +
      `precision is ${asScored.precision}, recall ${asScored.recall} and F1 ${asScored.f1}. Without these labels, ` +
      `precision would be ${without.precision}, recall ${without.recall} and F1 ${without.f1}` +
      (excused === 0
        ? '.'
        : `; with their ${counted(excused, 'excused miss', 'excused misses')} counted, recall would be ${withMisses.recall} and F1 ${withMisses.f1}.`),
    todo: 'Treat hits and misses of a label alike: take the labels out on both sides (prepare: drop), or count their misses (judge: excuse-missed off). Until then quote the figures above beside the score.',
    evidence: evidence.of(labels),
  };
}

/** Each as a figure. */
function said(score: ReturnType<typeof plainScore>): Record<keyof typeof score, string> {
  const text = (value: number | null): string => (value === null ? 'undefined' : figure(value));
  return { precision: text(score.precision), recall: text(score.recall), f1: text(score.f1) };
}

/** Second finds of one thing are excused in ordinary runs, some in a hundred of the predictions. */
const NOTE_SHARE = 0.05;
const WARNING = { share: 0.2, fewest: 10 };
/** Predictions of a label that count when right and do not when wrong: here less is enough. */
const ONE_SIDED_SHARE = 0.05;

export const excusedPredictions: Check = {
  name: 'excused-predictions',
  about: 'predictions that match nothing and that rules excuse instead of counting them as spurious',
  scoredOnly: true,
  open({ recipe, totals }) {
    const byLabel = new Set(rulesOf(recipe, 'judge', 'excuse-spurious').map(({ name }) => name));
    const evidence = new SubjectEvidence();
    return {
      verdict(own, { case: id }) {
        if (own.predicted === null || !isExcused(own)) return;
        const { label, text } = own.predicted;
        evidence.add(own.rule, { case: id, side: 'predicted', label, text, note: own.because });
      },
      find() {
        const rows = totals.rows(({ scored, kind, predicted }) => scored && predicted !== null && isPaired(kind));
        const excused = rows.filter(isExcused);
        const [n, all] = [weightOf(excused), weightOf(rows)];
        if (n === 0 || n < NOTE_SHARE * all) return null;
        const hit = new Set(rows.flatMap(({ verdict, predicted }) => (verdict === 'hit' ? [predicted] : [])));
        const oneSided = excused.filter(({ rule, predicted }) => byLabel.has(rule) && hit.has(predicted));
        const loose = weightOf(oneSided);
        const isOneSided = loose >= WARNING.fewest && loose >= ONE_SIDED_SHARE * all;
        const counts = plainCounts(rows);
        const asScored = plainScore(counts).precision;
        const counting = plainScore({ ...counts, spurious: counts.spurious + n }).precision;
        const rules = [...new Set(excused.map(({ rule }) => rule))].sort(compareText);
        const names = [...new Set(oneSided.map(({ predicted }) => predicted ?? ''))].sort(compareText);
        const [theRule, thoseRules] = rules.length === 1 ? ['rule', 'the rule'] : ['rules', 'the rules'];
        return {
          severity: isOneSided || (n >= WARNING.fewest && n >= WARNING.share * all) ? 'warning' : 'note',
          title: `${count(n)} of ${counted(all, 'prediction')} (${percent(n, all)}) ${n === 1 ? 'is' : 'are'} excused by the ${theRule} ${listed(rules)}: counted plainly, precision ${asScored === null ? 'has no value' : `is ${figure(asScored)}`} and would be ${figure(counting ?? 0)} with them as spurious`,
          why:
            'They match nothing and are in no count, so they cannot lower precision.' +
            (loose === 0
              ? ''
              : ` ${count(loose)} of them ${loose === 1 ? 'has a label' : 'have labels'} on which hits count (${listed(names)}): there a find raises precision and a false alarm costs nothing.`),
          todo: `Look at the items below. If they are false alarms, switch ${thoseRules} off in the recipe (judge)${loose === 0 ? '' : ', or take the labels out on both sides (prepare: drop)'}; if not, quote both figures.`,
          subjects: rules,
          evidence: evidence.of(rules),
        };
      },
    };
  },
};

/** By a rule of `judge`. A prediction that covered gold together with others was of use; what was set aside is told as dropped. */
type Judged = Pick<VerdictRow, 'kind' | 'verdict' | 'setAside' | 'rule'>;

function isExcused({ kind, verdict, setAside, rule }: Judged): boolean {
  return isPaired(kind) && verdict === 'excused' && !setAside && rule !== 'inside';
}
