import { fileRows, firstFormat, type SharedState } from './file-rows.ts';
import type { Claim, Format, JsonFormat, ReadOptions, Role, Row } from './format.ts';
import { classField, classificationProblem } from './formats/categories.ts';
import { GatheredRows } from './gathered-rows.ts';
import { Problems } from './problems.ts';
import { type FileRows, folderRows, isFolder } from './read-folder.ts';
import { describe } from './record-fields.ts';
import type { Source } from './source.ts';
import { isSpanCase } from './span-case.ts';
import { shorten } from './visible.ts';

/** What was read of a file, for the manifest. Complete once its rows have been read to the end. */
export interface ReadFile {
  readonly role: Role;
  readonly name: string;
  readonly path: string | null;
  readonly format: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
}

export interface RowReader {
  rows(): AsyncGenerator<Row[]>;
  /** The ids read so far. */
  ids(): ReadonlySet<string>;
  /** Whether the records have no ids, so that a row's id is its number in the file. */
  isNumbered(): boolean;
  /** Whether some of the file could not be read, so that what is missing from it means nothing. */
  isBroken(): boolean;
  /** How many of the rows read so far have a list of annotations, and how many have none or null in its place. */
  lists(): { readonly present: number; readonly absent: number };
  /** How many of several files hold no record. */
  emptyFiles(): number;
  /** Null until it is known, and for a folder. */
  format(): Format | null;
  /** Its files; a folder is one. */
  done(): readonly ReadFile[];
}

/**
 * Rows of one file, or of several files and folders as if they were one, in a format that is detected unless named; `others`
 * are the formats of the files that it is read with. Each id may come once.
 */
export function rowReader(
  source: Source,
  role: Role,
  options: ReadOptions,
  problems: Problems,
  others: () => readonly Format[] = () => [],
): RowReader {
  const own = new Problems(problems);
  const seen = new Set<string>();
  const file = source.name;
  const lists = { present: 0, absent: 0 };
  let without: Pick<Row, 'line' | 'file'> | null = null;
  let isListed = false;
  /** The field of a record without a list that classifies its text. */
  let classes: string | null = null;
  const claims = new Map<Claim, Row>();
  const parts = (source.files ?? [source]).map((part) => ({ part, folder: isFolder(part), count: 0 }));
  const isSeveral = parts.length > 1 || parts.some(({ folder }) => folder);
  const state: SharedState = {
    numbering: { at: 0, used: 0 },
    gathered: isSeveral ? new GatheredRows() : undefined,
    empty: isSeveral ? [] : undefined,
    shown: null,
    first: isSeveral ? () => (first ??= firstFormat(source, role, options)) : undefined,
  };
  let first: Promise<JsonFormat | null> | null = null;
  const { numbering } = state;
  let format = (): Format | null => state.shown?.format ?? null;
  const open = (one: Source): FileRows => {
    const reader = fileRows(one, role, options, own, state, others);
    if (!isSeveral) ({ format } = reader);
    return reader;
  };
  const readers = parts.map(({ part }) => folderRows(part, open) ?? open(part));

  async function* rows(): AsyncGenerator<Row[]> {
    try {
      for (const [at, part] of parts.entries()) {
        const before = state.gathered?.size ?? 0;
        for await (const batch of readers[at]!.rows()) {
          const fresh = batch.filter(isFresh);
          part.count += fresh.length;
          yield fresh;
        }
        part.count += (state.gathered?.size ?? 0) - before;
      }
      const gathered = (state.gathered?.rows(state.shown?.format.join) ?? []).filter(isFresh);
      if (gathered.length > 0) yield gathered;
    } catch (error) {
      own.addThrown(error);
    }
    if (seen.size === 0 && own.count === 0) for (const problem of state.empty ?? []) own.add(problem);
    const known = format();
    // Another part of the file may have what this one lacks.
    const needed = known?.kind === 'json' && options.lines === undefined ? known.neededList : undefined;
    if (role !== 'cases' && needed !== undefined && !isListed && lists.absent > 0 && own.count === 0)
      own.add(
        classes === null
          ? {
              file: without?.file ?? file,
              line: without?.line ?? null,
              field: needed,
              message: 'expected a list of annotations, found none in any record',
              next: 'write [] if nothing was annotated; if the list has another name, --columns spans=NAME',
            }
          : classificationProblem(`${shorten(classes)} holds`, without?.file ?? file, without?.line ?? null),
      );
    const odd = claims.get('other side') ?? claims.get('neither');
    if (claims.size > 1 && role !== 'cases')
      own.add({
        file: odd?.file ?? file,
        line: odd?.line ?? null,
        field: role,
        message: `expected ${role}, as other records have, found ${role === 'gold' ? 'other annotations' : 'annotations'} alone`,
        next: 'read gold and predictions from this file with --cases FILE',
      });
    const { used } = numbering;
    if (used === 0 || used >= seen.size || own.count > 0) return;
    const message = `${used} of ${seen.size} records have no id`;
    problems.add({ file, line: null, message, next: 'give every record an id, or none: then they are numbered' });
  }

  function isFresh(row: Row): boolean {
    if (!seen.has(row.id)) {
      seen.add(row.id);
      const missing = isSpanCase(row) ? null : (row.missingList ?? null);
      if (missing !== null) {
        lists.absent += 1;
        without ??= row;
        if (!isSpanCase(row)) classes ??= classField({ ...row.fields, text: row.text });
      } else if (isSpanCase(row) || row.gold !== null || row.predicted !== null) lists.present += 1;
      if (!isSpanCase(row) && row.claim !== undefined && missing === null && (row.gold ?? row.predicted) !== null)
        claims.set(row.claim, claims.get(row.claim) ?? row);
      isListed ||= missing === 'null' || lists.present > 0;
      return true;
    }
    problems.add({
      file: row.file ?? file,
      line: row.line,
      message: `the id ${describe(row.id)} was given before in ${isSeveral ? 'these files' : 'this file'}`,
      next: 'one record per case is expected',
    });
    return false;
  }

  return {
    rows,
    ids: () => seen,
    isNumbered: () => numbering.used > 0,
    isBroken: () => own.count > 0,
    lists: () => lists,
    emptyFiles: () => (seen.size === 0 ? 0 : (state.empty?.length ?? 0)),
    format: () => format(),
    done: () =>
      parts.map(({ part: { name, path }, count }, at) => ({ role, name, path, ...readers[at]!.done(), rows: count })),
  };
}
