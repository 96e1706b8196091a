import { PAIRED_KINDS } from '../../data/item.ts';
import { passesGate } from '../../pair/criterion.ts';
import { compareText } from '../../text/compare.ts';
import { count, plural, figure, percent, levelText } from '../../text/figures.ts';
import type { AuditCheck, NewFinding } from '../check.ts';
import { divisible, formatList, SubjectEvidence } from '../evidence.ts';
import {
  excusedHitScores,
  excusedHitsSentence,
  excusingRules,
  type ExcusableRow,
  labelsOfExcusedHits,
} from '../excused-hits.ts';
import { type PairPart, pairParts, namedRules } from '../recipe-parts.ts';
import { isPaired, plainCounts, plainScore, type VerdictRow, weightOf } from '../totals.ts';

/** From here on the hits show in the second decimal of precision and recall, which is what people quote. */
const ERROR_SHARE = 0.01;

export const excusedHits: AuditCheck = {
  name: 'excused-hits',
  about: 'hits that count on labels whose misses are excused',
  severity: `Error: ${levelText(ERROR_SHARE)} of the hits; otherwise a note`,
  open({ recipe, totals, keep }) {
    const evidence = keep(new SubjectEvidence());
    return {
      kinds: PAIRED_KINDS,
      // Without such a rule nothing will be found, and there is no need of examples.
      outcomes: excusingRules(recipe).labels.size === 0 ? [] : ['hit'],
      verdict({ label, gold, predicted, because }, { case: id }) {
        const side = gold === null ? 'predicted' : 'gold';
        const text = (gold ?? predicted)?.text ?? '';
        evidence.add(label, id, () => ({ case: id, side, label, text, note: because }));
      },
      find() {
        const rows = totals
          .rows(({ kind }) => isPaired(kind))
          .map((row) => ({
            ...row,
            isExcusedMiss: row.verdict === 'excused' && row.gold !== null && !row.setAside,
          }));
        const labels = labelsOfExcusedHits(rows, recipe).map((subject) => ({ subject }));
        return divisible(labels, (some) => finding(new Set(some.map(({ subject }) => subject)), rows, evidence));
      },
    };
  },
};

