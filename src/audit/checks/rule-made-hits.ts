import { passesGate } from '../../pair/criterion.ts';
import { compareText } from '../../text/compare.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import type { Check } from '../check.ts';
import { listed, SubjectEvidence } from '../evidence.ts';
import { type PairPart, pairParts } from '../recipe-parts.ts';
import { isPaired, plainCounts, plainScore, weightOf } from '../totals.ts';

/** Less than this is within what a score says anyway. */
const NOTE_SHARE = 0.05;
/** With a fifth of the hits made by rules, the score says as much of the rules as of the system. */
const WARNING_SHARE = 0.2;
/** A way that does not ask for the label, beside one that does, makes the label mean nothing: half as many are as bad. */
const LAX = { share: 0.1, fewest: 5 };

export const ruleMadeHits: Check = {
  name: 'rule-made-hits',
  about: 'the share of hits that rules made, or lenient ways to pair, and the first way to pair would not',
  open({ recipe, totals }) {
    const parts = new Map<string, PairPart>(pairParts(recipe).map((part) => [part.kind, part]));
    const makerOf = ({ kind, rule }: { kind: string; rule: string }) => maker(rule, parts.get(kind));
    const evidence = new SubjectEvidence();
    /** Hits of ways that let differ what must be equal by the first, where it does differ. */
    let differing = 0;
    return {
      verdict(own, { case: id }) {
        const { kind, rule, weight, label, gold, predicted, because } = own;
        if (own.verdict !== 'hit' || !isPaired(kind)) return;
        const by = makerOf(own);
        if (by === null) return;
        if (gold !== null && predicted !== null && !passesGate(by.open, gold, predicted)) differing += weight;
        const as = `the hit counts as ${label}`;
        evidence.add(rule, {
          case: id,
          side: 'predicted',
          label: predicted?.was ?? predicted?.label ?? label,
          text: (predicted ?? gold)?.text ?? '',
          note: because === null ? as : `${as}: ${because}`,
        });
      },
      find() {
        const rows = totals.rows(({ kind }) => isPaired(kind));
        const all = plainCounts(rows);
        const made = rows.flatMap((row) => {
          const by = row.verdict === 'hit' ? makerOf(row) : null;
          return by === null ? [] : [{ row, ...by }];
        });
        const weigh = (some: typeof made): number => weightOf(some.map(({ row }) => row));
        const lost = plainCounts(made.map(({ row }) => row));
        if (all.hits === 0 || lost.hits / all.hits < NOTE_SHARE) return null;
        const lax = weigh(made.filter(({ open }) => open.length > 0));
        const byRules = weigh(made.filter(({ first }) => first === null));
        const isWarning =
          byRules + lax >= WARNING_SHARE * all.hits || (lax >= LAX.fewest && lax >= LAX.share * all.hits);
        const unique = (names: readonly string[]): string[] => [...new Set(names)].sort(compareText);
        const names = unique(made.map(({ row }) => row.rule));
        const ways = names.filter((name) => made.some(({ row, first }) => row.rule === name && first !== null));
        const rules = names.filter((name) => !ways.includes(name));
        const by = [
          ...(rules.length === 0 ? [] : [`the ${rules.length === 1 ? 'rule' : 'rules'} ${listed(rules)}`]),
          ...(ways.length === 0 ? [] : [`${listed(ways)} of pair.accept`]),
        ];
        const firsts = unique(made.flatMap(({ first }) => first ?? []));
        const first = firsts.length === 0 ? null : `the first way to pair (${listed(firsts)})`;
        const gates = unique(made.flatMap(({ open }) => open)).join(' or ');
        const others = `${count(differing)} of them ${differing === 1 ? 'has' : 'have'} another ${gates} than gold.`;
        const asMissed = weigh(made.filter(({ row }) => row.gold !== null));
        const without = plainScore({
          hits: all.hits - lost.hits,
          worth: all.worth - lost.worth,
          missed: all.missed + asMissed,
          spurious: all.spurious + lost.hits,
        });
        const off = [...(rules.length === 0 ? [] : ['judge']), ...(ways.length === 0 ? [] : ['pair.accept'])].join(
          ', ',
        );
        return {
          severity: isWarning ? 'warning' : 'note',
          title: `${count(lost.hits)} of ${counted(all.hits, 'hit')} (${percent(lost.hits, all.hits)}) ${lost.hits === 1 ? 'was' : 'were'} made by ${by.join(' and by ')}, not by ${first ?? 'pairing'}`,
          why: `These predictions match no gold item by ${first ?? "the recipe's own pairing"}.${differing === 0 ? '' : ` ${others}`} Counted plainly, F1 is ${figure(plainScore(all).f1 ?? 0)} with them as hits and would be ${figure(without.f1 ?? 0)} with them as spurious.`,
          todo: `Look at the items below. If they are right, say in the report that ${ways.length === 0 ? 'the rule' : 'the recipe'} credits them; if not, switch ${ways.length === 0 ? 'the rule' : rules.length === 0 ? 'that way' : 'them'} off in the recipe (${off}).`,
          subjects: names,
          evidence: evidence.of(names),
        };
      },
    };
  },
};

/**
 * What made a hit: a rule of `judge` (`first` is null), or another way of `pair.accept` than the first, with what must be
 * equal by the first and need not by this one. null: the first way to pair, or the only one.
 */
function maker(
  rule: string,
  part: PairPart | undefined,
): { readonly first: string | null; readonly open: readonly string[] } | null {
  const at = part?.accept.findIndex(({ name }) => name === rule) ?? -1;
  if (part === undefined || at < 0) return rule === 'pair' ? null : { first: null, open: [] };
  const [first, own] = [part.accept[0]!, part.accept[at]!];
  return at === 0 ? null : { first: first.name, open: first.gate.filter((field) => !own.gate.includes(field)) };
}
