import type { Verdict } from '../../judge/verdict.ts';
import { thresholdFor } from '../../pair/criterion.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { AuditMaterial, Check, NewFinding } from '../check.ts';
import { Evidence } from '../evidence.ts';
import { halfWidth, overallValues } from '../overall-values.ts';
import { type PlainCounts, plainScore } from '../plain-score.ts';
import { type PairPart, pairParts } from '../recipe-parts.ts';
import { counted, figure } from '../../text/figures.ts';

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

/** Where many pairs lie close to the threshold, another choice that is just as good gives another score. */
export const thresholdCliff: Check = {
  name: 'threshold-cliff',
  about: 'a threshold so close to many pairs that a small step of it moves the score',
  open({ recipe }) {
    const measures = isRecord(recipe['measure']) ? recipe['measure'] : {};
    const parts = pairParts(recipe);
    const kinds = parts.filter(isMovable).map((part) => new NearThreshold(part, parts.length > 1));
    return {
      add({ id, verdicts }) {
        for (const kind of kinds) kind.add(id, verdicts);
      },
      finish: (material) => kinds.flatMap((kind) => kind.findings(material, measures)),
    };
  },
};

/** One criterion alone: with several, a pair that one gives up another may take. */
function isMovable({ unit, accept }: PairPart): boolean {
  const [only, ...more] = accept;
  return unit === 'item' && only !== undefined && more.length === 0 && !['exact', 'relation'].includes(only.similarity);
}

class NearThreshold {
  readonly #part: PairPart;
  readonly #path: string;
  readonly #counts = { hits: 0, worth: 0, missed: 0, spurious: 0 };
  readonly #over = { n: 0, worth: 0, evidence: new Evidence() };
  readonly #under = { n: 0, worth: 0, evidence: new Evidence() };

  constructor(part: PairPart, several: boolean) {
    this.#part = part;
    this.#path = several ? `pair.${part.kind}.threshold` : 'pair.threshold';
  }

  add(id: string, verdicts: readonly Verdict[]): void {
    const { kind, accept } = this.#part;
    const criterion = accept[0]!;
    const free = new Map<number, Verdict>();
    for (const one of verdicts)
      if (one.kind === kind && one.verdict === 'spurious') free.set(one.predicted?.index ?? -1, one);
    for (const one of verdicts) {
      if (one.kind !== kind || one.verdict === 'excused') continue;
      const threshold = thresholdFor(criterion.threshold, one.gold?.label ?? one.label);
      if (one.verdict === 'hit') {
        this.#counts.hits += one.weight;
        this.#counts.worth += one.weight * one.credit;
        if (one.rule !== criterion.name || one.similarity === null || one.similarity > threshold + STEP - HAIR)
          continue;
        this.#over.n += one.weight;
        this.#over.worth += one.weight * one.credit;
        this.#over.evidence.addItem(evidenceOf(id, one, one.similarity, `a hit at ${threshold}`));
      } else {
        this.#counts[one.verdict] += one.weight;
        const near = one.verdict === 'missed' ? one.rejected : null;
        // Only what the threshold refused, and what nothing else took.
        if (near === null || !near.why.startsWith('similarity ') || near.similarity < threshold - STEP - HAIR) continue;
        if (!free.delete(near.item.index)) continue;
        this.#under.n += one.weight;
        this.#under.evidence.addItem(evidenceOf(id, one, near.similarity, `missed at ${threshold}`));
      }
    }
  }

  findings({ run }: AuditMaterial, measures: Readonly<Record<string, unknown>>): NewFinding[] {
    const { kind, accept } = this.#part;
    const now = plainScore(this.#counts).f1;
    if (now === null) return [];
    const higher = f1Of(this.#counts, -this.#over.n, -this.#over.worth);
    const lower = f1Of(this.#counts, this.#under.n, this.#under.n);
    const [move, to, side] =
      now - higher >= lower - now
        ? ([now - higher, higher, this.#over] as const)
        : ([lower - now, lower, this.#under] as const);
    if (side.n < FEWEST || move < NOTE_MOVE) return [];
    const value = overallValues(run).find(({ name }) => isF1Of(measures[name], kind));
    const unsure = (value === undefined ? null : halfWidth(value)) ?? 0;
    const step = side === this.#over ? `${STEP} higher` : `${STEP} lower`;
    return [
      {
        severity: move >= WARNING_MOVE && move > unsure ? 'warning' : 'note',
        title: `F1 of ${kind} items goes from ${figure(now)} to about ${figure(to)} if the threshold is ${step}: ${counted(side.n, 'pair lies', 'pairs lie')} that close to it`,
        why: `Nobody could say why ${accept[0]!.similarity} must reach just this threshold and not one that is ${step}, and the choice moves the score by about ${figure(move)}${unsure > 0 ? `, while the interval says ± ${figure(unsure)}` : ''}.`,
        todo: `Nothing was paired anew for this, so it is an estimate: assay sweep RECIPE --over ${this.#path}=${this.#values(side === this.#over)} gives the exact scores. Look at the pairs below and decide which are right; quote the score at more than one threshold.`,
        subjects: [this.#path],
        cases: side.evidence.cases,
        items: side.evidence.items,
      },
    ];
  }

  /** Now and a step away; where labels have thresholds of their own, the whole range for all of them. */
  #values(higher: boolean): string {
    const threshold = this.#part.accept[0]!.threshold;
    if (typeof threshold !== 'number') return '0.1..0.9';
    const moved = Number((threshold + (higher ? STEP : -STEP)).toFixed(6));
    return [threshold, moved].sort((a, b) => a - b).join(',');
  }
}

/** Pairs that come or go are a hit more or less, and a missed and a spurious item less or more. */
function f1Of(counts: PlainCounts, pairs: number, worth: number): number {
  const moved = {
    hits: counts.hits + pairs,
    worth: counts.worth + worth,
    missed: counts.missed - pairs,
    spurious: counts.spurious - pairs,
  };
  return plainScore(moved).f1 ?? 0;
}

function isF1Of(form: unknown, kind: string): boolean {
  return isRecord(form) && form['of'] === 'f1' && (form['kind'] === kind || (form['kind'] ?? null) === null);
}

function evidenceOf(id: string, { gold, label, predicted, rejected }: Verdict, similarity: number, what: string) {
  const other = predicted?.text ?? rejected?.item.text ?? '';
  return {
    case: id,
    side: 'gold' as const,
    label,
    text: gold?.text ?? '',
    note: `similarity ${figure(similarity)}, ${what}: ${JSON.stringify(other.slice(0, 80))}`,
  };
}
