import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { compareText, errorCode, UsageError } from '../../plugin.ts';

/** A file that is to be looked into. */
export interface InputFile {
  readonly path: string;
  /** The user named this very file, not a folder that holds it. */
  readonly named: boolean;
}

interface InputFiles {
  readonly files: readonly InputFile[];
  /** Files that by their names are metrics in one JSON document. */
  readonly documents: readonly InputFile[];
  /** Of both. */
  readonly paths: ReadonlySet<string>;
  /** Files of folders that are not JSON lines by their names; hidden ones, such as .gitkeep, are not counted. */
  readonly others: number;
  /** Folders that cannot be read, with the reason. */
  readonly closed: readonly { readonly path: string; readonly reason: string }[];
  readonly isEmpty: boolean;
}

const JSON_LINES = /\.(?:jsonl|ndjson)(?:\.gz)?$/i;
const METRICS_DOCUMENT = /\.metrics\.json(?:\.gz)?$/i;

/**
 * The files that were named, and those of JSON lines in folders that were named and in the folders inside them; each
 * once, in text order. Links to folders are not followed: they may lead round in circles.
 */
export function findFiles(places: readonly string[]): InputFiles {
  const found = new Map<string, InputFile>();
  const closed: { path: string; reason: string }[] = [];
  let others = 0;
  const add = (path: string, named: boolean): void => {
    const real = realpathSync(path);
    if (named || !found.has(real)) found.set(real, { path: found.get(real)?.path ?? path, named });
  };
  const walk = (folder: string): void => {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      closed.push({ path: folder, reason: errorCode(error) });
      return;
    }
    for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (isFile(path)) {
        if (JSON_LINES.test(entry.name) || METRICS_DOCUMENT.test(entry.name)) add(path, false);
        else if (!entry.name.startsWith('.')) others += 1;
      }
    }
  };
  for (const place of places) {
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory() === true) walk(place);
    else if (isFile(place)) add(place, true);
    else throw new UsageError(`${place}: neither a file nor a folder`, 'name files of JSON lines, or folders of them');
  }
  const sorted = [...found.values()].sort((a, b) => compareText(a.path, b.path));
  return {
    files: sorted.filter(({ path }) => !METRICS_DOCUMENT.test(path)),
    documents: sorted.filter(({ path }) => METRICS_DOCUMENT.test(path)),
    paths: new Set(sorted.map(({ path }) => path)),
    others,
    closed,
    isEmpty: sorted.length + others + closed.length === 0,
  };
}

/** A link counts as what it leads to; one that leads nowhere is nothing. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
