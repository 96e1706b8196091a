import { passesGate } from '../../pair/criterion.ts';
import { compareText } from '../../text/compare.ts';
import type { Check } from '../check.ts';
import { isPaired, plainScore } from '../plain-score.ts';
import { type PairPart, pairParts } from '../recipe-parts.ts';
import { SubjectEvidence } from '../subject-evidence.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import { listed } from '../words.ts';

/** Less than this is within what a score says anyway. */
const NOTE_SHARE = 0.05;
/** With a fifth of the hits made by rules, the score says as much of the rules as of the system. */
const WARNING_SHARE = 0.2;
/** A way that does not ask for the label, beside one that does, makes the label mean nothing: half as many are as bad. */
const LAX = { share: 0.1, fewest: 5 };

/** What made a hit that the first way to pair would not: a rule of `judge`, or another way of `pair.accept`. */
type Maker = 'judge' | 'accept';

/** Hits that no pairing would give are a decision of the recipe's author, not of the system. */
export const ruleMadeHits: Check = {
  name: 'rule-made-hits',
  about: 'the share of hits that rules made, or lenient ways to pair, and the first way to pair would not',
  open({ recipe }) {
    const parts = new Map(pairParts(recipe).map((part) => [part.kind, part]));
    const evidence = new SubjectEvidence();
    const makers = new Map<string, Maker>();
    /** The first ways to pair of the kinds that other ways made hits of, and what must be equal by them. */
    const firsts = new Set<string>();
    const gates = new Set<string>();
    const all = { hits: 0, worth: 0, missed: 0, spurious: 0 };
    const lost = { hits: 0, worth: 0, gold: 0 };
    let byRules = 0;
    /** Of the hits that other ways made: by ways that let differ what must be equal by the first, and where it does differ. */
    const differing = { mayBe: 0, are: 0 };
    return {
      add({ id, verdicts }) {
        for (const { kind, verdict, rule, weight, credit, label, gold, predicted, because } of verdicts) {
          if (!isPaired(kind) || verdict === 'excused') continue;
          if (verdict !== 'hit') {
            all[verdict] += weight;
            continue;
          }
          all.hits += weight;
          all.worth += weight * credit;
          const part = parts.get(kind);
          const maker = makerOf(rule, part);
          if (maker === null) continue;
          makers.set(rule, maker);
          if (maker === 'judge') byRules += weight;
          if (maker === 'accept' && part !== undefined) {
            const [first] = part.accept;
            firsts.add(first?.name ?? '');
            const open = gateLeftOpen(rule, part);
            for (const field of open) gates.add(field);
            if (open.length > 0) differing.mayBe += weight;
            if (gold !== null && predicted !== null && !passesGate(open, gold, predicted)) differing.are += weight;
          }
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
      },
      finish() {
        const share = all.hits === 0 ? 0 : lost.hits / all.hits;
        if (share < NOTE_SHARE) return [];
        const { mayBe, are } = differing;
        const isWarning =
          byRules + mayBe >= WARNING_SHARE * all.hits || (mayBe >= LAX.fewest && mayBe >= LAX.share * all.hits);
        const names = [...makers.keys()].sort(compareText);
        const rules = names.filter((name) => makers.get(name) === 'judge');
        const ways = names.filter((name) => makers.get(name) === 'accept');
        const by = [
          ...(rules.length === 0 ? [] : [`the ${rules.length === 1 ? 'rule' : 'rules'} ${listed(rules)}`]),
          ...(ways.length === 0 ? [] : [`${listed(ways)} of pair.accept`]),
        ];
        const first = firsts.size === 0 ? null : `the first way to pair (${listed([...firsts].sort(compareText))})`;
        const asScored = plainScore(all).f1 ?? 0;
        const without = plainScore({
          hits: all.hits - lost.hits,
          worth: all.worth - lost.worth,
          missed: all.missed + lost.gold,
          spurious: all.spurious + lost.hits,
        });
        const others =
          are === 0
            ? ''
            : ` ${count(are)} of them ${are === 1 ? 'has' : 'have'} another ${[...gates].sort(compareText).join(' or ')} than gold.`;
        return [
          {
            severity: isWarning ? 'warning' : 'note',
            title: `${count(lost.hits)} of ${counted(all.hits, 'hit')} (${percent(lost.hits, all.hits)}) ${lost.hits === 1 ? 'was' : 'were'} made by ${by.join(' and by ')}, not by ${first ?? 'pairing'}`,
            why: `These predictions match no gold item by ${first ?? "the recipe's own pairing"}.${others} Counted plainly, F1 is ${figure(asScored)} with them as hits and would be ${figure(without.f1 ?? 0)} with them as spurious.`,
            todo: `Look at the items below. If they are right, say in the report that ${ways.length === 0 ? 'the rule' : 'the recipe'} credits them; if not, switch ${ways.length === 0 ? 'the rule off in the recipe (judge)' : rules.length === 0 ? 'that way off in the recipe (pair.accept)' : 'them off in the recipe (judge, pair.accept)'}.`,
            subjects: names,
            ...evidence.of(names),
          },
        ];
      },
    };
  },
};

/** null: the first way to pair, or the only one. */
function makerOf(rule: string, part: PairPart | undefined): Maker | null {
  const at = part?.accept.findIndex(({ name }) => name === rule) ?? -1;
  if (at < 0) return rule === 'pair' ? null : 'judge';
  return at === 0 ? null : 'accept';
}

/** What must be equal by the first way to pair and need not by this one. */
function gateLeftOpen(rule: string, { accept }: PairPart): string[] {
  const gate = accept.find(({ name }) => name === rule)?.gate ?? [];
  return (accept[0]?.gate ?? []).filter((field) => !gate.includes(field));
}
