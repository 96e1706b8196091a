import { basename } from 'node:path';

import { z } from 'zod';

import { DEFAULT_DATA_OPTIONS } from '../data/data-options.ts';
import type { ReadOptions, Role } from '../data/format.ts';
import { InputError, Problems } from '../data/problems.ts';
import { rowReader } from '../data/read-rows.ts';
import { sourceOf } from '../data/named-files.ts';
import { fileSource, joinedSource, type Source } from '../data/source.ts';
import { storedDigest } from '../data/stored-digest.ts';
import type { TextOfCase } from '../formats/case-format.ts';
import { formatOf } from '../formats/case-formats.ts';
import { customFormats } from '../recipe/definitions.ts';
import { lackingCode } from '../score/retally.ts';
import { type RunInput, runInputs } from '../score/run-inputs.ts';
import type { Run } from '../score/run.ts';
import { repairWords } from '../text/mojibake.ts';

const readingOptions = z.looseObject({
  format: z.string(),
  columns: z.record(z.string(), z.string()),
  system: z.string().nullable(),
  strayInside: z.enum(['begin', 'error']),
  mojibake: z.enum(['report', 'repair']),
  maxRecordMiB: z.number(),
});

interface TextFile {
  readonly role: Role;
  readonly source: Source;
}

/** The texts of a run's cases, read again from the files that were scored. */
export class CaseTexts {
  /** What keeps every text from being shown, or from being trusted; null when all is well. */
  readonly notice: string | null;
  /** Why the text of a single case may be lacking. */
  readonly lacking: string;
  readonly #readers: readonly AsyncGenerator<TextOfCase[]>[];
  readonly #wanted: ReadonlySet<string> | null;
  readonly #held = new Map<string, string>();
  #last: string | null = null;

  constructor(init: {
    readonly readers: readonly AsyncGenerator<TextOfCase[]>[];
    readonly notice: string | null;
    readonly lacking: string;
    /** Only these are kept in memory; null: any, as long as they are asked for in the order of the file. */
    readonly wanted: ReadonlySet<string> | null;
  }) {
    this.#readers = init.readers;
    this.notice = init.notice;
    this.lacking = init.lacking;
    this.#wanted = init.wanted;
  }

