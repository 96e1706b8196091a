const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Reads the confidence of a prediction: a finite number, also as text, as every column of a CSV file is. null for anything else.
 *
 * @example confidenceOf('0.9') === 0.9; confidenceOf('NaN') === null; confidenceOf('high') === null
 */
export function confidenceOf(value: unknown): number | null {
  const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
