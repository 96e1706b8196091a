import type { Block } from './frame.ts';
import { legendBlock, signEntry } from './legend.ts';
import type { TimelineVariant } from './timeline-data.ts';
import {
  DECISION_SIGNS,
  decisionSign,
  FAILED_SUMMARY_SIGN,
  FLUSH_SIGNS,
  flushSign,
  type Sign,
  SUMMARY_SIGN,
} from './timeline-marks.ts';

/** The signs that occur, row by row. */
export function timelineLegend(variants: readonly TimelineVariant[]): Block[] {
  const flushes = variants.flatMap((variant) => variant.flushes.map(({ reason }) => flushSign(reason)));
  const decisions = variants.flatMap((variant) => variant.decisions.map(({ outcome }) => decisionSign(outcome)));
  const summaries = variants.flatMap((variant) =>
    variant.summaries.map(({ schemaOk }) => (schemaOk ? SUMMARY_SIGN : FAILED_SUMMARY_SIGN)),
  );
  return [
    ...rowLegend('flush:', FLUSH_SIGNS, flushes),
    ...rowLegend('decision:', DECISION_SIGNS, decisions),
    ...rowLegend('summary:', [SUMMARY_SIGN, FAILED_SUMMARY_SIGN], summaries),
  ];
}

function rowLegend(lead: string, order: readonly Sign[], signs: readonly Sign[]): Block[] {
  const found = new Set(signs);
  const kinds = order.filter((sign) => found.has(sign));
  if (kinds.length === 0) return [];
  return [
    legendBlock(
      kinds.map((sign) => signEntry(sign.name, sign.shape, sign, sign.radius)),
      lead,
    ),
  ];
}
