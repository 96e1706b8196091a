/** Those whose plural is more than an s. */
const SEVERAL: ReadonlyMap<string, string> = new Map([
  ['class', 'classes'],
  ['entity', 'entities'],
  ['summary', 'summaries'],
]);

/**
 * What the items of a kind are called together.
 *
 * @example kindName('span') // 'spans'
 */
export function kindName(kind: string): string {
  return SEVERAL.get(kind) ?? `${kind}s`;
}

/** The same above a table: 'Spans'. */
export function kindTitle(kind: string): string {
  const name = kindName(kind);
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
