import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { describe, InputError, isRecord, type SettingProblem, sha256Of, sortedJson } from '../../plugin.ts';
import { checkPlain, parseYaml, schemaProblems } from '../../recipe.ts';

export interface ConfigKind<T> {
  readonly name: string;
  /** Strict: a key that it does not know is reported. */
  readonly schema: z.ZodType<T>;
  /** Keys that others read, or nobody, each with the reason that the notice gives. */
  readonly idle: Readonly<Record<string, string>>;
  /** Keys with the only value that has an effect here, and why another has none. */
  readonly fixed?: Readonly<Record<string, readonly [value: unknown, why: string]>>;
}

export interface ConfigFile<T> {
  readonly path: string;
  readonly values: T;
  readonly hash: string;
  /** `FILE:LINE: KEY …`, one for each key without an effect. */
  readonly notices: readonly string[];
  /** `FILE:LINE` of a key. */
  readonly placeOf: (key: string) => string;
}

/** Reads a file of a configuration folder; null if it is not there. A wrong value is an error, an idle key a notice. */
export function readConfigFile<T>(folder: string, kind: ConfigKind<T>): ConfigFile<T> | null {
  const path = join(folder, kind.name);
  return existsSync(path) ? parseConfig(readFileSync(path, 'utf8'), path, kind) : null;
}

function parseConfig<T>(text: string, path: string, kind: ConfigKind<T>): ConfigFile<T> {
  const { value, lineOf } = parseYaml(text, path, `a ${kind.name}`);
  checkPlain(value);
  if (value !== null && !isRecord(value))
    throw new InputError([{ file: path, line: null, message: `expected keys and values, found ${describe(value)}` }]);
  const whole: Record<string, unknown> = structuredClone(value ?? {});
  const lineAt = (steps: readonly string[]): number | null => lineOf(steps)?.line ?? null;
  const placeOf = (key: string): string => [path, ...[lineAt(key.split('.')) ?? []].flat()].join(':');
  const notices: { readonly line: number | null; readonly text: string }[] = [];
  const notice = (key: string, said: string): void => {
    notices.push({ line: lineAt(key.split('.')), text: `${placeOf(key)}: ${key} ${said}` });
  };

  for (const [key, reason] of Object.entries(kind.idle))
    if ((takeOut(whole, key.split('.')) ?? null) !== null) notice(key, `is not used: ${reason}`);
  for (const [key, [only, why]] of Object.entries(kind.fixed ?? {})) {
    const found = takeOut(whole, key.split('.')) ?? null;
    if (found !== null && sortedJson(found) !== sortedJson(only))
      notice(key, `is not used: it is ${describe(found)}, and ${why}`);
  }
  const unknown = kind.schema.safeParse(whole);
  for (const { path: steps, next } of unknownKeys(kind.schema, whole, unknown.error)) {
    takeOut(whole, steps);
    notice(steps.join('.'), `is not used: nothing reads a key of that name${next === null ? '' : ` (${next})`}`);
  }
  const parsed = kind.schema.safeParse(whole);
  if (!parsed.success)
    throw new InputError(
      schemaProblems(kind.schema, whole, parsed.error, []).map(({ path: steps, message, next }) => ({
        file: path,
        line: lineAt(steps),
        field: steps.join('.'),
        message,
        ...(next === null ? {} : { next }),
      })),
    );
  return {
    path,
    values: parsed.data,
    hash: sha256Of(text),
    notices: notices.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).map(({ text: said }) => said),
    placeOf,
  };
}

function unknownKeys(schema: z.ZodType, value: unknown, error: z.ZodError | undefined): SettingProblem[] {
  const issues = error?.issues.filter(({ code }) => code === 'unrecognized_keys') ?? [];
  return schemaProblems(schema, value, new z.ZodError(issues), []).map((problem) => ({
    ...problem,
    // All names would not be a suggestion: only a close one is shown.
    next: problem.next?.startsWith('did you mean') === true ? problem.next : null,
  }));
}

/** What a key holds; it is gone from the record then, with the sections that held nothing else. */
function takeOut(record: Record<string, unknown>, [first = '', ...rest]: readonly string[]): unknown {
  if (!Object.hasOwn(record, first)) return undefined;
  const inner = record[first];
  if (rest.length === 0) {
    delete record[first];
    return inner;
  }
  if (!isRecord(inner)) return undefined;
  const within: Record<string, unknown> = { ...inner };
  const found = takeOut(within, rest);
  if (Object.keys(within).length === 0) delete record[first];
  else record[first] = within;
  return found;
}
