import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { UsageError } from '../../../data/problems.ts';
import { errorCode } from '../../../data/source.ts';
import { compareText } from '../../../text/compare.ts';

/** A file that is to be looked into. */
export interface FoundFile {
  readonly path: string;
  /** The user named this very file, not a folder that holds it. */
  readonly named: boolean;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Files that by their names are metrics in one JSON document. */
  readonly documents: readonly FoundFile[];
  /** Files of folders that are no JSON lines by their names; hidden ones, such as .gitkeep, are not counted. */
  readonly others: number;
  /** Folders that cannot be read, with the reason. */
  readonly closed: readonly { readonly path: string; readonly reason: string }[];
}

const JSON_LINES = /\.(?:jsonl|ndjson)(?:\.gz)?$/i;
const METRICS_DOCUMENT = /\.metrics\.json(?:\.gz)?$/i;

/**
 * The files that were named, and those of JSON lines in folders that were named and in the folders inside them; each
 * once, in text order. Links to folders are not followed: they may lead round in circles.
 */
export function findFiles(places: readonly string[]): FoundFiles {
  const files = new Map<string, FoundFile>();
  const documents = new Map<string, FoundFile>();
  const closed: { path: string; reason: string }[] = [];
  let others = 0;
  const add = (path: string, named: boolean): void => {
    const real = realpathSync(path);
    const kept = METRICS_DOCUMENT.test(path) ? documents : files;
    if (named || !kept.has(real)) kept.set(real, { path: kept.get(real)?.path ?? path, named });
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
    if (isFolder(place)) walk(place);
    else if (isFile(place)) add(place, true);
    else throw new UsageError(`${place}: neither a file nor a folder`, 'name files of JSON lines, or folders of them');
  }
  const sorted = (found: Map<string, FoundFile>): FoundFile[] =>
    [...found.values()].sort((a, b) => compareText(a.path, b.path));
  return { files: sorted(files), documents: sorted(documents), others, closed };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A link counts as what it leads to; one that leads nowhere is nothing. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
