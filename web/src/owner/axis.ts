/** The axis of every drawing of agreement: a little below what chance gives, up to perfect. */
export const AXIS_LOW = -0.2;
export const AXIS_HIGH = 1;

/** The position of a value as a share of the width; a value outside the axis is put at its end and marked `beyond`. */
export function along(value: number): { readonly share: number; readonly beyond: boolean } {
  const share = (value - AXIS_LOW) / (AXIS_HIGH - AXIS_LOW);
  return { share: Math.min(1, Math.max(0, share)), beyond: share < -1e-9 || share > 1 + 1e-9 };
}
