/** "ORG, DEM and LOC"; of many the first, and how many more. */
export function listed(names: readonly string[], shown = 5): string {
  const first = names.slice(0, names.length > shown ? shown : names.length - 1);
  const last = names.length > shown ? `${names.length - shown} more` : (names.at(-1) ?? '');
  return first.length === 0 ? last : `${first.join(', ')} and ${last}`;
}
