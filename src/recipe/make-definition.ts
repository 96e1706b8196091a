import { z } from 'zod';

import type { JsonFormat, ReadContext, Row } from '../data/format.ts';
import { formatNamed } from '../data/formats.ts';
import type { Fields, Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { describe, isRecord } from '../data/record-fields.ts';
import type { JudgeStep } from '../judge/step.ts';
import { makeVerdict, type Verdict } from '../judge/verdict.ts';
import { meanOverCases } from '../measure/case-measures.ts';
import { type Counter, declareQuotient } from '../measure/measure.ts';
import type { CustomMeasure } from '../measure/measures.ts';
import { makeRule, type Rule } from '../prepare/rule.ts';
import { onSide, type PrepareStep, setAsideWhere } from '../prepare/step.ts';
import {
  callCustom,
  type FormatInit,
  type MeasureInit,
  type Params,
  type CustomRuleInit,
  type Ruling,
} from './definition.ts';

/** The measure that `defineMeasure` describes. */
export function customMeasure(init: MeasureInit<Params>): CustomMeasure {
  const { name, about, params, nothing = 'nothing to measure', ...rest } = init;
  const { direction = 'higher', range = [0, 1], unit, best } = init;
  const words = { about, direction, range, unit, best, nothing };
  return {
    name,
    shape: paramsShape(params ?? {}),
    make(given) {
      const settings = settingsOf(params, given);
      const key = `${name} ${JSON.stringify(settings)}`;
      if ('ofCase' in rest)
        return meanOverCases(
          `custom:${key}`,
          (verdicts) => {
            const value = callCustom(`measure ${name}`, placeOf(verdicts[0]), () => rest.ofCase(verdicts, settings));
            return value === null ? null : finite(value, name, verdicts[0]);
          },
          words,
        );
      const sum = (line: 'over' | 'under'): Counter => ({
        key: `custom-${line}:${key}`,
        of: (verdict) =>
          finite(
            callCustom(`measure ${name}`, placeOf(verdict), () => rest[line](verdict, settings)),
            name,
            verdict,
          ),
      });
      return declareQuotient({ ...words, proportion: false, over: [sum('over')], under: [sum('under')] });
    },
  };
}

const ruling: z.ZodType<Ruling> = z.union([
  z.strictObject({ verdict: z.literal(['excused', 'wrong']), because: z.string().min(1) }),
  z.strictObject({ credit: z.number().min(0).max(1), because: z.string().min(1) }),
]);

export type CustomRule =
  | { readonly stage: 'prepare'; readonly rule: Rule<PrepareStep> }
  | { readonly stage: 'judge'; readonly rule: Rule<JudgeStep> };

/** The rule that `defineRule` describes. */
export function customRule(init: CustomRuleInit<Params>): CustomRule {
  const { name, about, params } = init;
  const shape = z.strictObject(paramsShape(params ?? {}));
  const what = `rule ${name}`;
  // The user's code may look at the order of the items, so the signature does.
  const own = { name, about, params: shape, readsOrder: true } as const;
  if (init.stage === 'judge')
    return {
      stage: 'judge',
      rule: makeRule({
        ...own,
        step(given, rule) {
          const settings = settingsOf(params, given);
          return (verdicts, scored) =>
            verdicts.flatMap((verdict) => {
              const made = callCustom(what, placeOf(verdict), () => init.judge(verdict, settings, scored));
              return made === null ? [verdict] : ruled(verdict, made, rule);
            });
        },
      }),
    };
  return {
    stage: 'prepare',
    rule: makeRule({
      ...own,
      step: (given, rule) => (read) => {
        const settings = settingsOf(params, given);
        const kept = setAsideWhere(read, 'both', rule, (item, side) =>
          callCustom(what, ` in case ${read.id}`, () => init.setAside?.(item, settings, side, read) ?? null),
        );
        if (init.change === undefined) return kept;
        return onSide(kept, 'both', (items, side) =>
          items.map((item) => ({
            ...callCustom(what, ` in case ${read.id}`, () => init.change?.(item, settings, side, read) ?? item),
            // What names the item in the ledger stays.
            kind: item.kind,
            index: item.index,
            line: item.line,
          })),
        );
      },
    }),
  };
}

/** The format that `defineFormat` describes. */
export function customFormat(init: FormatInit): JsonFormat {
  const { name, about, example, as } = init;
  const built = formatNamed(as);
  if (built.kind !== 'json')
    throw new UsageError(`format ${name}: ${as} is not a format of JSON records`, 'as: spans, graph or journal');
  const read = (record: Fields, line: number, context: ReadContext): Row[] => {
    const converted = callCustom(`format ${name}`, ` at ${context.file}:${line}`, () => init.convert(record, context));
    return [converted ?? []].flat().flatMap((one) => {
      if (isRecord(one)) return built.read(one, line, context) ?? [];
      throw new UsageError(
        `the custom format ${name} gave ${describe(one)} at ${context.file}:${line}`,
        'return a record',
      );
    });
  };
  return {
    kind: 'json',
    name,
    about,
    example,
    detects: (record) => callCustom(`format ${name}`, '', () => init.detects(record)),
    read,
  };
}

/** The settings of the recipe that the definition declares. */
function settingsOf<P extends Params>(defaults: P | undefined, given: object): P {
  const own = Object.keys(defaults ?? {}).map((name): [string, unknown] => [name, Reflect.get(given, name)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the types of the defaults
  return Object.fromEntries(own) as P;
}

function placeOf(verdict: Verdict | undefined): string {
  return verdict === undefined ? '' : ` in case ${verdict.case}`;
}

function finite(value: unknown, name: string, verdict: Verdict | undefined): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new UsageError(
    `the custom measure ${name} gave ${describe(value)}${placeOf(verdict)}`,
    'return a finite number',
  );
}

/** The verdict, or the two that a hit becomes. No item gets lost: gold and prediction are each in one of them. */
function ruled(own: Verdict, given: unknown, rule: string): Verdict[] {
  const { data, error } = ruling.safeParse(given);
  const refuse = (message: string, next: string) =>
    new UsageError(`the custom rule ${rule} ${message}${placeOf(own)}`, next);
  if (data === undefined)
    throw refuse(
      `gave ${describe(given)}, which is no ruling (${error.issues[0]?.message ?? ''})`,
      'return null, { verdict: "excused" or "wrong", because }, or { credit, because }',
    );
  const { because } = data;
  if ('verdict' in data && data.verdict === 'excused') return [{ ...own, verdict: 'excused', rule, because }];
  const { gold, predicted, case: id, scheme, kind, weight, similarity } = own;
  if (own.verdict !== 'hit' || gold === null || predicted === null)
    throw refuse(`made a verdict ${own.verdict} wrong or worth less`, 'only a hit can be; others can be excused');
  if ('credit' in data) return [{ ...own, credit: data.credit, rule, because }];
  const half = (verdict: 'missed' | 'spurious', item: Item, other: Item): Verdict =>
    makeVerdict({
      case: id,
      scheme,
      kind,
      weight,
      verdict,
      rule,
      because,
      label: item.label,
      [verdict === 'missed' ? 'gold' : 'predicted']: item,
      rejected: { item: other, similarity: similarity ?? 0, why: because },
    });
  return [half('missed', gold, predicted), half('spurious', predicted, gold)];
}

/** A setting has to be of the same type as its default. */
function paramsShape(defaults: Params): z.core.$ZodShape {
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, typeLike(value).default(value)]));
}

function typeLike(value: unknown): z.ZodType {
  if (typeof value === 'number') return z.number();
  if (typeof value === 'string') return z.string();
  if (typeof value === 'boolean') return z.boolean();
  if (Array.isArray(value)) return z.array(value.length === 0 ? z.unknown() : typeLike(value[0]));
  return z.unknown();
}
