import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { compareNatural } from '../text/compare.ts';
import { nearestNames } from '../text/nearest.ts';
import { manifestFile, measuresFile } from './output-shapes.ts';
import { damaged, parsed, readCaseResults } from './read-ledger.ts';
import { hasRun, runFolder } from './run-folder.ts';
import { type Manifest, type Run, RUN_FORMAT } from './run.ts';
import { VERSION } from './version.ts';
import { WorstCases } from './worst-cases.ts';

/**
 * A run from its folder, or from the folder of an experiment, as it was when it had just been scored. What is cut off,
 * broken or newer is refused.
 */
export async function readRun(given: string): Promise<Run> {
  const folder = runFolder(given);
  const manifest = await readManifest(folder);
  const measures = await readWhole(folder, 'measures.json', measuresFile);
  const worst = new WorstCases();
  let cases = 0;
  for await (const result of readCaseResults(folder)) {
    worst.add(result);
    cases += 1;
  }
  expectRows(folder, 'cases.jsonl', cases, manifest);
  if (manifest.outputs['ledger.jsonl'] !== undefined)
    expectRows(folder, 'ledger.jsonl', await countLines(folder, 'ledger.jsonl'), manifest);
  return { folder, manifest, measures, worst: worst.list() };
}

async function readManifest(folder: string): Promise<Manifest> {
  const place = join(folder, 'manifest.json');
  const text = await readFile(place, 'utf8').catch(async (error: unknown) => {
    throw await noRun(folder, errorCode(error));
  });
  // The number comes first: a newer format may have another shape.
  const { format, assay } = parsed(text, place, z.looseObject({ format: z.number(), assay: z.string() }));
  if (format !== RUN_FORMAT)
    throw new UsageError(
      `${folder}: a run in format ${format}, written by assay ${assay}; this is assay ${VERSION}, which reads format ${RUN_FORMAT}`,
      `read it with assay ${assay}, or score again`,
    );
  return parsed(text, place, manifestFile);
}

async function readWhole<T>(folder: string, file: string, schema: z.ZodType<T>): Promise<T> {
  const place = join(folder, file);
  const text = await readFile(place, 'utf8').catch((error: unknown) => {
    throw damaged(`${place}: ${errorCode(error) === 'ENOENT' ? 'this file of the run is missing' : errorCode(error)}`);
  });
  return parsed(text, place, schema);
}

function expectRows(folder: string, file: string, found: number, manifest: Manifest): void {
  const rows = manifest.outputs[file]?.rows;
  if (rows !== undefined && rows !== found)
    throw damaged(
      `${join(folder, file)}: ${found} complete lines, but the manifest says ${rows}: ${found < rows ? 'the file was cut off' : 'lines were added'}`,
    );
}

async function countLines(folder: string, file: string): Promise<number> {
  let count = 0;
  try {
    for await (const chunk of createReadStream(join(folder, file), { highWaterMark: 1 << 20 })) {
      if (!Buffer.isBuffer(chunk)) continue;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) count += 1;
    }
  } catch (error) {
    throw damaged(
      `${join(folder, file)}: ${errorCode(error) === 'ENOENT' ? 'this file of the run is missing' : errorCode(error)}`,
    );
  }
  return count;
}

/** Says what the folder is instead of a run, and which run may have been meant. */
async function noRun(folder: string, code: string): Promise<UsageError> {
  const found = await stat(folder).catch(() => null);
  if (found !== null && !found.isDirectory()) {
    const own = hasRun(dirname(folder));
    return new UsageError(
      `${folder} is a file, expected the folder of a run`,
      own ? `did you mean ${dirname(folder)}?` : 'name the folder that assay score --out made',
    );
  }
  if (found === null) {
    const siblings = await runsBelow(dirname(folder), 1);
    const near = nearestNames(
      basename(folder),
      siblings.map((run) => basename(run)),
    ).map((name) => join(dirname(folder), name));
    return new UsageError(`there is no folder ${folder}`, suggestion(near.length > 0 ? near : siblings));
  }
  if (code !== 'ENOENT') return new UsageError(`${join(folder, 'manifest.json')} cannot be read (${code})`);
  const below = await runsBelow(folder, 2);
  return new UsageError(
    `${folder} is no run: it has no manifest.json`,
    suggestion(below.length > 0 ? below : await runsBelow(dirname(folder), 1)),
  );
}

const SHOWN = 5;

function suggestion(runs: readonly string[]): string {
  if (runs.length === 0) return 'assay score makes a run: assay score PRESET --out DIR …';
  const rest = runs.length > SHOWN ? ` and ${runs.length - SHOWN} more` : '';
  return runs.length === 1 ? `did you mean ${runs[0]!}?` : `runs near there: ${runs.slice(0, SHOWN).join(', ')}${rest}`;
}

const LOOKED_AT = 500;

/** Run folders inside a folder, a few levels deep, in natural order. */
async function runsBelow(folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$|\.(?:partial|replaced)-\d+$/.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort(compareNatural)
    .slice(0, LOOKED_AT);
  const lists = await Promise.all(
    folders.map(async (inner) => (hasRun(inner) ? [inner] : runsBelow(inner, depth - 1))),
  );
  return lists.flat();
}
