import type { Problems } from '../../data/problems.ts';
import { shorten } from '../../data/visible.ts';

/** Anything else in a JSON text is a number that can be kept: no reason to look at each. */
const PERHAPS = /\d{16}|\d[eE][-+]?\d{3}/;

/** Whether all numbers of a JSON text stay what they are; where one would become another, that is noted with its field. */
export function hasExactNumbers(
  { text, line }: { readonly text: string; readonly line: number },
  file: string,
  problems: Problems,
  under = '',
): boolean {
  if (!PERHAPS.test(text)) return true;
  const found = firstChanged(text);
  if (found === null) return true;
  const field = `${under}${found.path}`.replace(/^\./, '');
  problems.add({
    file,
    line,
    ...(field === '' ? {} : { field: shorten(field) }),
    message: `the number ${shorten(found.source, 40)} ${found.fate}`,
    next: 'write it as text, in quotes',
  });
  return false;
}

interface Changed {
  readonly source: string;
  readonly fate: string;
  /** `.input.items[2]` */
  readonly path: string;
}

/** Inner values are visited before what holds them, so that the path grows from its end. */
function firstChanged(text: string): Changed | null {
  let found: Changed | null = null;
  let holder: unknown = null;
  const note = (changed: Changed, within: unknown): void => {
    found = changed;
    holder = within;
  };
  function visit(this: unknown, key: string, value: unknown, context?: { readonly source?: string }): unknown {
    // The whole comes last, under no name.
    const part = Array.isArray(this) ? `[${key}]` : key === '' ? '' : `.${key}`;
    if (found === null) {
      const { source } = context ?? {};
      const fate = typeof value === 'number' && source !== undefined ? fateOf(source, value) : null;
      if (fate === null || source === undefined) return value;
      note({ source, fate, path: part }, this);
    } else if (value === holder) note({ ...found, path: `${part}${found.path}` }, this);
    return value;
  }
  try {
    JSON.parse(text, visit);
  } catch {
    // Nested deeper than can be followed, which is refused elsewhere.
    return null;
  }
  return found;
}

/** What becomes of a number as a double; null where it is the number that was written, or as near as decimals come. */
function fateOf(source: string, value: number): string | null {
  if (!Number.isFinite(value)) return 'is beyond the greatest that can be kept';
  if (value === 0 && /[1-9]/.test(source.replace(/[eE].*/, ''))) return 'is nearer to 0 than can be kept';
  if (/^-?\d+$/.test(source) && BigInt(source) !== BigInt(value)) return `would become ${JSON.stringify(value)}`;
  return null;
}
