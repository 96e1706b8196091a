import { statSync } from 'node:fs';

import { z } from 'zod';

import { type Problem, UsageError } from '../../data/problems.ts';
import { readWritten } from '../../data/read-file.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import type { Slice } from '../../measure/results.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { checkPlain } from '../../recipe/check-plain.ts';
import { parseYaml } from '../../recipe/yaml-document.ts';

/** Where rules are looked for when none are named. */
export const USUAL_FILE = 'gate.yaml';
const EXAMPLE = 'for example rules: [{ measure: f1, atLeast: 0.8 }]';

const SHARES = ['undefined', 'failed', 'unanswered'] as const;
/** The keys of a rule that say what is demanded; a rule has one of them. */
const DEMANDS = ['atLeast', 'atMost', 'notWorseThan', ...SHARES] as const;

const shareLimit = z.strictObject({
  atMost: z.number().min(0).meta({ description: 'largest share allowed: 0.01 is 1 %' }),
});

/** One rule as it is written. Which keys go together is checked afterwards, so that all that is wrong can be said. */
export const ruleSchema = z
  .strictObject({
    measure: z.string().meta({ description: 'name of a measure of the run' }),
    slice: z
      .record(z.string(), z.string())
      .meta({ description: 'the value of one slice, such as { label: PERSON }; without it the overall value' }),
    each: z.string().meta({ description: 'label, or a column that slices: a check for every value of it' }),
    small: z.enum(['inconclusive', 'skip', 'cannot-tell']).meta({
      description:
        'with each: what becomes of slices that are below the minimum; cannot-tell is the former name of inconclusive',
    }),
    atLeast: z.number().meta({ description: 'floor, for a measure of which more is better' }),
    atMost: z.number().meta({ description: 'ceiling, for a measure of which less is better' }),
    sure: z.boolean().meta({ description: 'the interval must be on the right side too' }),
    notWorseThan: z
      .strictObject({ margin: z.number().min(0).meta({ description: 'how much worse than the baseline is allowed' }) })
      .meta({ description: 'non-inferiority against --baseline' }),
    undefined: shareLimit.meta({ description: 'share of cases for which the measure has no value' }),
    failed: shareLimit.meta({ description: 'share of cases that failed' }),
    unanswered: shareLimit.meta({ description: 'share of cases without a prediction' }),
    minimum: z
      .strictObject({
        n: z.int().min(1).meta({ description: 'least n of the measure' }),
        cases: z.int().min(1).meta({ description: 'least number of cases, or of clusters of them' }),
      })
      .partial()
      .meta({ description: 'with less than this nothing can be told' }),
  })
  .partial();
type WrittenRule = z.infer<typeof ruleSchema>;

export const rulesSchema = z.strictObject({ rules: z.array(ruleSchema).min(1) });

export type GateRule = ReturnType<typeof ruleOf>;
/** A value must be on one side of a limit. */
export type FloorRule = Extract<GateRule, { kind: 'floor' }>;
/** A value must not be worse than the baseline's by more than a margin. */
export type MarginRule = Extract<GateRule, { kind: 'margin' }>;
/** A share of the run's cases must not be larger than a limit. */
export type ShareRule = Extract<GateRule, { kind: 'share' }>;
export type MeasureRule = FloorRule | MarginRule;

export interface RulesFile {
  /** As the user named it. */
  readonly file: string;
  readonly rules: readonly GateRule[];
  /** What is wrong with the file by itself, refused together with what does not fit the run. */
  readonly problems: readonly Problem[];
  /** A problem of a rule (from 1), or of a key of it such as `minimum.n`, with its line. */
  readonly problemOf: (rule: number, key: string | null, message: string, next: string | null) => Problem;
}

/** Reads a file of rules. Throws if it is missing or not YAML; mistakes in the rules are collected. */
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
      code === 'ENOENT' ? `rules file not found: ${file}` : `cannot read the rules ${file} (${code})`,
      next,
    );
  }
  return parseRules(text, file);
}

