import { ExactSum } from '../../data/fold-state.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { thresholdFor } from '../../pair/criterion.ts';
import { plural, figure } from '../../text/figures.ts';
import type { AuditCheck, OpenCheck, OpenContext } from '../check.ts';
import { Evidence } from '../evidence.ts';
import type { FindingItem } from '../finding.ts';
import { type PairPart, pairParts, recordAt } from '../recipe-parts.ts';
import { halfWidth, overallValues, plainCounts, plainScore } from '../totals.ts';

/** How far the threshold is moved: the step in which people choose thresholds. */
const STEP = 0.05;
/** F1 that moves by this much with one step is worth knowing. */
const NOTE_MOVE = 0.03;
/** And by this much, and more than its own uncertainty, the choice of the threshold makes the score. */
const WARNING_MOVE = 0.05;
/** Fewer pairs than this near the threshold are chance. */
const FEWEST = 3;
/** Similarities are fractions: 0.55 − 0.05 is not 0.5 to the last bit. */
const HAIR = 1e-9;

export const thresholdSensitivity: AuditCheck = {
  name: 'threshold-sensitivity',
  about: 'a threshold so close to many pairs that a small step of it moves the score',
  severity: `Warning: a step of ${STEP} moves F1 by ${WARNING_MOVE} and more than half of the interval; note: by ${NOTE_MOVE} (${FEWEST}+ pairs)`,
  open(context) {
    const parts = pairParts(context.recipe);
    const path = ({ kind }: PairPart): string => (parts.length > 1 ? `pair.${kind}.threshold` : 'pair.threshold');
    return parts.filter(isMovable).map((part) => nearThreshold(part, path(part), context));
  },
};

/** One criterion alone: with several, a pair that one gives up another may take. */
function isMovable({ unit, accept }: PairPart): boolean {
  const [only, ...more] = accept;
  return unit === 'item' && only !== undefined && more.length === 0 && !['exact', 'relation'].includes(only.similarity);
}

function nearThreshold({ kind, accept }: PairPart, path: string, { recipe, totals, keep }: OpenContext): OpenCheck {
  const { name, similarity, threshold } = accept[0]!;
  const over = keep({ n: 0, worth: new ExactSum(), evidence: new Evidence() });
  const under = keep({ n: 0, worth: new ExactSum(), evidence: new Evidence() });
  const open: OpenCheck = {
    // Of plain spans most cases have no pair that near.
    spans: (given) =>
      kind === 'span' && given.hasPairAround(Number(threshold), STEP + HAIR) && open.case?.(given.whole),
    case({ verdicts }) {
      const own = verdicts.filter((one) => one.kind === kind);
      const spurious = own.filter(({ verdict }) => verdict === 'spurious');
      const free = new Set(spurious.map(({ predicted }) => predicted?.index ?? -1));
      for (const one of own) {
        const at = thresholdFor(threshold, one.gold?.label ?? one.label);
        if (one.verdict === 'hit') {
          // Above 1 there is no threshold to choose.
          if (at + STEP > 1 + HAIR || one.rule !== name) continue;
          if (one.similarity === null || one.similarity > at + STEP - HAIR) continue;
          over.n += one.weight;
          over.worth.add(one.weight * one.credit);
          over.evidence.addItem(evidenceOf(one, one.similarity, `a hit at ${at}`));
        } else if (one.verdict === 'missed' && one.rejected !== null) {
          const near = one.rejected;
          // Only what the threshold refused, and what nothing else took.
          if (!near.why.startsWith('similarity ') || near.similarity < at - STEP - HAIR) continue;
          if (!free.delete(near.item.index)) continue;
          under.n += one.weight;
          under.worth.add(one.weight);
          under.evidence.addItem(evidenceOf(one, near.similarity, `missed at ${at}`));
        }
      }
    },
    find({ run }) {
      const counts = plainCounts(totals.rows((row) => row.kind === kind));
      const now = plainScore(counts).f1;
      if (now === null) return null;
      // Pairs that come or go are a hit more or less, and a missed and a spurious item less or more.
      const f1With = (sign: 1 | -1, { n, worth }: typeof over): number =>
        plainScore({
          hits: counts.hits + sign * n,
          worth: counts.worth + sign * worth.value,
          missed: counts.missed - sign * n,
          spurious: counts.spurious - sign * n,
        }).f1 ?? 0;
      const [higher, lower] = [f1With(-1, over), f1With(1, under)];
      const isHigher = now - higher >= lower - now;
      const [move, to, { n, evidence }] = isHigher ? [now - higher, higher, over] : [lower - now, lower, under];
      if (n < FEWEST || move < NOTE_MOVE) return null;
      const forms = recordAt(recipe, 'measure');
      const value = overallValues(run).find((one) => isF1Of(forms[one.name], kind));
      const unsure = halfWidth(value) ?? 0;
      const step = `${STEP} ${isHigher ? 'higher' : 'lower'}`;
      return {
        severity: move >= WARNING_MOVE && move > unsure ? 'warning' : 'note',
        title: `F1 of ${kind} items goes from ${figure(now)} to about ${figure(to)} if the threshold is ${step}: ${plural(n, 'pair lies', 'pairs lie')} that close to it`,
        why: `Nobody could say why ${similarity} must reach just this threshold and not one that is ${step}, and the choice moves the score by about ${figure(move)}${unsure > 0 ? `, while the interval is ± ${figure(unsure)}` : ''}.`,
        todo: `Nothing was paired again for this, so it is an estimate: assay sweep RECIPE --over ${path}=${valuesOf(threshold, isHigher)} gives the exact scores. Look at the pairs below and decide which are right; quote the score at more than one threshold.`,
        subjects: [path],
        evidence,
      };
    },
  };
  return open;
}

/** Now and a step away; if labels have their own thresholds, the whole range for all of them. */
function valuesOf(threshold: PairPart['accept'][number]['threshold'], isHigher: boolean): string {
  if (typeof threshold !== 'number') return '0.1..0.9';
  const moved = Number((threshold + (isHigher ? STEP : -STEP)).toFixed(6));
  return [threshold, moved].sort((a, b) => a - b).join(',');
}

function isF1Of(form: unknown, kind: string): boolean {
  return isRecord(form) && form['of'] === 'f1' && (form['kind'] === kind || (form['kind'] ?? null) === null);
}

function evidenceOf(own: Verdict, similarity: number, what: string): FindingItem {
  const { case: id, gold, label, predicted, rejected } = own;
  const other = predicted?.text ?? rejected?.item.text ?? '';
  const note = `similarity ${figure(similarity)}, ${what}: ${JSON.stringify(other.slice(0, 80))}`;
  return { case: id, side: 'gold', label, text: gold?.text ?? '', note };
}
