import type { Format } from '../data/format.ts';
import { FORMATS } from '../data/formats.ts';
import { UsageError } from '../data/problems.ts';
import { JUDGE_RULES } from '../judge/rules.ts';
import type { JudgeStep } from '../judge/step.ts';
import { MEASURE_FORMS } from '../measure/measure-params.ts';
import type { CustomMeasure } from '../measure/measures.ts';
import { SIMILARITIES } from '../pair/similarity.ts';
import type { Rule } from '../prepare/rule.ts';
import { PREPARE_RULES } from '../prepare/rules.ts';
import type { PrepareStep } from '../prepare/step.ts';
import { AUDIT_CHECKS } from './audit-section.ts';
import { type Definition, isDefinition } from './definition.ts';
import { customFormat, customMeasure, customRule } from './make-definition.ts';
import { loadModule } from './user-module.ts';

/** A recipe object without the definitions among its modules, and these. */
export function takeDefinitions(recipe: string | object): { recipe: string | object; define: readonly Definition[] } {
  const modules: unknown = typeof recipe === 'string' ? null : Reflect.get(recipe, 'modules');
  if (!Array.isArray(modules)) return { recipe, define: [] };
  const [define, paths] = [modules.filter(isDefinition), modules.filter((one) => !isDefinition(one))];
  return { recipe: { ...(typeof recipe === 'string' ? {} : recipe), modules: paths }, define };
}

/** Everything a recipe may name: from its modules, then from code. */
export async function loadDefinitions(
  modules: readonly string[] = [],
  folder: string,
  define: readonly Definition[],
): Promise<readonly Definition[]> {
  const all: Definition[] = [];
  for (const path of modules) {
    const { exports, sha256 } = await loadModule(path, folder, { what: 'module', of: 'recipe' });
    const own = Object.values(exports).flat().filter(isDefinition);
    if (own.length === 0)
      throw new UsageError(
        `module ${path}: it exports no definition`,
        'export what defineMeasure, defineRule, defineSimilarity, defineFormat or defineCheck return',
      );
    all.push(...own.map((one) => ({ ...one, module: path, sha256 })));
  }
  const definitions = [...new Set([...all, ...define])];
  refuseTaken(definitions);
  return definitions;
}

/** No name twice, and none that is built in. */
function refuseTaken(definitions: readonly Definition[]): void {
  const builtIn: Readonly<Record<Definition['defines'], readonly string[]>> = {
    measure: MEASURE_FORMS,
    rule: [...PREPARE_RULES, ...JUDGE_RULES].map(({ name }) => name),
    similarity: Object.keys(SIMILARITIES),
    format: FORMATS.map(({ name }) => name),
    check: AUDIT_CHECKS,
  };
  const seen = new Set<string>();
  for (const { defines, name } of definitions) {
    const key = `${defines} ${name}`;
    if (builtIn[defines].includes(name))
      throw new UsageError(`there is a built-in ${key} already`, 'give the custom one another name');
    if (seen.has(key)) throw new UsageError(`two definitions of the ${key}`, 'rename one of them');
    seen.add(key);
  }
}

/** The rules of both stages, built-in ones first. */
export function rulesOf(definitions: readonly Definition[]) {
  const prepare: Rule<PrepareStep>[] = [...PREPARE_RULES];
  const judge: Rule<JudgeStep>[] = [...JUDGE_RULES];
  for (const one of definitions) {
    if (one.defines !== 'rule') continue;
    const made = built(one, () => customRule(one.init));
    if (made.stage === 'prepare') prepare.push(made.rule);
    else judge.push(made.rule);
  }
  return { prepare, judge };
}

export function customMeasures(definitions: readonly Definition[]): ReadonlyMap<string, CustomMeasure> {
  return new Map(
    definitions.flatMap((one) =>
      one.defines === 'measure' ? [[one.name, built(one, () => customMeasure(one.init))] as const] : [],
    ),
  );
}

export function customFormats(definitions: readonly Definition[]): Format[] {
  return definitions.flatMap((one) => (one.defines === 'format' ? [built(one, () => customFormat(one.init))] : []));
}

const BUILT = new WeakMap<Definition, object>();

/** What a definition describes, made once: variants of a recipe share it. */
function built<T extends object>(one: Definition, make: () => T): T {
  const made = BUILT.get(one) ?? make();
  BUILT.set(one, made);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a definition is built by its own kind only
  return made as T;
}
