import { statSync } from 'node:fs';

import type { Problem } from '../../data/problems.ts';
import { UsageError } from '../../data/problems.ts';
import { readWritten } from '../../data/read-file.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { checkPlain } from '../../recipe/check-plain.ts';
import { parseYaml } from '../../recipe/yaml-document.ts';
import { misfits, type Rule, ruleOf, ruleSchema, rulesSchema } from './rules.ts';

/** Where rules are looked for when none are named. */
export const USUAL_FILE = 'gate.yaml';

export interface RulesFile {
  /** As the user named it. */
  readonly file: string;
  readonly rules: readonly Rule[];
  /** What is wrong with the file by itself, refused together with what does not fit the run. */
  readonly problems: readonly Problem[];
  readonly problemOf: ProblemOf;
}

/** A problem of a rule (from 1), or of a key of it such as `minimum.n`, with its line. */
export type ProblemOf = (rule: number, key: string | null, message: string, next: string | null) => Problem;

const EXAMPLE = 'for example rules: [{ measure: f1, atLeast: 0.8 }]';

/** Reads a file of rules. Throws when there is none or it is no YAML; what the rules say wrong is gathered. */
export function readRules(file: string): RulesFile {
  const next = `name a file with --rules FILE, or write ${USUAL_FILE}; ${EXAMPLE}`;
  let text: string;
  try {
    if (statSync(file).isDirectory()) throw new UsageError(`${file} is a folder, expected a file of rules`, next);
    text = readWritten(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = errorCode(error);
    throw new UsageError(
      code === 'ENOENT' ? `there is no file of rules ${file}` : `cannot read the rules ${file} (${code})`,
      next,
    );
  }
  return parseRules(text, file);
}

export function parseRules(text: string, file: string): RulesFile {
  const { value, lineOf } = parseYaml(text, file, 'a file of gate rules');
  checkPlain(value);
  const place = (path: readonly string[], field: string, message: string, next: string | null): Problem => ({
    file,
    line: lineOf(path)?.line ?? null,
    field,
    message,
    ...(next === null ? {} : { next }),
  });
  const problemOf: ProblemOf = (rule, key, message, next) =>
    place(
      ['rules', String(rule - 1), ...(key?.split('.') ?? [])],
      `rule ${rule}${key === null ? '' : ` ${key}`}`,
      message,
      next,
    );

  const written = isRecord(value) ? value['rules'] : undefined;
  const list: readonly unknown[] = Array.isArray(written) ? written : [];
  const problems: Problem[] = [];
  if (list.length === 0) {
    const found = Array.isArray(written) ? 'an empty list' : describe((isRecord(value) ? written : value) ?? undefined);
    problems.push(place(['rules'], 'rules', `expected a list of rules, found ${found}: it could never block`, EXAMPLE));
  }
  const checked = rulesSchema.safeParse(value);
  if (!checked.success && isRecord(value)) {
    for (const { path, message, next } of schemaProblems(rulesSchema, value, checked.error, [])) {
      const [top, at, ...keys] = path;
      if (top !== 'rules') problems.push(place(path, path.join('.'), message, next));
      else if (at !== undefined)
        problems.push(
          // The rule is named already: `minimum.cases` says enough.
          problemOf(
            Number(at) + 1,
            keys.join('.') || null,
            message,
            next?.replaceAll(`rules.${at}.`, '') ?? hintFor(keys),
          ),
        );
    }
  }
  const rules = list.flatMap((one, at) => {
    const own = ruleSchema.safeParse(one);
    if (!own.success) return [];
    const wrong = misfits(own.data);
    problems.push(...wrong.map(({ key, message, next }) => problemOf(at + 1, key, message, next)));
    return wrong.length > 0 ? [] : ruleOf(own.data, at + 1, lineOf(['rules', String(at)])?.line ?? null);
  });
  return { file, rules, problems, problemOf };
}

/** YAML takes 2024 and true for a number and a truth value. */
function hintFor([key, inner]: readonly string[]): string | null {
  return key === 'slice' && inner !== undefined ? 'write it in quotes' : null;
}
