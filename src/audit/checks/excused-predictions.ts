import type { Verdict } from '../../judge/verdict.ts';
import { compareText } from '../../text/compare.ts';
import type { Check, NewFinding } from '../check.ts';
import { isPaired, plainScore } from '../plain-score.ts';
import { rulesOf } from '../recipe-parts.ts';
import { SubjectEvidence } from '../subject-evidence.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import { listed } from '../words.ts';

/** Second finds of one thing are excused in ordinary runs, some in a hundred of the predictions. */
const NOTE_SHARE = 0.05;
const WARNING = { share: 0.2, fewest: 10 };
/** Predictions of a label that count when right and do not when wrong: here less is enough. */
const ONE_SIDED_SHARE = 0.05;

interface Counts {
  hits: number;
  worth: number;
  spurious: number;
  /** By the name of the rule. */
  readonly excused: Map<string, number>;
  /** Predictions that helped to cover gold, or that left before pairing: no rule of `judge` let them pass. */
  others: number;
}

/** A false alarm that a rule excuses is in no count, so precision is that of the rest. */
export const excusedPredictions: Check = {
  name: 'excused-predictions',
  about: 'predictions that match nothing and that rules excuse instead of counting them as spurious',
  open({ recipe }) {
    const byLabel = new Set(rulesOf(recipe, 'judge', 'excuse-spurious').map(({ name }) => name));
    const counts: Counts = { hits: 0, worth: 0, spurious: 0, excused: new Map(), others: 0 };
    /** What a rule excuses by label, and which labels have hits. */
    const labels = { excused: new Map<string, number>(), hit: new Set<string>() };
    const evidence = new SubjectEvidence();
    return {
      add({ id, failed, verdicts }) {
        if (failed !== null) return;
        for (const own of verdicts) {
          const { predicted, weight, rule, because: note } = own;
          if (!isPaired(own.kind) || predicted === null) continue;
          if (own.verdict === 'hit') {
            counts.hits += weight;
            counts.worth += weight * own.credit;
            labels.hit.add(predicted.label);
          } else if (own.verdict === 'spurious') counts.spurious += weight;
          else if (!isExcused(own)) counts.others += weight;
          else {
            counts.excused.set(rule, (counts.excused.get(rule) ?? 0) + weight);
            const { label, text } = predicted;
            if (byLabel.has(rule)) labels.excused.set(label, (labels.excused.get(label) ?? 0) + weight);
            evidence.add(rule, id, { side: 'predicted', label, text, note });
          }
        }
      },
      finish() {
        const oneSided = [...labels.excused].filter(([label]) => labels.hit.has(label));
        return findings(counts, oneSided, evidence);
      },
    };
  },
};

/** By a rule of `judge`. A prediction that covered gold together with others was of use; what was set aside is told as dropped. */
function isExcused({ verdict, setAside, rule }: Verdict): boolean {
  return verdict === 'excused' && !setAside && rule !== 'inside';
}

function findings(
  { hits, worth, spurious, excused, others }: Counts,
  oneSided: readonly (readonly [label: string, n: number])[],
  evidence: SubjectEvidence,
): NewFinding[] {
  const rules = [...excused.keys()].sort(compareText);
  const n = sum(excused.values());
  const all = hits + spurious + n + others;
  if (n === 0 || n < NOTE_SHARE * all) return [];
  const loose = sum(oneSided.map(([, own]) => own));
  const isOneSided = loose >= WARNING.fewest && loose >= ONE_SIDED_SHARE * all;
  const isWarning = isOneSided || (n >= WARNING.fewest && n >= WARNING.share * all);
  const asScored = plainScore({ hits, worth, missed: 0, spurious }).precision;
  const counting = plainScore({ hits, worth, missed: 0, spurious: spurious + n }).precision;
  const precision = `precision ${asScored === null ? 'has no value' : `is ${figure(asScored)}`} and would be ${figure(counting ?? 0)} with them as spurious`;
  const names = oneSided.map(([label]) => label).sort(compareText);
  return [
    {
      severity: isWarning ? 'warning' : 'note',
      title: `${count(n)} of ${counted(all, 'prediction')} (${percent(n, all)}) ${n === 1 ? 'is' : 'are'} excused by the ${rules.length === 1 ? 'rule' : 'rules'} ${listed(rules)}: counted plainly, ${precision}`,
      why:
        'They match nothing and are in no count, so they cannot lower precision.' +
        (loose === 0
          ? ''
          : ` ${count(loose)} of them ${loose === 1 ? 'has a label' : 'have labels'} on which hits count (${listed(names)}): there a find raises precision and a false alarm costs nothing.`),
      todo: `Look at the items below. If they are false alarms, switch ${rules.length === 1 ? 'the rule' : 'the rules'} off in the recipe (judge)${loose === 0 ? '' : ', or take the labels out on both sides (prepare: drop)'}; if not, quote both figures.`,
      subjects: rules,
      ...evidence.of(rules),
    },
  ];
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