function finding(labels: ReadonlySet<string>, rows: readonly ExcusableRow[], evidence: SubjectEvidence): NewFinding {
  const scores = excusedHitScores(rows, labels);
  const { hits, allHits, excused } = scores;
  const [asScored, without, withMisses] = [said(scores.asScored), said(scores.without), said(scores.withMisses)];
  const recounted = `; with their ${plural(excused, 'excused miss', 'excused misses')} counted, recall would be ${withMisses.recall} and F1 ${withMisses.f1}.`;
  return {
    severity: hits / allHits >= ERROR_SHARE ? 'error' : 'note',
    title: excusedHitsSentence(scores, [...labels]),
    why:
      `On these labels a find raises the score and a miss costs nothing, so the score can only go up. Counted plainly over all items, ` +
      `precision is ${asScored.precision}, recall ${asScored.recall} and F1 ${asScored.f1}. Without these labels, ` +
      `precision would be ${without.precision}, recall ${without.recall} and F1 ${without.f1}${excused === 0 ? '.' : recounted}`,
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

export const excusedFalsePositives: AuditCheck = {
  name: 'excused-false-positives',
  about: 'spurious predictions that rules excuse',
  severity: `Warning: ${levelText(WARNING.share)} of the predictions (${WARNING.fewest}+), or ${levelText(ONE_SIDED_SHARE)} (${WARNING.fewest}+) on labels whose hits count; note: ${levelText(NOTE_SHARE)}`,
  scoredOnly: true,
  open({ recipe, totals, keep }) {
    const byLabel = new Set(namedRules(recipe, 'judge', 'excuse-spurious').map(({ name }) => name));
    const evidence = keep(new SubjectEvidence());
    return {
      outcomes: ['excused'],
      verdict(own, { case: id }) {
        if (own.predicted === null || !isExcused(own)) return;
        const { label, text } = own.predicted;
        evidence.add(own.rule, id, () => ({ case: id, side: 'predicted', label, text, note: own.because }));
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
        const whose = loose === 1 ? 'has a label' : 'have labels';
        const onHits = ` ${count(loose)} of them ${whose} on which hits count (${formatList(names)}): there a find raises precision and a false alarm costs nothing.`;
        return {
          severity: isOneSided || (n >= WARNING.fewest && n >= WARNING.share * all) ? 'warning' : 'note',
          title: `${count(n)} of ${plural(all, 'prediction')} (${percent(n, all)}) ${n === 1 ? 'is' : 'are'} excused by the ${theRule} ${formatList(rules)}: counted plainly, precision ${asScored === null ? 'has no value' : `is ${figure(asScored)}`} and would be ${figure(counting ?? 0)} with them as spurious`,
          why: `They match nothing and are in no count, so they cannot lower precision.${loose === 0 ? '' : onHits}`,
          todo: `Look at the items below. If they are false alarms, switch ${thoseRules} off in the recipe (judge)${loose === 0 ? '' : ', or take the labels out on both sides (prepare: drop)'}; if not, quote both figures.`,
          subjects: rules,
          evidence: evidence.of(rules),
        };
      },
    };
  },
};

/** By a rule of `judge`. A prediction that covered gold together with others was of use; `dropped-data` reports what was set aside. */
function isExcused({ kind, verdict, setAside, rule }: Pick<VerdictRow, 'kind' | 'verdict' | 'setAside' | 'rule'>) {
  return isPaired(kind) && verdict === 'excused' && !setAside && rule !== 'inside';
}

/** With a fifth of the hits made by rules, the score reflects the rules as much as the system. */
const WARNING_SHARE = 0.2;
/** A way that does not ask for the label, beside one that does, makes the label mean nothing: half as many are as bad. */
const LAX = { share: 0.1, fewest: 5 };

export const ruleMadeHits: AuditCheck = {
  name: 'rule-made-hits',
  about: 'hits made by rules or lenient ways to pair, not by the first way to pair',
  severity: `Warning: ${levelText(WARNING_SHARE)} of the hits, or ${levelText(LAX.share)} (${LAX.fewest}+) by a way that ignores the label; note: ${levelText(NOTE_SHARE)}`,
  open({ recipe, totals, keep }) {
    const parts = new Map<string, PairPart>(pairParts(recipe).map((part) => [part.kind, part]));
    /** Most hits are of the first way to pair. */
    const firstWays = new Map([...parts].map(([kind, { accept }]) => [kind, accept[0]?.name]));
    const makerOf = ({ kind, rule }: { kind: string; rule: string }) => maker(rule, parts.get(kind));
    const evidence = keep(new SubjectEvidence());
    /** Hits of ways that let differ what must be equal by the first, where it does differ. */
    const seen = keep({ differing: 0 });
    return {
      // They have one way to be paired.
      spans: null,
      kinds: PAIRED_KINDS,
      outcomes: ['hit'],
      verdict(own, { case: id }) {
        const { kind, rule, weight, label, gold, predicted, because } = own;
        if (rule === firstWays.get(kind)) return;
        const by = makerOf(own);
        if (by === null) return;
        if (gold !== null && predicted !== null && !passesGate(by.open, gold, predicted)) seen.differing += weight;
        const note = `the hit counts as ${label}${because === null ? '' : `: ${because}`}`;
        const given = predicted?.was ?? predicted?.label ?? label;
        const text = (predicted ?? gold)?.text ?? '';
        evidence.add(rule, id, () => ({ case: id, side: 'predicted', label: given, text, note }));
      },
      find() {
        const rows = totals.rows(({ kind }) => isPaired(kind));
        const { differing } = seen;
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
          ...(rules.length === 0 ? [] : [`the ${rules.length === 1 ? 'rule' : 'rules'} ${formatList(rules)}`]),
          ...(ways.length === 0 ? [] : [`${formatList(ways)} of pair.accept`]),
        ];
        const firsts = unique(made.flatMap(({ first }) => first ?? []));
        const first = firsts.length === 0 ? null : `the first way to pair (${formatList(firsts)})`;
        const gates = unique(made.flatMap(({ open }) => open)).join(' or ');
        const others = `${count(differing)} of them ${differing === 1 ? 'has' : 'have'} another ${gates} than gold.`;
        const asMissed = weigh(made.filter(({ row }) => row.gold !== null));
        const without = plainScore({
          hits: all.hits - lost.hits,
          worth: all.worth - lost.worth,
          missed: all.missed + asMissed,
          spurious: all.spurious + lost.hits,
        });
        const off = rules.length === 0 ? 'pair.accept' : ways.length === 0 ? 'judge' : 'judge, pair.accept';
        return {
          severity: isWarning ? 'warning' : 'note',
          title: `${count(lost.hits)} of ${plural(all.hits, 'hit')} (${percent(lost.hits, all.hits)}) ${lost.hits === 1 ? 'was' : 'were'} made by ${by.join(' and by ')}, not by ${first ?? 'pairing'}`,
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
function maker(rule: string, part?: PairPart): { first: string | null; open: readonly string[] } | null {
  const at = part?.accept.findIndex(({ name }) => name === rule) ?? -1;
  if (part === undefined || at < 0) return rule === 'pair' ? null : { first: null, open: [] };
  const [first, own] = [part.accept[0]!, part.accept[at]!];
  return at === 0 ? null : { first: first.name, open: first.gate.filter((field) => !own.gate.includes(field)) };
}
