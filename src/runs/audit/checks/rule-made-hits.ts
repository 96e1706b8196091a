import type { Check } from '../check.ts';
import { isPaired, plainScore } from '../plain-score.ts';
import { pairParts } from '../recipe-parts.ts';
import { SubjectEvidence } from '../subject-evidence.ts';
import { count, counted, figure, listed, percent } from '../words.ts';

/** Less than this is within what a score says anyway. */
const NOTE_SHARE = 0.05;
/** With a fifth of the hits made by rules, the score says as much of the rules as of the system. */
const WARNING_SHARE = 0.2;

/** Hits that no pairing would give are a decision of the recipe's author, not of the system. */
export const ruleMadeHits: Check = {
  name: 'rule-made-hits',
  about: 'the share of hits that rules made and pairing alone would not',
  open({ recipe }) {
    const pairing = new Set(['pair', ...pairParts(recipe).flatMap(({ accept }) => accept.map(({ name }) => name))]);
    const evidence = new SubjectEvidence();
    const made = new Map<string, number>();
    const all = { hits: 0, worth: 0, missed: 0, spurious: 0 };
    const lost = { hits: 0, worth: 0, gold: 0 };
    return {
      add({ id, verdicts }) {
        for (const { kind, verdict, rule, weight, credit, label, gold, predicted, because } of verdicts) {
          if (!isPaired(kind) || verdict === 'excused') continue;
          if (verdict !== 'hit') all[verdict] += weight;
          else {
            all.hits += weight;
            all.worth += weight * credit;
            if (pairing.has(rule)) continue;
            made.set(rule, (made.get(rule) ?? 0) + weight);
            lost.hits += weight;
            lost.worth += weight * credit;
            if (gold !== null) lost.gold += weight;
            const as = `the hit counts as ${label}`;
            evidence.add(rule, id, {
              side: 'predicted',
              label: predicted?.was ?? predicted?.label ?? label,
              text: (predicted ?? gold)?.text ?? '',
              note: because === null ? as : `${as}: ${because}`,
            });
          }
        }
      },
      finish() {
        const share = all.hits === 0 ? 0 : lost.hits / all.hits;
        if (share < NOTE_SHARE) return [];
        const rules = [...made.keys()].sort();
        const asScored = plainScore(all).f1 ?? 0;
        const without = plainScore({
          hits: all.hits - lost.hits,
          worth: all.worth - lost.worth,
          missed: all.missed + lost.gold,
          spurious: all.spurious + lost.hits,
        });
        return [
          {
            severity: share >= WARNING_SHARE ? 'warning' : 'note',
            title: `${count(lost.hits)} of ${counted(all.hits, 'hit')} (${percent(lost.hits, all.hits)}) ${lost.hits === 1 ? 'was' : 'were'} made by the ${rules.length === 1 ? 'rule' : 'rules'} ${listed(rules)}, not by pairing`,
            why: `These predictions match no gold item by the recipe's own pairing. Counted plainly, F1 is ${figure(asScored)} with them as hits and would be ${figure(without.f1 ?? 0)} with them as spurious.`,
            todo: 'Look at the items below. If they are right, say in the report that the rule credits them; if not, switch the rule off in the recipe (judge).',
            subjects: rules,
            ...evidence.of(rules),
          },
        ];
      },
    };
  },
};
