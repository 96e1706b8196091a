import { isRecord } from '../../data/record-fields.ts';

/** As many parts, with all that they refer to, are checked in no time. */
const MOST_PARTS = 5000;

/** A pattern may try every way to split a text, and a list without repeats compares each with each. */
const COSTLY = new Set([
  'pattern',
  'patternProperties',
  'uniqueItems',
  '$dynamicRef',
  '$recursiveRef',
  '$id',
  '$anchor',
]);

/**
 * Whether the work of a check is bounded by the size of schema and value: few parts, also once every reference has been
 * replaced by what it leads to, and nothing in it that looks at a value more than once. In doubt it is not.
 */
export function isCheapSchema(schema: unknown): boolean {
  return sizeOf(schema, schema, new Map()) <= MOST_PARTS;
}

/** How many parts it has with references written out; Infinity where that has no end or is not known. */
function sizeOf(part: unknown, root: unknown, known: Map<object, number>): number {
  if (typeof part !== 'object' || part === null) return 1;
  const before = known.get(part);
  if (before !== undefined) return before;
  // Met again before it is known: it leads back to itself.
  known.set(part, Infinity);
  let size = 1;
  for (const [key, inner] of Object.entries(part)) {
    if (!Array.isArray(part) && COSTLY.has(key)) size = Infinity;
    else size += sizeOf(key === '$ref' ? target(inner, root) : inner, root, known);
    if (size > MOST_PARTS) return Infinity;
  }
  known.set(part, size);
  return size;
}

/** What a reference leads to; what is not found stands for all of it, and so for no end. */
function target(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return root;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(name)];
    else at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : root;
  }
  return at;
}
