import { type ItemKind, type LoggedKind, PAIRED_KINDS, type PairedKind } from '../data/item.ts';
import { PLAIN_COVER } from '../pair/cover.ts';
import { type Criterion, type CustomSimilarity, makeCriterion, type PairSettings } from '../pair/criterion.ts';
import { isModulePath, SIMILARITIES } from '../pair/similarity.ts';
import { settingError, SettingProblems, unknownName } from '../prepare/setting-error.ts';
import { isOff, isPlainOn } from './on-off.ts';
import { taskTitle } from './task-title.ts';
import { loadModuleExport } from './user-module.ts';
import type { Definition } from './definition.ts';
import type { CriterionSection, KindsSection, PairSection, Recipe } from './schema.ts';

/** One way of pairing: the recipe's own (`name` null) or a scheme beside it. */
export interface Scheme {
  readonly name: string | null;
  readonly pair: ReadonlyMap<PairedKind, PairSettings>;
}

/** The kinds whose items are paired. */
const PAIRED_OF_TASK: Readonly<Record<Recipe['task'], readonly PairedKind[]>> = {
  journal: ['object'],
  pii: ['span'],
  graph: ['entity', 'relationship'],
  stream: ['concept'],
  consult: ['class', 'component'],
  scores: [],
};

const LOGGED_OF_TASK: Readonly<Partial<Record<Recipe['task'], readonly LoggedKind[]>>> = {
  stream: ['summary', 'grounding', 'decision', 'flush', 'trace'],
  consult: ['answer', 'rating', 'tick', 'claim', 'readability'],
  scores: ['answer', 'score'],
};

export function pairedOfTask(task: Recipe['task']): readonly PairedKind[] {
  return PAIRED_OF_TASK[task];
}

/** Every kind of item that verdicts of a task can be about. */
export function kindsOfTask(task: Recipe['task']): readonly ItemKind[] {
  return [...PAIRED_OF_TASK[task], ...(LOGGED_OF_TASK[task] ?? []), 'review', 'outcome'];
}

/** The recipe's own pairing first, then the schemes; and the hashes of the users' modules they need. */
export async function schemesOf(
  recipe: Recipe,
  folder: string,
  definitions: readonly Definition[] = [],
): Promise<{ schemes: Scheme[]; modules: Readonly<Record<string, string>> }> {
  const modules: Record<string, string> = {};
  const custom = new Map(
    definitions.flatMap((one) => (one.defines === 'similarity' ? [[one.name, one.compare] as const] : [])),
  );
  const problems = new SettingProblems();
  const build = async (name: string | null, base: KindsSection, over: KindsSection): Promise<Scheme> => {
    const path = name === null ? ['pair'] : ['schemes', name];
    const pair = new Map<PairedKind, PairSettings>();
    for (const kind of problems.attempt(() => pairedKinds(recipe.task, over, path)) ?? []) {
      // Settings for one kind override those for all kinds, and the scheme overrides the recipe's own pairing.
      const section = { ...forAll(base), ...base[kind], ...forAll(over), ...over[kind] };
      try {
        pair.set(kind, await pairSettingsOf(section, path, { folder, modules, custom }));
      } catch (error) {
        problems.add(error);
      }
    }
    return { name, pair };
  };
  const schemes = [await build(null, {}, recipe.pair)];
  for (const [name, section] of Object.entries(recipe.schemes)) {
    if (isOff(section)) continue;
    // A scheme starts from the recipe's own pairing, less its alternatives.
    schemes.push(await build(name, withoutAccept(recipe.pair), isPlainOn(section) ? {} : section));
  }
  problems.throwIfAny();
  return { schemes, modules };
}

function pairedKinds(task: Recipe['task'], section: KindsSection, path: readonly string[]): readonly PairedKind[] {
  const kinds = PAIRED_OF_TASK[task];
  const strange = PAIRED_KINDS.find((kind) => section[kind] !== undefined && !kinds.includes(kind));
  if (strange !== undefined)
    throw settingError(
      [...path, strange],
      `a recipe for ${taskTitle(task)} has no items of this kind`,
      `it has: ${kinds.join(', ')}`,
    );
  return kinds;
}

function forAll(section: KindsSection): PairSection {
  const rest = { ...section };
  for (const kind of PAIRED_KINDS) delete rest[kind];
  return rest;
}

function withoutAccept(section: KindsSection): KindsSection {
  const { accept: _, ...rest } = section;
  for (const kind of PAIRED_KINDS) {
    const own = rest[kind];
    if (own === undefined) continue;
    const { accept: _own, ...others } = own;
    rest[kind] = others;
  }
  return { ...rest, unit: 'item' };
}

/** A user's own similarity by its path, `./mine.js` or `./mine.js#name`; what it returns is checked each time. */
const SIMILARITY = {
  what: 'similarity',
  of: 'recipe',
  isWanted: (value: unknown): value is CustomSimilarity => typeof value === 'function',
  expected: '(gold, predicted) => number from 0 to 1',
};

/** What a recipe takes from outside: functions by name, and files by path, whose hashes are kept. */
interface UserCode {
  readonly folder: string;
  readonly modules: Record<string, string>;
  readonly custom: ReadonlyMap<string, CustomSimilarity>;
}

async function pairSettingsOf(
  section: PairSection,
  path: readonly string[],
  { folder, modules, custom }: UserCode,
): Promise<PairSettings> {
  const {
    accept,
    assign = 'greedy',
    ties = 'content',
    partial = 1,
    unit = 'item',
    tokens = 'file',
    cover = PLAIN_COVER,
    duplicates,
    ...own
  } = section;
  const alternatives: (readonly [string, CriterionSection])[] = [];
  for (const [name, criterion] of Object.entries(accept ?? { pair: null })) {
    if (isOff(criterion)) continue;
    alternatives.push([name, isPlainOn(criterion) ? own : { ...own, ...criterion }]);
  }
  if (alternatives.length === 0)
    throw settingError([...path, 'accept'], 'every alternative is off', 'leave at least one, or remove accept');
  const criteria: Criterion[] = [];
  for (const [name, settings] of alternatives) {
    const similarity = settings.similarity ?? 'exact';
    const module = isModulePath(similarity) ? await loadModuleExport(similarity, folder, SIMILARITY) : null;
    const code = module?.code ?? custom.get(similarity);
    if (module !== null) modules[similarity] = module.sha256;
    else if (code === undefined && !Object.hasOwn(SIMILARITIES, similarity))
      throw unknownName([...path, 'similarity'], 'similarity', similarity, [
        ...Object.keys(SIMILARITIES),
        ...custom.keys(),
      ]);
    // The very function, so that variants of a recipe can be seen to compare alike.
    criteria.push(makeCriterion(name, { ...settings, own: code }));
  }
  if (duplicates === 'excuse' && criteria.some(({ similarity }) => similarity !== 'relation'))
    throw settingError(
      [...path, 'duplicates'],
      'only relationships are compared without their duplicates',
      'set it under relationship, with similarity: relation; for other items use prepare.dedupe',
    );
  return {
    accept: criteria,
    assign,
    ties,
    partial,
    unit,
    ...(duplicates === undefined ? {} : { duplicates }),
    ...(unit === 'token' ? { tokens } : {}),
    ...(unit === 'cover' || unit === 'cover-token' ? { cover } : {}),
  };
}
