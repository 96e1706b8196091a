import { hash } from 'node:crypto';

import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import type { JsonFormat, TextFormat } from '../data/format.ts';
import type { JudgeStep } from '../judge/step.ts';
import type { CustomMeasure } from '../measure/measures.ts';
import type { CustomSimilarity } from '../pair/criterion.ts';
import type { Rule } from '../prepare/rule.ts';
import type { PrepareStep } from '../prepare/step.ts';

/** Also known to another copy of Assay that a module was written against. */
const MARK = Symbol.for('assay.definition');

interface Base<Kind extends string> {
  readonly defines: Kind;
  readonly name: string;
  /** What it does, in one line. */
  readonly about: string;
  /** Hash of its functions and settings; for a module, of the whole file. */
  readonly sha256: string;
  /** The module it comes from; null for a definition made in code. */
  readonly module: string | null;
}

/** What user code adds to the recipe language, made by `defineMeasure`, `defineRule` and the others. */
export type Definition =
  | (Base<'measure'> & { readonly measure: CustomMeasure })
  | (Base<'rule'> & { readonly stage: 'prepare'; readonly rule: Rule<PrepareStep> })
  | (Base<'rule'> & { readonly stage: 'judge'; readonly rule: Rule<JudgeStep> })
  | (Base<'similarity'> & { readonly compare: CustomSimilarity })
  | (Base<'format'> & { readonly format: JsonFormat | TextFormat })
  // What a check is, src/audit knows.
  | (Base<'check'> & { readonly check: object });

/** What all definitions share; `init` is what the user wrote, whose text joins the signature. */
export function describeDefinition<Of extends Definition['defines']>(
  defines: Of,
  init: { readonly name: string; readonly about: string },
) {
  const { name, about } = init;
  if (!/^[A-Za-z][\w-]*$/.test(name))
    throw new UsageError(`${defines} ${JSON.stringify(name)}: a name is letters, digits, - and _`, 'rename it');
  return { [MARK]: true, defines, name, about, sha256: hash('sha256', sourceOf(init)), module: null } as const;
}

export function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && Reflect.get(value, MARK) === true;
}

/** Functions as they are written, everything else as JSON, in the order of the names. */
function sourceOf(value: unknown): string {
  if (typeof value === 'function') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
  const parts = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([key, part]) => `${key}:${sourceOf(part)}`).join(',')}}`;
}

/** Settings that a recipe may change, by their defaults. */
export type Params = Readonly<Record<string, unknown>>;

/** A setting has to be of the same type as its default. */
export function paramsShape(defaults: Params): z.core.$ZodShape {
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, typeLike(value).default(value)]));
}

function typeLike(value: unknown): z.ZodType {
  if (typeof value === 'number') return z.number();
  if (typeof value === 'string') return z.string();
  if (typeof value === 'boolean') return z.boolean();
  if (Array.isArray(value)) return z.array(value.length === 0 ? z.unknown() : typeLike(value[0]));
  return z.unknown();
}

/** Calls user code: what it throws is the user's to fix, and the message names the definition and the case. */
export function callCustom<T>(what: string, where: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw customFailure(what, where, error);
  }
}

export function customFailure(what: string, where: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  return new UsageError(
    `the custom ${what} failed${where} (${error instanceof Error ? error.message : String(error)})`,
    'fix its code, or remove it from the recipe',
  );
}

/** As the manifest lists them, in the order of their names; all of it joins the signature. */
export function definitionFacts(definitions: readonly Definition[]) {
  return definitions
    .map(({ defines, name, about, sha256, module }) => ({
      defines,
      name,
      about,
      ...(module === null ? {} : { module }),
      sha256,
    }))
    .toSorted((a, b) => (`${a.defines} ${a.name}` < `${b.defines} ${b.name}` ? -1 : 1));
}
