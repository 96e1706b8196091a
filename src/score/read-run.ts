import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { UsageError } from '../data/problems.ts';
import { readPlain } from '../data/read-file.ts';
import { errorCode } from '../data/source.ts';
import { compareNatural } from '../text/compare.ts';
import { nearestNames } from '../text/nearest.ts';
import { damaged } from './ledger.ts';
import { expectLines, expectWritten, parsed, parsedFile, readCaseResults, readRunFile } from './run-file.ts';
import { casesWithMostErrors } from './run-counts.ts';
import { firstPlaces, runFolder, scoredIn } from './run-folder.ts';
import { type Manifest, manifestFile, measuresFile, type Run, RUN_FORMAT, runStamp } from './run.ts';
import { VERSION } from './version.ts';

/**
 * A run from its folder, or from the folder of an experiment, as it was when it had just been scored. What is cut off,
 * broken, newer or edited is refused.
 */
export async function readRun(given: string): Promise<Run> {
  const folder = runFolder(given);
  const manifest = await readManifest(folder);
  const place = { folder, manifest };
  const measures = await readRunFile(place, 'measures.json', measuresFile);
  if (measures === null) throw damaged(`${join(folder, 'measures.json')}: this file of the run is missing`);
  const worst = casesWithMostErrors();
  const seen = createHash('sha256');
  let cases = 0;
  for await (const result of readCaseResults(folder, (chunk) => seen.update(chunk))) {
    worst.add(result);
    cases += 1;
    if (cases > (manifest.outputs['cases.jsonl']?.rows ?? Infinity)) break;
  }
  expectWritten(place, 'cases.jsonl', seen.digest('hex'), cases);
  if (manifest.outputs['ledger.jsonl'] !== undefined) await expectLines(place, 'ledger.jsonl');
  return { folder, manifest, measures, worst: worst.list() };
}

async function readManifest(folder: string): Promise<Manifest> {
  const place = join(folder, 'manifest.json');
  const bytes = await readPlain(place).catch(async (error: unknown) => {
    throw await noRun(folder, errorCode(error));
  });
  // The number comes first: a newer format may have another shape.
  const { format, assay } = parsed(bytes.toString('utf8'), place, runStamp);
  if (format !== RUN_FORMAT)
    throw new UsageError(
      `${folder}: a run in format ${format}, written by assay ${assay}; this is assay ${VERSION}, which reads format ${RUN_FORMAT}`,
      `read it with assay ${assay}, or score again`,
    );
  return parsedFile(bytes, place, manifestFile);
}

/** Says what the folder is instead of a run, and which run may have been meant. */
async function noRun(folder: string, code: string): Promise<UsageError> {
  const above = dirname(folder);
  const found = await stat(folder).catch(() => null);
  if (found !== null && !found.isDirectory())
    return new UsageError(
      `${folder} is a file, expected the folder of a run`,
      scoredIn(above) !== undefined ? `did you mean ${above}?` : 'name the folder that assay score --out made',
    );
  if (found === null) {
    const siblings = new Map((await runsBelow(above, 1)).map((run) => [basename(run), run]));
    const near = nearestNames(basename(folder), siblings.keys()).map((name) => join(above, name));
    return new UsageError(`there is no folder ${folder}`, suggestion(near.length > 0 ? near : [...siblings.values()]));
  }
  if (code !== 'ENOENT') return new UsageError(`${join(folder, 'manifest.json')} cannot be read (${code})`);
  const below = await runsBelow(folder, 2);
  return new UsageError(
    `${folder} is no run: it has no manifest.json`,
    suggestion(below.length > 0 ? below : await runsBelow(above, 1)),
  );
}

function suggestion(runs: readonly string[]): string {
  if (runs.length === 0) return 'assay score makes a run: assay score PRESET --out DIR …';
  return runs.length === 1 ? `did you mean ${runs[0]!}?` : `runs near there: ${firstPlaces(runs, 5)}`;
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
    folders.map(async (inner) => (scoredIn(inner) === undefined ? runsBelow(inner, depth - 1) : [inner])),
  );
  return lists.flat();
}
