/** The lowest and the highest value that a drawing has room for. */
export type Axis = readonly [low: number, high: number];

/** The position of a value as a share of the axis; a value outside the axis is put at its end and marked `beyond`. */
export function along(value: number, [low, high]: Axis): { readonly share: number; readonly beyond: boolean } {
  const share = (value - low) / (high - low);
  return { share: Math.min(1, Math.max(0, share)), beyond: share < -1e-9 || share > 1 + 1e-9 };
}
