import { z } from 'zod';

import { describe } from '../data/record-fields.ts';
import { type SettingProblem, suggestion } from './setting-error.ts';

type Issue = z.core.$ZodIssue;

/** What a schema finds wrong with a value, each with its path and the closest valid name. */
export function schemaProblems(
  schema: z.ZodType,
  value: unknown,
  { issues }: { readonly issues: readonly Issue[] },
  path: readonly string[],
): SettingProblem[] {
  return issues.flatMap((issue) => problemsOf(issue, schema, value, path));
}

function problemsOf(issue: Issue, schema: z.ZodType, value: unknown, path: readonly string[]): SettingProblem[] {
  const own = issue.path.map(String);
  const at = [...path, ...own];
  if (issue.code === 'unrecognized_keys') {
    const names = settingNamesAt(schema, own);
    return issue.keys.map((key) => {
      // In a union the name may be one of another branch: suggesting it would not help.
      const others = names.filter((name) => name !== key);
      const message = `there is no setting called ${key}`;
      return { path: [...at, key], message, next: suggestion(key, others, 'settings', at) };
    });
  }
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.find(isMeant)?.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    if (inner !== undefined) return schemaProblems(schema, value, { issues: inner }, path);
  }
  const found = own.reduce<unknown>((one, part) => (hasPart(one, part) ? Reflect.get(one, part) : undefined), value);
  const wanted = expected(issue);
  if (wanted.length === 0) {
    const message = `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
    return [{ path: at, message, next: null }];
  }
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

/** What the size of a value is counted in. */
const PARTS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', int: '', number: '' };

/** How large a value has to be; nothing if the schema has its own message. */
function sizeWords(issue: Extract<Issue, { readonly code: 'too_small' | 'too_big' }>): string[] {
  const parts = PARTS[issue.origin];
  if (parts === undefined || !/^Too (?:small|big): /.test(issue.message)) return [];
  const what = issue.origin === 'string' ? 'a text' : TYPE_NAMES[issue.origin]!;
  const least = issue.code === 'too_small';
  const bound = least ? issue.minimum : issue.maximum;
  if (parts !== '' && least && Number(bound) <= 1) return [`${what} that is not empty`];
  const isOpen = parts === '' && issue.inclusive === false;
  const limit = isOpen ? (least ? 'above' : 'below') : `of at ${least ? 'least' : 'most'}`;
  return [`${what} ${limit} ${bound}${parts}`];
}

function hasPart(value: unknown, part: string): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, part);
}

/** The settings that a schema knows at a path, to suggest the closest one. */
function settingNamesAt(schema: z.ZodType, path: readonly string[]): string[] {
  let open: readonly unknown[] = [schema];
  for (const part of path) open = open.flatMap((one) => inside(one, part));
  return [...new Set(open.flatMap(objects).flatMap((object) => Object.keys(object.shape)))];
}

function inside(schema: unknown, part: string): readonly unknown[] {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, part) ? [schema.shape[part]] : [];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (schema instanceof z.ZodArray) return [schema.element];
  return wrapped(schema).flatMap((inner) => inside(inner, part));
}

function objects(schema: unknown): z.ZodObject[] {
  return schema instanceof z.ZodObject ? [schema] : wrapped(schema).flatMap(objects);
}

/** What stands inside an optional, a default, a union or a preprocessed value. */
function wrapped(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional) return [schema.unwrap()];
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return [schema.unwrap()];
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodPipe) return [schema.out];
  return [];
}
