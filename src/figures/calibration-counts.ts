import type { ItemKind } from '../data/item.ts';
import { isRecord } from '../data/record-fields.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Plan } from '../recipe/plan.ts';
import { ConfidenceCounts } from './confidence-counts.ts';
import type { Calibration } from './run-figures.ts';

/** Where systems say how sure they are. */
const USUAL_FIELDS = ['confidence', 'score', 'probability'] as const;
const RULE = 'min-confidence';

interface KindCounts {
  readonly fields: ReadonlyMap<string, ConfidenceCounts>;
  gold: number;
}

/**
 * Sorts predictions by the confidence that the system itself gives them, for each kind of item. A prediction is right
 * when it is a hit. Where the recipe names a field, that one counts; else the one of the usual fields that most have.
 */
export class CalibrationCounts {
  readonly #kinds: ReadonlyMap<ItemKind, KindCounts>;

  constructor(kinds: Iterable<ItemKind>, fields: readonly string[]) {
    this.#kinds = new Map(
      Array.from(kinds, (kind) => [
        kind,
        { fields: new Map(fields.map((field) => [field, new ConfidenceCounts()])), gold: 0 },
      ]),
    );
  }

  add(verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) {
      const own = verdict.verdict === 'excused' ? undefined : this.#kinds.get(verdict.kind);
      if (own === undefined) continue;
      if (verdict.verdict !== 'spurious') own.gold += verdict.weight;
      if (verdict.verdict === 'missed') continue;
      for (const [field, counts] of own.fields) {
        const given = verdict.predicted?.fields;
        counts.add(verdict, given !== undefined && Object.hasOwn(given, field) ? given[field] : undefined);
      }
    }
  }

  /** Kinds of which at least one prediction gives a confidence. */
  list(): Calibration[] {
    return [...this.#kinds].flatMap(([kind, { fields, gold }]) => {
      const [field, counts] = [...fields].reduce((best, one) => (one[1].n > best[1].n ? one : best));
      if (counts.n === 0) return [];
      const bins = counts.bins();
      return {
        kind,
        field,
        n: counts.n,
        leftOut: reasons(field, counts),
        bins,
        error: bins.reduce(
          (sum, { n, precision, confidence }) => sum + (n / counts.n) * Math.abs((precision ?? 0) - (confidence ?? 0)),
          0,
        ),
        curve: counts.curve(gold),
      };
    });
  }
}

function reasons(field: string, { leftOut }: ConfidenceCounts): Record<string, number> {
  return {
    ...(leftOut.missing > 0 ? { [`no number in ${field}`]: leftOut.missing } : {}),
    ...(leftOut.outside > 0 ? { [`${field} below 0 or above 1`]: leftOut.outside } : {}),
  };
}

/** The fields that may hold a confidence: the recipe's own where it drops what is unsure, else the usual ones. */
export function confidenceFields({ resolved }: Pick<Plan, 'resolved'>): readonly string[] {
  const { prepare } = resolved;
  for (const [name, params] of Object.entries(isRecord(prepare) ? prepare : {})) {
    if (!isRecord(params) || (params['rule'] ?? name) !== RULE) continue;
    const { field } = params;
    if (typeof field === 'string') return [field];
  }
  return USUAL_FIELDS;
}
