import { join } from 'node:path';

import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { readPlain } from '../data/read-file.ts';
import { shorten, UNSAFE, visible } from '../data/visible.ts';
import { compareText } from '../text/compare.ts';
import { commitShape, type GitCommit } from './git-commit.ts';

/** Has what a person calls a run. It is no part of what was scored, so no other file depends on it but the reports. */
export const ABOUT_FILE = 'about.json';

/** What a person calls a run. */
export interface RunNaming {
  /** Its title in reports, lists and comparisons. */
  readonly name?: string;
  /** A sentence or more: what was tried, and why. */
  readonly note?: string;
  /** By key: `{ model: 'gliner', prompt: 'v3' }`. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** What is known of a run beside what was scored. Nothing of it decides a number. */
export interface RunAbout {
  readonly name: string | null;
  readonly note: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** When it was scored, as an ISO time. */
  readonly date: string | null;
  /** Of the folder that it was scored in. */
  readonly commit: GitCommit | null;
}

const LONGEST = { name: 200, note: 10_000, key: 60, value: 200 };
const MOST_TAGS = 50;
const MOST_BYTES = 1 << 20;
const KEY = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]*$/u;

/** Without what a terminal would act on, or what hides text; a note may have lines. */
function isPlain(text: string): boolean {
  return text.search(UNSAFE) === -1;
}

const nameShape = z.string().min(1).max(LONGEST.name).refine(isPlain);
const noteShape = z
  .string()
  .min(1)
  .max(LONGEST.note)
  .refine((note) => isPlain(note.replaceAll(/[\n\t]/g, ' ')));

/** about.json */
export const aboutFile = z.looseObject({
  name: nameShape.nullable(),
  note: noteShape.nullable(),
  tags: z
    .record(z.string().max(LONGEST.key).regex(KEY), z.string().min(1).max(LONGEST.value).refine(isPlain))
    .refine((tags) => Object.keys(tags).length <= MOST_TAGS),
});

/** What timing.json has of it. */
const timing = z.looseObject({ started: z.iso.datetime(), commit: commitShape.nullable().exactOptional() });

/** A name as it may be given to a run; `what` is the flag or the option that it comes from. */
export function expectName(name: string, what: string): string {
  return expectText(name, what, 'name', nameShape);
}

export function expectNote(note: string, what: string): string {
  return expectText(note.replaceAll('\r\n', '\n'), what, 'note', noteShape);
}

function expectText(given: string, what: string, of: 'name' | 'note', shape: z.ZodType<string>): string {
  const text = given.trim();
  if (text === '') throw new UsageError(`${what} is empty`, `leave it out, or give the run a ${of}`);
  if (text.length > LONGEST[of])
    throw new UsageError(`${what}: ${text.length} characters, at most ${LONGEST[of]} are kept`);
  if (shape.safeParse(text).success) return text;
  throw new UsageError(`${what} ${visible(shorten(text, 60))}: it has characters that cannot be seen`, 'take them out');
}

/** A tag as it may be given to a run. */
export function expectTag(key: string, value: string, what: string): readonly [key: string, value: string] {
  const [own, text] = [key.trim(), value.trim()];
  if (!KEY.test(own) || own.length > LONGEST.key)
    throw new UsageError(
      `${what} ${visible(shorten(own, 60))}: not the key of a tag`,
      `at most ${LONGEST.key} letters, digits and _ . : / -, for example ${what} model=gliner`,
    );
  if (text === '' || text.length > LONGEST.value || !isPlain(text))
    throw new UsageError(
      `${what} ${own}: expected a value of 1 to ${LONGEST.value} characters that can be seen`,
      `for example ${what} ${own}=v2`,
    );
  return [own, text];
}

/** The same with names and tags checked; null if there are none. Tags are in the order of their keys. */
export function expectNaming({ name, note, tags = {} }: RunNaming): z.infer<typeof aboutFile> | null {
  const pairs = Object.entries(tags).map(([key, value]) => expectTag(key, value, 'tag'));
  if (pairs.length > MOST_TAGS)
    throw new UsageError(`${pairs.length} tags, at most ${MOST_TAGS} are kept`, 'take some out');
  if (name === undefined && note === undefined && pairs.length === 0) return null;
  return {
    name: name === undefined ? null : expectName(name, 'name'),
    note: note === undefined ? null : expectNote(note, 'note'),
    tags: Object.fromEntries(pairs.sort(([a], [b]) => compareText(a, b))),
  };
}

/** The name and the note of an experiment, whatever is in them: its answers are not lost over a character. */
export function plainNaming({ name, note, tags }: RunNaming): RunNaming {
  const plain = (text: string, most: number): string => {
    const shown = text.replaceAll(UNSAFE, ' ').trim();
    return shown.length <= most ? shown : shorten(shown, most - 1);
  };
  const [own, words] = [plain(name ?? '', LONGEST.name), plain(note ?? '', LONGEST.note)];
  return {
    ...(own === '' ? {} : { name: own }),
    ...(words === '' ? {} : { note: words }),
    ...(tags === undefined ? {} : { tags }),
  };
}

/** The same without what is not there. */
export function namingOf({ name, note, tags }: Pick<RunAbout, 'name' | 'note' | 'tags'>): RunNaming {
  return {
    ...(name === null ? {} : { name }),
    ...(note === null ? {} : { note }),
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
  };
}

/** What people call the run in a folder, and when it was scored. Files that are damaged are as good as absent. */
export async function readAbout(folder: string): Promise<RunAbout> {
  const [naming, times] = await Promise.all([
    readSmall(join(folder, ABOUT_FILE), aboutFile),
    readSmall(join(folder, 'timing.json'), timing),
  ]);
  const { name = null, note = null, tags = {} } = naming ?? {};
  return { name, note, tags, date: times?.started ?? null, commit: times?.commit ?? null };
}

async function readSmall<T>(path: string, shape: z.ZodType<T>): Promise<T | null> {
  try {
    const bytes = await readPlain(path, { most: MOST_BYTES });
    return shape.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
