import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { InputError, type Problem, UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { YamlDocument } from '../../recipe/yaml-document.ts';
import {
  COMMAND_LINE,
  experimentOf,
  type ExperimentOverrides,
  type FlagOf,
  type LoadedExperiment,
  NO_DOCUMENT,
  readExperimentFile,
} from './load-experiment.ts';
import { fileNameOf, RECORD_FILE, runFolderOf, RUNS_FOLDER } from './run-folder.ts';

/** One of the systems of an experiment: a run of its own, and a file of its answers beside the folder of the run. */
export interface LoadedSystem {
  readonly system: string;
  readonly loaded: LoadedExperiment;
  readonly results: string;
}

export interface LoadedSystems {
  /** Null: one target, which is the run itself. */
  readonly systems: readonly LoadedSystem[] | null;
  /** The first of them. */
  readonly loaded: LoadedExperiment;
}

const LONGEST_NAME = 80;
const MOST_SYSTEMS = 100;

/** An experiment of one target, or of several systems by name, from a file (`systems:`) or from flags. */
export function loadSystems(path: string | null, over: ExperimentOverrides, flagOf: FlagOf): LoadedSystems {
  const document = path === null ? NO_DOCUMENT : readExperimentFile(path);
  const { value } = document;
  const written = isRecord(value) ? value['systems'] : undefined;
  const { systems: fromFlags, ...others } = over;
  if (fromFlags === undefined && written === undefined)
    return { systems: null, loaded: experimentOf(path, document, over, flagOf) };
  if (fromFlags !== undefined && written !== undefined)
    throw new UsageError(
      `${path ?? ''} names its systems, and so do the flags`,
      'give --model, --target and --answers once at most, or change systems: in the file',
    );
  const file = path ?? COMMAND_LINE;
  const given = fromFlags ?? written;
  const targets = isRecord(given) ? given : {};
  const names = Object.keys(targets);
  const fault = faultOf(names, isRecord(value) && written !== undefined && 'target' in value);
  if (fault !== null)
    throw new InputError([{ file, line: document.lineOf(['systems'])?.line ?? null, field: 'systems', ...fault }]);
  const base = others['name'] ?? (isRecord(value) ? value['name'] : undefined);
  const out = others['out'] ?? (isRecord(value) ? value['out'] : undefined);
  const parent = typeof out === 'string' ? out : typeof base === 'string' ? runFolderOf({ name: base }) : RUNS_FOLDER;
  if (existsSync(join(parent, RECORD_FILE)))
    throw new UsageError(
      `${parent} holds the run of one target, and several systems get a folder each inside`,
      'name another folder with --out',
    );
  const problems = new Map<string, Problem>();
  const systems = names.flatMap((system): LoadedSystem[] => {
    const own = {
      name: typeof base === 'string' ? `${base}-${system}` : system,
      out: join(parent, fileNameOf(system)),
    };
    const target = targets[system];
    try {
      const loaded =
        fromFlags === undefined
          ? experimentOf(path, documentOf(document, system), { ...others, ...own }, flagOf)
          : experimentOf(path, document, { ...others, ...own, target }, flagOf);
      return [{ system, loaded, results: join(parent, `results_${fileNameOf(system)}.jsonl`) }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // What is wrong with all of them is told once.
      for (const problem of error.problems) {
        const field =
          fromFlags === undefined ? problem.field?.replace(/^target\b/, `systems.${system}`) : problem.field;
        const told = field === undefined ? problem : { ...problem, field };
        problems.set(JSON.stringify(told), told);
      }
      return [];
    }
  });
  if (problems.size > 0) throw new InputError([...problems.values()]);
  for (const one of systems) refuseForeignResults(one);
  return { systems, loaded: systems[0]!.loaded };
}

/** The document as if it named this system alone. */
function documentOf({ value, lineOf }: YamlDocument, system: string): YamlDocument {
  const { systems, ...rest } = isRecord(value) ? value : {};
  return {
    value: { ...rest, target: isRecord(systems) ? systems[system] : undefined },
    lineOf: ([first = '', ...path]) => lineOf(first === 'target' ? ['systems', system, ...path] : [first, ...path]),
  };
}

function faultOf(names: readonly string[], hasTarget: boolean): { message: string; next: string } | null {
  const EXAMPLE = 'systems: { plain: { use: vanilla, model: … }, rag: { use: rag, … } }';
  if (names.length === 0)
    return { message: 'expected targets by the name of the system', next: `for example ${EXAMPLE}` };
  if (hasTarget)
    return { message: 'expected target or systems, found both', next: 'make the target one of the systems' };
  if (names.length > MOST_SYSTEMS)
    return {
      message: `expected at most ${MOST_SYSTEMS} systems, found ${names.length}`,
      next: 'run them in several calls',
    };
  const bad = names.find((name) => fileNameOf(name) === '' || name.length > LONGEST_NAME || name === '__proto__');
  if (bad !== undefined)
    return {
      message: `a system cannot be called ${visible(shorten(bad))}: its run gets a folder of that name`,
      next: `letters, digits, dots, hyphens and underscores, ${LONGEST_NAME} at most`,
    };
  // Some disks take Rag and rag for the same.
  const keys = names.map((name) => fileNameOf(name).toLowerCase());
  const twice = names.find((_, at) => keys.indexOf(keys[at]!) !== at);
  if (twice === undefined) return null;
  return {
    message: `two systems would both have the folder ${visible(fileNameOf(twice))}`,
    next: 'name them: --target NAME=rag:FOLDER, --model NAME=PROVIDER/MODEL, --answers NAME=FILE',
  };
}

/** Answers that no run here has written may be all that there is of them. */
function refuseForeignResults({ loaded, results }: LoadedSystem): void {
  const folder = runFolderOf(loaded.experiment);
  if (!existsSync(results) || existsSync(join(folder, RECORD_FILE))) return;
  throw new UsageError(
    `${results} is there already, and there is no run in ${folder} that it could be of`,
    'name another folder with --out, or move the file away',
  );
}
