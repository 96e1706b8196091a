import { compareText } from '../../text/compare.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import type { Check } from '../check.ts';
import { listed, SubjectEvidence } from '../evidence.ts';
import { rulesOf } from '../recipe-parts.ts';
import { isPaired, plainScore } from '../scores.ts';
import { plainCounts, type VerdictRow, weightOf } from '../totals.ts';

/** Second finds of one thing are excused in ordinary runs, some in a hundred of the predictions. */
const NOTE_SHARE = 0.05;
const WARNING = { share: 0.2, fewest: 10 };
/** Predictions of a label that count when right and do not when wrong: here less is enough. */
const ONE_SIDED_SHARE = 0.05;

/** A false alarm that a rule excuses is in no count, so precision is that of the rest. */
export const excusedPredictions: Check = {
  name: 'excused-predictions',
  about: 'predictions that match nothing and that rules excuse instead of counting them as spurious',
  scoredOnly: true,
  open({ recipe, totals }) {
    const byLabel = new Set(rulesOf(recipe, 'judge', 'excuse-spurious').map(({ name }) => name));
    const evidence = new SubjectEvidence();
    return {
      verdict(own, { id }) {
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
function isExcused({
  kind,
  verdict,
  setAside,
  rule,
}: Pick<VerdictRow, 'kind' | 'verdict' | 'setAside' | 'rule'>): boolean {
  return isPaired(kind) && verdict === 'excused' && !setAside && rule !== 'inside';
}
