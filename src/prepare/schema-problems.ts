import type { z } from 'zod';

import { describe } from '../data/record-fields.ts';
import { settingNamesAt } from './setting-names.ts';
import { type SettingProblem, suggestion } from './setting-error.ts';

type Issue = z.core.$ZodIssue;

/** What a schema finds wrong with a value, each with its path and the nearest right name. */
export function schemaProblems(
  schema: z.ZodType,
  value: unknown,
  error: z.ZodError,
  path: readonly string[],
): SettingProblem[] {
  return error.issues.flatMap((issue) => problemsOf(issue, schema, value, path));
}

function problemsOf(issue: Issue, schema: z.ZodType, value: unknown, path: readonly string[]): SettingProblem[] {
  const own = issue.path.map(String);
  const at = [...path, ...own];
  if (issue.code === 'unrecognized_keys') {
    const names = settingNamesAt(schema, own);
    return issue.keys.map((key) => ({
      path: [...at, key],
      message: `there is no setting called ${key}`,
      // In a union the name may be one of another branch: it is no news to whoever wrote it.
      next: suggestion(
        key,
        names.filter((name) => name !== key),
        'settings',
        at,
      ),
    }));
  }
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.find(isMeant)?.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    if (inner !== undefined) return inner.flatMap((one) => problemsOf(one, schema, value, path));
  }
  const found = valueAt(value, own);
  const wanted = expected(issue);
  if (wanted.length === 0) return [{ path: at, message: lowerFirst(issue.message), next: null }];
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const next = choices.length > 1 && typeof found === 'string' ? suggestion(found, choices, 'values') : null;
  return [{ path: at, message: `expected ${wanted.join(' or ')}, found ${describe(found)}`, next }];
}

/** Of the branches of a union, the one that a value was meant for does not refuse it as a whole. */
function isMeant(branch: readonly Issue[]): boolean {
  return branch.length > 0 && branch.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys');
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a mapping',
  record: 'a mapping',
  string: 'text',
  tuple: 'a list',
};

function expected(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [TYPE_NAMES[issue.expected] ?? issue.expected];
  if (issue.code === 'invalid_union') return [...new Set(issue.errors.flat().flatMap(expected))];
  if (issue.code === 'too_small' || issue.code === 'too_big') return sizeWords(issue);
  if (issue.code !== 'invalid_value') return [];
  const values = issue.values.map(String);
  return [values.length > 1 ? `one of ${values.join(', ')}` : values.join('')];
}

type SizeIssue = Extract<Issue, { readonly code: 'too_small' | 'too_big' }>;

/** How large a value has to be; nothing where the schema says it in words of its own. */
function sizeWords(issue: SizeIssue): string[] {
  if (!/^Too (?:small|big): /.test(issue.message)) return [];
  const least = issue.code === 'too_small';
  const bound = least ? issue.minimum : issue.maximum;
  const { origin } = issue;
  if (origin === 'string' || origin === 'array') {
    const what = origin === 'string' ? 'a text' : 'a list';
    if (least && Number(bound) <= 1) return [`${what} that is not empty`];
    return [`${what} of at ${least ? 'least' : 'most'} ${bound} ${origin === 'string' ? 'characters' : 'entries'}`];
  }
  if (origin !== 'number' && origin !== 'int') return [];
  const limit = issue.inclusive === false ? (least ? 'above' : 'below') : `of at ${least ? 'least' : 'most'}`;
  return [`${origin === 'int' ? 'a whole number' : 'a number'} ${limit} ${bound}`];
}

function lowerFirst(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}
