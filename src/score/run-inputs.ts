import { join } from 'node:path';

import { z } from 'zod';

import { readPlain } from '../data/read-file.ts';
import { errorCode } from '../data/source.ts';
import { storedDigest } from '../data/stored-digest.ts';
import type { Manifest, Run } from './run.ts';

const timing = z.looseObject({ paths: z.array(z.looseObject({ role: z.string(), path: z.string().nullable() })) });
const MOST_TIMING_BYTES = 1 << 20;
/** What is larger is read again only where the user names it: to hash it takes minutes. */
const MOST_INPUT_BYTES = 2 ** 32;

/** A file or folder that was scored, as far as it can be read again. */
export interface RunInput extends Pick<Manifest['inputs'][number], 'role' | 'name' | 'format'> {
  /** Its path at the time; null if unknown, or if it was read from standard input. */
  readonly path: string | null;
  readonly state: 'as it was' | 'unknown' | 'standard input' | 'gone' | 'changed' | 'unreadable';
  /** Of what is unreadable: why. */
  readonly why: string;
}

/**
 * The files and folders that a run was scored from. Their paths are as the run's author recorded them: what is there is
 * opened only as plain files, and read only if it has the length of what was scored.
 */
export async function runInputs({ folder, manifest }: Pick<Run, 'folder' | 'manifest'>): Promise<RunInput[]> {
  const paths = await recordedPaths(folder);
  return await Array.fromAsync(manifest.inputs, async ({ role, name, format, sha256, bytes }, at) => {
    let found: RunInput = { role, name, format, path: null, state: 'unknown', why: '' };
    // Several of a role are in the order of the inputs, and two of them may be alike.
    for (const { path } of [...paths.slice(at, at + 1), ...paths].filter((one) => one.role === role)) {
      const looked = await look(path, sha256, bytes);
      if (found.state === 'unknown' || looked.state === 'as it was') found = { role, name, format, path, ...looked };
      if (looked.state === 'as it was') break;
    }
    return found;
  });
}

async function recordedPaths(folder: string): Promise<z.infer<typeof timing>['paths']> {
  try {
    const bytes = await readPlain(join(folder, 'timing.json'), { most: MOST_TIMING_BYTES });
    return timing.parse(JSON.parse(bytes.toString('utf8'))).paths;
  } catch {
    // It decides no number: without it nobody knows where the files are.
    return [];
  }
}

async function look(path: string | null, sha256: string, bytes: number): Promise<Pick<RunInput, 'state' | 'why'>> {
  if (path === null) return { state: 'standard input', why: '' };
  try {
    const digest = await storedDigest(path, { most: MOST_INPUT_BYTES, bytes });
    return { state: digest?.sha256 === sha256 ? 'as it was' : 'changed', why: '' };
  } catch (error) {
    const why = errorCode(error);
    return { state: why === 'ENOENT' ? 'gone' : 'unreadable', why };
  }
}
