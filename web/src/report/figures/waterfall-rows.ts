import type { KindCounts, Moves, Waterfall, WaterfallStep } from '../../../../src/compare/waterfall/waterfall.ts';

/** One recipe of a waterfall with what it is compared to. */
export interface WaterfallRow {
  readonly step: WaterfallStep;
  /** Of the kind asked for; null where the recipe has none of it here. */
  readonly counts: KindCounts | null;
  /** What it is compared to: the step before or, of a rule taken away, the whole recipe; null for the start. */
  readonly before: WaterfallRow | null;
}

/** From strict matching to the score, each beside the one before. */
export function stepRows({ steps }: Pick<Waterfall, 'steps'>, kind: string): WaterfallRow[] {
  const rows: WaterfallRow[] = [];
  for (const step of steps) rows.push({ step, counts: countsOf(step, kind), before: rows.at(-1) ?? null });
  return rows;
}

/** The whole recipe less one rule, each beside the whole recipe. */
export function withoutRows(waterfall: Pick<Waterfall, 'steps' | 'without'>, kind: string): WaterfallRow[] {
  const whole = waterfall.steps.at(-1);
  const before = whole === undefined ? null : { step: whole, counts: countsOf(whole, kind), before: null };
  return waterfall.without.map((step) => ({ step, counts: countsOf(step, kind), before }));
}

/** The kinds of items that the steps count, in their order. */
export function kindsOf({ steps }: Pick<Waterfall, 'steps'>): string[] {
  return [...new Set(steps.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)))];
}

/** Precision, recall and F1 of a kind in every step: the numbers of one table. */
export function kindValues(steps: readonly WaterfallStep[], kind: string): (number | null)[] {
  return steps.flatMap((step) => {
    const own = countsOf(step, kind);
    return own === null ? [] : [own.precision, own.recall, own.f1];
  });
}

/** What a step did, by what the items were and became: `6 predictions: spurious → hit`. */
export function moveWords({ by }: Pick<Moves, 'by'>): string[] {
  return by.map(({ side, from, to, n }) => {
    const items = side === 'gold' ? (n === 1 ? 'gold item' : 'gold items') : n === 1 ? 'prediction' : 'predictions';
    return `${n} ${items}: ${from ?? 'not there'} → ${to ?? 'no more there'}`;
  });
}

function countsOf({ kinds }: WaterfallStep, kind: string): KindCounts | null {
  return kinds.find((one) => one.kind === kind) ?? null;
}
