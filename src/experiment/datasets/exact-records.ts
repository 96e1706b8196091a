import type { Problems } from '../../data/problems.ts';
import { type NamedRecord, Records } from '../../data/records.ts';
import type { Source } from '../../data/source.ts';
import { shorten } from '../../data/visible.ts';

const TOO_LONG = 'one item a record is expected, and longer ones are not taken';

export function itemFile(source: Source, problems: Problems): Records {
  return new Records(source, { problems, tooLong: TOO_LONG });
}

/** The records of a file, or rows of a table, without those whose numbers would become others. */
export function exactRecords(file: Records): AsyncGenerator<NamedRecord[]> {
  return file.whole(async function* exact() {
    for await (const batch of file.objects())
      yield batch.filter(({ text, line }) => text === null || hasExactNumbers(text, line, file.limits));
  });
}

/** Anything else in a JSON text is a number that can be kept: no reason to look at each. */
const PERHAPS = /\d{16}|\d[eE][-+]?\d{3}/;

/** Whether all numbers of a JSON text stay what they are; where one would become another, that is noted with its field. */
export function hasExactNumbers(
  text: string,
  line: number,
  { file, problems }: { readonly file: string; readonly problems: Problems },
  under = '',
): boolean {
  const changed = PERHAPS.test(text) ? firstChanged(text, under) : null;
  if (changed === null) return true;
  const { field, source, fate } = changed;
  problems.add({
    file,
    line,
    field: field === '' ? undefined : shorten(field),
    message: `the number ${shorten(source, 40)} ${fate}`,
    next: 'write it as text, in quotes',
  });
  return false;
}

function firstChanged(text: string, under: string): { field: string; source: string; fate: string } | null {
  const changed = new Map<object, { source: string; fate: string }>();
  const find = (value: unknown, field: string): ReturnType<typeof firstChanged> => {
    if (typeof value !== 'object' || value === null) return null;
    const found = changed.get(value);
    if (found !== undefined) return { ...found, field };
    for (const [key, inner] of Object.entries(value)) {
      const within = find(inner, Array.isArray(value) ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`);
      if (within !== null) return within;
    }
    return null;
  };
  // An object stands for each number that cannot be kept.
  function mark(_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
    const fate = typeof value === 'number' && source !== undefined ? fateOf(source, value) : null;
    if (fate === null || source === undefined) return value;
    const place = {};
    changed.set(place, { source, fate });
    return place;
  }
  try {
    return find(JSON.parse(text, mark), under);
  } catch {
    // Nested deeper than can be followed, which is refused elsewhere.
    return null;
  }
}

/** What becomes of a number as a double; null where it is the number that was written, or as near as decimals come. */
function fateOf(source: string, value: number): string | null {
  if (!Number.isFinite(value)) return 'is beyond the greatest that can be kept';
  if (value === 0 && /[1-9]/.test(source.replace(/[eE].*/, ''))) return 'is nearer to 0 than can be kept';
  if (/^-?\d+$/.test(source) && BigInt(source) !== BigInt(value)) return `would become ${JSON.stringify(value)}`;
  return null;
}
