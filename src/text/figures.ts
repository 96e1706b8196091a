/**
 * A measure in three decimals; more only where three would claim a perfect or a zero score that it is not, fewer where it
 * is a time or a size of which they would say nothing.
 *
 * @example figure(0.73077) // '0.731'
 * @example figure(0.99984) // '0.9998'
 * @example figure(62177.875) // '62,178'
 */
export function figure(value: number): string {
  if (Math.abs(value) >= 100) return count(Math.round(value));
  if (Math.abs(value) >= 10) return value.toFixed(1);
  for (let digits = 3; digits <= 6; digits += 1) {
    const text = value.toFixed(digits);
    if (Number(text) === value || (Number(text) !== 0 && Number(text) !== 1)) return text;
  }
  return value < 0.5 ? '<0.000001' : value < 1 ? '>0.999999' : value.toFixed(6);
}

/** A number of things: 12345 as 12,345. Halves, from partial credit, keep their fraction. */
export function count(value: number): string {
  const [whole = '', rest] = String(Math.round(value * 1000) / 1000).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** A share in whole per cent that is 0 or 100 only when it is exactly that. */
export function percent(part: number, whole: number): string {
  const rounded = Math.round((100 * part) / whole);
  if (rounded === 0 && part > 0) return '<1 %';
  if (rounded === 100 && part < whole) return '>99 %';
  return `${rounded} %`;
}

/** "1 case", "5 cases". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/**
 * The level of an interval, with as many decimals as it has: 97.5 is not 98, and no level is 100.
 *
 * @example levelText(0.975) // '97.5 %'
 */
export function levelText(level: number): string {
  return `${Number((100 * level).toPrecision(12))} %`;
}
