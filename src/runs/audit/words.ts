/**
 * Numbers as findings say them; src/report has its own, which this layer cannot reach.
 *
 * @example count(12345.5) // '12,345.5'
 */
export function count(value: number): string {
  const [whole = '', rest] = String(Math.round(value * 1000) / 1000).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** "1 case", "5 cases". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A share in per cent that is 0 or 100 only when it is exactly that; "17 of 40 (43 %)" says it with `count`. */
export function percent(part: number, whole: number): string {
  const rounded = Math.round((100 * part) / whole);
  if (rounded === 0 && part > 0) return '<1 %';
  if (rounded === 100 && part < whole) return '>99 %';
  return `${rounded} %`;
}

/** A measure's value: three decimals, and none that say nothing. */
export function figure(value: number): string {
  if (Math.abs(value) >= 100) return count(Math.round(value));
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 3);
}

/** "ORG, DEM and LOC"; of many the first, and how many more. */
export function listed(names: readonly string[], shown = 5): string {
  const first = names.slice(0, names.length > shown ? shown : names.length - 1);
  const last = names.length > shown ? `${names.length - shown} more` : (names.at(-1) ?? '');
  return first.length === 0 ? last : `${first.join(', ')} and ${last}`;
}
