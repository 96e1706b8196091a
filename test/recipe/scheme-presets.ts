/** The schemes that pii/every-scheme gives in one pass, each with the preset and the settings that give it alone. */
export const SCHEME_PRESETS = [
  ['strict', 'pii/strict', []],
  ['exact', 'pii/exact', []],
  ['type', 'pii/type', []],
  ['partial', 'pii/partial', []],
  ['iou-0.3', 'pii/iou', ['pair.threshold=0.3']],
  ['iou-0.5', 'pii/iou', []],
  ['iou-0.7', 'pii/iou', ['pair.threshold=0.7']],
  ['character', 'pii/character', []],
  ['token', 'pii/token', []],
] as const;
