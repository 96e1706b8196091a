import type { ReadContext } from '../../data/data-options.ts';
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

/** Whether all numbers of a JSON text stay what they are; if one would become another, that is noted with its field. */
export function hasExactNumbers(
  text: string,
  line: number,
  context: Pick<ReadContext, 'file' | 'problems'>,
  under = '',
) {
  const changed = PERHAPS.test(text) ? firstChanged(text) : null;
  if (changed === null) return true;
  const { path, source, fate } = changed;
  const field = `${under}${path}`.replace(/^\./, '');
  const named = field === '' ? undefined : shorten(field);
  const message = `the number ${shorten(source, 40)} ${fate}`;
  context.problems.add({ file: context.file, line, field: named, message, next: 'write it as text, in quotes' });
  return false;
}

/** The first number that a double cannot hold, with its path (`.a[0]`). JSON.parse shows a value before what holds it. */
function firstChanged(text: string): { readonly path: string; readonly source: string; readonly fate: string } | null {
  const found: { readonly source: string; readonly fate: string; path: string; holder: unknown }[] = [];
  function look(this: unknown, key: string, value: unknown, { source = '' }: { readonly source?: string } = {}) {
    const [changed] = found;
    const step = Array.isArray(this) ? `[${key}]` : `.${key}`;
    if (changed !== undefined) {
      if (changed.holder === value) Object.assign(changed, { holder: this, path: `${step}${changed.path}` });
      return value;
    }
    const fate = typeof value === 'number' ? fateOf(source, value) : null;
    if (fate !== null) found.push({ source, fate, path: step, holder: this });
    return value;
  }
  try {
    JSON.parse(text, look);
  } catch {
    // Nested deeper than can be followed, which is refused elsewhere.
    return null;
  }
  const [changed] = found;
  // The first step leads to the text as a whole.
  return changed === undefined ? null : { ...changed, path: changed.path.slice(1) };
}

/** What becomes of a number as a double; null if it is the number that was written, or as near as decimals come. */
function fateOf(source: string, value: number): string | null {
  if (!Number.isFinite(value)) return 'is beyond the greatest that can be kept';
  if (value === 0 && /[1-9]/.test(source.replace(/[eE].*/, ''))) return 'is nearer to 0 than can be kept';
  if (/^-?\d+$/.test(source) && BigInt(source) !== BigInt(value)) return `would become ${JSON.stringify(value)}`;
  return null;
}