  /** Reads on until the case comes; null when it does not or has no text. */
  async of(id: string): Promise<string | null> {
    for (const reader of this.#readers) {
      while (!this.#held.has(id)) {
        const batch = await reader.next();
        if (batch.done === true) break;
        for (const row of batch.value)
          if (row.text !== null && (this.#wanted?.has(row.id) ?? true)) this.#held.set(row.id, row.text);
      }
    }
    const text = this.#held.get(id) ?? null;
    // A case scored once per annotator is asked for several times in a row.
    if (this.#wanted === null && this.#last !== null && this.#last !== id) this.#held.delete(this.#last);
    this.#last = id;
    return text;
  }

  async close(): Promise<void> {
    for (const reader of this.#readers) await reader.return(undefined);
  }
}

/**
 * Opens the files of a run, or the one that the user points to. A file that is gone or has changed is not read. Without
 * paths for what is sent to others: where somebody's files are is nobody's business.
 */
export async function openCaseTexts(
  run: Run,
  wanted: ReadonlySet<string> | null,
  casesFile: string | null,
  { withPaths = true }: { readonly withPaths?: boolean } = {},
): Promise<CaseTexts> {
  // Lines that have no place in a text, of a format whose texts nobody asks for.
  const { isPaired, texts } = formatOf(run.manifest);
  if (!isPaired && texts === undefined) return new CaseTexts({ readers: [], notice: null, lacking: '', wanted });
  const options = optionsOf(run);
  if (casesFile !== null) {
    const source = sourceOf(casesFile);
    const same = await wereScored(source.files ?? [source], run);
    const reading = same ? options : { ...options, format: 'auto' };
    const name = withPaths ? casesFile : basename(casesFile);
    return new CaseTexts({
      readers: [textRows(run, { role: 'cases', source }, reading, true)],
      notice: same
        ? null
        : `${name} is not a file that was scored (its sha256 differs): items that do not fit its text are not marked in it`,
      lacking: `${name} has no text for this case`,
      wanted,
    });
  }
  const { files, missing } = await filesOf(run, withPaths);
  const reason = withPaths
    ? `the text is not shown: ${missing.join('; ')}. Point to it with --cases FILE`
    : missing.join('; ');
  return new CaseTexts({
    readers: files.map((file) => textRows(run, file, options, false)),
    notice: files.length === 0 ? reason : null,
    lacking: missing.length === 0 ? 'the files give no text for this case' : reason,
    wanted,
  });
}

async function wereScored(files: readonly Source[], { manifest }: Run): Promise<boolean> {
  const scored = new Set(manifest.inputs.map(({ sha256 }) => sha256));
  for (const { path } of files) {
    const digest = path === null ? null : await storedDigest(path).catch(() => null);
    if (digest === null || !scored.has(digest.sha256)) return false;
  }
  return true;
}

async function filesOf(run: Run, withPaths: boolean): Promise<{ files: TextFile[]; missing: string[] }> {
  const found: { readonly role: Role; readonly path: string }[] = [];
  const missing: string[] = [];
  const lacking = lackingCode(run).filter(({ defines }) => defines === 'format');
  for (const input of await runInputs(run)) {
    const custom = lacking.find(({ name }) => name === input.format);
    if (custom !== undefined) missing.push(`${input.name} has the custom format ${custom.name}: ${custom.why}`);
    else if (input.path !== null && input.state === 'as it was') found.push({ role: input.role, path: input.path });
    else missing.push(whyMissing(input, withPaths));
  }
  // Of several files that were read as one, all have to be there.
  const isWhole = (role: Role, count: number): boolean =>
    run.manifest.inputs.filter((input) => input.role === role).length === count;
  const files = [...Map.groupBy(found, ({ role }) => role)].flatMap(([role, own]): TextFile[] =>
    isWhole(role, own.length) ? [{ role, source: joinedSource(own.map(({ path }) => fileSource(path))) }] : [],
  );
  return { files, missing };
}

function whyMissing({ role, name, path, state, why }: RunInput, withPaths: boolean): string {
  if (path === null)
    return state === 'standard input'
      ? `the ${role} file was read from standard input`
      : `timing.json does not say where ${name} is`;
  const place = withPaths ? path : basename(path);
  if (state === 'unreadable') return `${place} cannot be read (${why})`;
  return state === 'gone' ? `${place} is gone` : `${place} has changed since it was scored`;
}

function textRows(run: Run, file: TextFile, options: ReadOptions, strict: boolean): AsyncGenerator<TextOfCase[]> {
  const { role, source } = file;
  const { manifest } = run;
  const own = formatOf(manifest).texts?.(source, role, manifest.recipe.resolved, new Problems());
  return own ?? rowsOf(file, options, strict);
}

/** Rows of a file; faults in it are the user's only where the user named it. */
async function* rowsOf(
  { role, source }: TextFile,
  options: ReadOptions,
  strict: boolean,
): AsyncGenerator<TextOfCase[]> {
  const problems = new Problems();
  try {
    for await (const rows of rowReader(source, role, options, problems).rows())
      yield options.mojibake === 'repair' ? rows.map(repairedRow) : rows;
    problems.throwIfAny();
  } catch (error) {
    if (strict || !(error instanceof InputError)) throw error;
  }
}

/** The text as it was scored. */
function repairedRow({ id, text }: TextOfCase): TextOfCase {
  return { id, text: text === null ? null : (repairWords(text)?.text ?? text) };
}

function optionsOf(run: Run): ReadOptions {
  const { data } = readingOptions.partial().safeParse(run.manifest.recipe.resolved['data']);
  const given = Object.entries(data ?? {}).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_DATA_OPTIONS, ...Object.fromEntries(given), formats: customFormats(run.definitions ?? []) };
}
