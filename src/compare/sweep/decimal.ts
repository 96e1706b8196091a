/** A decimal number without rounding: `units` of 10^−`places`. */
export interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

const WRITTEN = /^([+-]?)(\d{1,15})(?:\.(\d{1,15}))?(?:[eE]([+-]?\d{1,2}))?$/;
const MOST_PLACES = 15;

/**
 * @example decimalOf('0.25') // { units: 25n, places: 2 }
 * @example decimalOf('1e-3') // { units: 1n, places: 3 }
 */
export function decimalOf(text: string): Decimal | null {
  const found = WRITTEN.exec(text.trim());
  if (found === null) return null;
  const [, sign, whole = '', part = '', exponent = '0'] = found;
  const places = part.length - Number(exponent);
  if (Math.abs(places) > MOST_PLACES) return null;
  const digits = BigInt(`${whole}${part}`) * (places < 0 ? 10n ** BigInt(-places) : 1n);
  return { units: sign === '-' ? -digits : digits, places: Math.max(0, places) };
}

/** The same number in finer units. */
export function inPlaces({ units, places }: Decimal, finer: number): bigint {
  return units * 10n ** BigInt(finer - places);
}

/**
 * As a person writes it, without zeros at the end.
 *
 * @example decimalText(30n, 2) // '0.3'
 */
export function decimalText(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const part = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`;
}
