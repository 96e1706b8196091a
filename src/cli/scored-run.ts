import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetNames } from '../recipe/presets.ts';
import { shellWord } from '../report/shell-word.ts';
import { canonicalJson } from '../runs/canonical-json.ts';
import type { Run } from '../runs/run.ts';
import type { SourceFlags } from './scored-sources.ts';

/** Commands that score the files of a run again. */
export type ScoresAgain = 'waterfall' | 'sweep';

const LACKS: Readonly<Record<ScoresAgain, string>> = {
  waterfall: 'has no waterfall',
  sweep: 'cannot be scored again',
};

/** The recipe of a run, where it is one of ours and still says what it said. */
export async function planOfRun({ folder, manifest }: Run, command: ScoresAgain): Promise<Plan> {
  const { name, set, resolved } = manifest.recipe;
  if (!presetNames().includes(name))
    throw new UsageError(
      `${folder} ${LACKS[command]}, and a run does not say where its recipe ${name} is`,
      `name the file instead of the folder: assay ${command} ${shellWord(name)} --cases FILE …`,
    );
  const plan = await planRecipe(name, [...set]);
  if (scoringOf(plan.resolved) === scoringOf(resolved)) return plan;
  throw new UsageError(
    `${folder}: ${name} is not what it was when this was scored by assay ${manifest.assay}`,
    `score again, then ask for the ${command}`,
  );
}

/** All but the slices: a run names those that its files have, where the recipe says `*`, and no overall number hangs on them. */
function scoringOf(resolved: Readonly<Record<string, unknown>>): string {
  return canonicalJson(JSON.parse(JSON.stringify({ ...resolved, slice: null })));
}

const timing = z.looseObject({ paths: z.array(z.looseObject({ role: z.string(), path: z.string().nullable() })) });

/** The files that were scored, where they are as they were. */
export async function inputsOfRun({ folder, manifest }: Run, command: ScoresAgain): Promise<SourceFlags> {
  const paths = await readFile(join(folder, 'timing.json'), 'utf8').then(
    (text) => timing.safeParse(JSON.parse(text)).data?.paths ?? [],
    () => [],
  );
  const found = new Map<string, string[]>();
  for (const { role, name, sha256 } of manifest.inputs) {
    const places = paths.flatMap((one) => (one.role === role && one.path !== null ? [one.path] : []));
    const hashes = await Promise.all(places.map((path) => hashOf(path).catch((error: unknown) => errorCode(error))));
    const place = places[hashes.indexOf(sha256)];
    if (place === undefined)
      throw new UsageError(
        `${folder} ${LACKS[command]}, and ${name} that was scored is ${whyNot(places[0], hashes[0])}`,
        `name the recipe and the files: assay ${command} ${shellWord(manifest.recipe.name)} --cases FILE …`,
      );
    found.set(role, [...(found.get(role) ?? []), place]);
  }
  const [cases] = found.get('cases') ?? [];
  const [gold] = found.get('gold') ?? [];
  const predictions = found.get('predictions');
  const reviews = found.get('reviews');
  return {
    ...(cases === undefined ? {} : { cases }),
    ...(gold === undefined ? {} : { gold }),
    ...(predictions === undefined ? {} : { predictions }),
    ...(reviews === undefined ? {} : { reviews }),
  };
}

function whyNot(place: string | undefined, found: string | undefined): string {
  if (place === undefined) return 'not to be found: timing.json does not say where it is';
  if (found === 'ENOENT') return `gone from ${place}`;
  return /^[A-Z]+$/.test(found ?? '') ? `not readable at ${place} (${found ?? ''})` : `another one now at ${place}`;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
    if (Buffer.isBuffer(chunk)) hash.update(chunk);
  return hash.digest('hex');
}
