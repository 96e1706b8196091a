import type { ScaleField } from '../../../src/recipe/review-section.ts';

/** The points of a scale from the lowest to the highest, each with what it means; '' where the form does not say. */
export function scalePoints({
  from,
  to,
  anchors,
}: Pick<ScaleField, 'from' | 'to' | 'anchors'>): readonly { readonly point: number; readonly anchor: string }[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
    const point = from + index;
    return { point, anchor: anchors[String(point)] ?? '' };
  });
}