export function parseRules(text: string, file: string): RulesFile {
  const { value, lineOf } = parseYaml(text, file, 'a file of gate rules');
  checkPlain(value);
  const problemAt = (path: readonly string[], message: string, next: string | null): Problem => {
    const [, at, ...keys] = path;
    const field = at === undefined ? path.join('.') : `rule ${Number(at) + 1} ${keys.join('.')}`.trimEnd();
    return { file, line: lineOf(path)?.line ?? null, field, message, ...(next === null ? {} : { next }) };
  };
  const problemOf: RulesFile['problemOf'] = (rule, key, message, next) =>
    problemAt(['rules', String(rule - 1), ...(key?.split('.') ?? [])], message, next);

  const written = isRecord(value) ? value['rules'] : undefined;
  const list: readonly unknown[] = Array.isArray(written) ? written : [];
  const problems: Problem[] = [];
  if (list.length === 0) {
    const found = Array.isArray(written) ? 'an empty list' : describe((isRecord(value) ? written : value) ?? undefined);
    problems.push(problemAt(['rules'], `expected a list of rules, found ${found}: it could never block`, EXAMPLE));
  }
  const checked = rulesSchema.safeParse(value);
  if (!checked.success && isRecord(value))
    for (const { path, message, next } of schemaProblems(rulesSchema, value, checked.error, [])) {
      const [top, at, key, inner] = path;
      // YAML takes 2024 and true for a number and a truth value.
      const hint = key === 'slice' && inner !== undefined ? 'write it in quotes' : null;
      // The rule is named already: `minimum.cases` is enough.
      if (top !== 'rules' || at !== undefined)
        problems.push(problemAt(path, message, next?.replaceAll(`rules.${at ?? ''}.`, '') ?? hint));
    }
  const rules = list.flatMap((one, at) => {
    const { data } = ruleSchema.safeParse(one);
    if (data === undefined) return [];
    const wrong = misfits(data);
    problems.push(...wrong.map((misfit) => problemOf(at + 1, ...misfit)));
    return wrong.length > 0 ? [] : ruleOf(data, at + 1, lineOf(['rules', String(at)])?.line ?? null);
  });
  return { file, rules, problems, problemOf };
}

type Misfit = readonly [key: string | null, message: string, next: string];

/** Keys of a rule that do not go together, and shares that could never block. */
function misfits(rule: WrittenRule): Misfit[] {
  const [demand, ...more] = DEMANDS.filter((key) => rule[key] !== undefined);
  if (demand === undefined) return [[null, 'it demands nothing', `say one of ${DEMANDS.join(', ')}`]];
  if (more.length > 0) return [[null, `it demands ${[demand, ...more].join(' and ')}`, 'write a rule for each']];
  const found: Misfit[] = [];
  const add = (...misfit: Misfit): unknown => found.push(misfit);
  const share = SHARES.find((key) => key === demand);
  const hasMeasure = share === undefined || share === 'undefined';
  if (hasMeasure && rule.measure === undefined) add(null, `${demand} needs a measure`, 'say measure: NAME');
  if (!hasMeasure && rule.measure !== undefined)
    add('measure', `${demand} counts cases, whatever the measure`, 'take measure out');
  for (const key of ['slice', 'each', 'sure', 'small'] as const)
    if (share !== undefined && rule[key] !== undefined)
      add(key, `${demand} is about all cases of the run`, `take ${key} out`);
  if (demand === 'notWorseThan' && rule.sure !== undefined)
    add('sure', 'notWorseThan goes by the interval as it is', 'take sure out');
  if (share === undefined && rule.small !== undefined && (rule.each === undefined || rule.minimum === undefined))
    add('small', 'it is for slices below a minimum', 'say each and minimum, or take small out');
  if (rule.each !== undefined && Object.hasOwn(rule.slice ?? {}, rule.each))
    add('each', `slice already sets the ${rule.each}`, 'take one of the two out');
  if (share !== undefined && rule.minimum?.n !== undefined)
    add('minimum.n', 'a share is over cases', 'say minimum: { cases: … }');
  if (share !== undefined && (rule[share]?.atMost ?? 0) >= 1)
    add(`${share}.atMost`, 'no share is larger than 1, so the rule could never block', 'give a smaller share');
  return found;
}

/**
 * A rule that fits together, as judging wants it: `number` is its place in the file, from 1; of `minimum` 0 is none; an
 * empty `slice` is the overall value, and of the slice key `each` every value is checked.
 */
function ruleOf(written: WrittenRule, number: number, line: number | null) {
  const { measure = '', each = null, small, atLeast, atMost, sure = false, notWorseThan, minimum = {} } = written;
  const slice: Slice = written.slice ?? {};
  const placed = { number, line, minimum: { n: minimum.n ?? 0, cases: minimum.cases ?? 0 } };
  const ofMeasure = { ...placed, measure, slice, each, skipSmall: small === 'skip' };
  if (notWorseThan !== undefined) return { kind: 'margin' as const, ...ofMeasure, ...notWorseThan };
  const side = atLeast === undefined ? ('atMost' as const) : ('atLeast' as const);
  const limit = atLeast ?? atMost;
  if (limit !== undefined) return { kind: 'floor' as const, ...ofMeasure, side, limit, sure };
  const of = SHARES.find((key) => written[key] !== undefined) ?? 'failed';
  const ofCases = { of, measure: of === 'undefined' ? measure : null, limit: written[of]?.atMost ?? 0 };
  return { kind: 'share' as const, ...placed, ...ofCases };
}
