import { basename } from 'node:path';

import { readText } from '../../../data/read-file.ts';
import { schemaProblems } from '../../../prepare/schema-problems.ts';
import { SettingError } from '../../../prepare/setting-error.ts';
import { checkPlain } from '../../../recipe/check-plain.ts';
import { placeIn } from '../../../recipe/place-in.ts';
import { applyAssignment, type Assignment, parseAssignment } from '../../../recipe/set-value.ts';
import { parseYaml, type YamlDocument } from '../../../recipe/yaml-document.ts';
import { effectiveGrid, type SweepGrid, sweepGrid } from './sweep-grid.ts';

const MOST_BYTES = 1 << 20;

export interface ReadGrid {
  readonly grid: SweepGrid;
  /** File name without its folder; null where the usual grid is taken. */
  readonly name: string | null;
  /** Settings of the file that have no effect here. */
  readonly unused: readonly string[];
}

/** The usual grid, or one from a file, with `--set` lines laid over it. */
export async function readGrid(file: string | null, set: readonly string[] = []): Promise<ReadGrid> {
  const written: YamlDocument =
    file === null
      ? { value: {}, lineOf: () => null }
      : parseYaml((await readText(file, MOST_BYTES)).text, file, 'a calibration grid');
  checkPlain(written.value);
  const assignments: Assignment[] = [];
  const whole = set.reduce<unknown>((base, line) => {
    const assignment = parseAssignment(base, longName(line));
    assignments.push(assignment);
    return applyAssignment(base, assignment);
  }, written.value ?? {});
  checkPlain(whole);
  const parsed = sweepGrid.safeParse(whole);
  if (!parsed.success) {
    const layers = file === null ? [] : [{ name: file, lineOf: written.lineOf }];
    throw new SettingError(schemaProblems(sweepGrid, whole, parsed.error, []), (path) =>
      placeIn(layers, assignments, path),
    );
  }
  return { ...effectiveGrid(parsed.data), name: file === null ? null : basename(file) };
}

/** The one setting that replay knows by a short name, too. */
function longName(line: string): string {
  return line.replace(/^\s*maxWait\s*=/, 'max_wait=');
}
