import { z } from 'zod';

import type { Case } from '../data/case.ts';
import type { JsonFormat, ReadContext, Row } from '../data/format.ts';
import { formatNamed } from '../data/formats.ts';
import type { Fields, Item, Side } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { describe, isRecord } from '../data/record-fields.ts';
import { makeVerdict, type Verdict } from '../judge/verdict.ts';
import { meanOverCases } from '../measure/case-measures.ts';
import { type Counter, declareQuotient, type Measure } from '../measure/measure.ts';
import type { CustomSimilarity } from '../pair/criterion.ts';
import { makeRule } from '../prepare/rule.ts';
import { onSide, setAsideWhere } from '../prepare/step.ts';
import { callCustom, type Definition, describeDefinition, type Params, paramsShape } from './definition.ts';

/** What all definitions share. */
interface Described<P> {
  /** What a recipe calls it. */
  readonly name: string;
  /** What it does, in one line: reports show it. */
  readonly about: string;
  /** Settings with their defaults: plain JSON, which a recipe, `--set` and a sweep can change. */
  readonly params?: P;
}

type MeasureInit<P> = Described<P> &
  Partial<Pick<Measure, 'direction' | 'range' | 'unit' | 'best'>> & {
    /** Why there is no value, if nothing is below the line, or no case has a value. */
    readonly nothing?: string;
  } & (
    | {
        /** What a verdict adds above the line, */
        readonly over: (verdict: Verdict, params: P) => number;
        /** and below it. */
        readonly under: (verdict: Verdict, params: P) => number;
      }
    | {
        /** The value of one case, null if it has none; the measure is the mean over cases. */
        readonly ofCase: (verdicts: readonly Verdict[], params: P) => number | null;
      }
  );

/**
 * A custom measure: a ratio of sums over verdicts, or the mean of a value per case. It gets its n, interval and
 * slices as built-in ones do.
 *
 * @example defineMeasure({
 *   name: 'long_recall', about: 'recall of gold of at least `min` characters', params: { min: 10 },
 *   over: ({ verdict, gold }, { min }) => Number(verdict === 'hit' && gold!.text.length >= min),
 *   under: ({ gold, verdict }, { min }) => Number(verdict !== 'excused' && (gold?.text.length ?? 0) >= min),
 * })
 */
export function defineMeasure<P extends Params = Params>(init: MeasureInit<P>): Definition {
  const { name, about, params, nothing = 'nothing to measure', ...rest } = init;
  const { direction = 'higher', range = [0, 1], unit, best } = init;
  const words = { about, direction, range, unit, best, nothing };
  return {
    ...describeDefinition('measure', init),
    defines: 'measure',
    measure: {
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
    },
  };
}

type RuleInit<P> = Described<P> &
  (
    | {
        readonly stage: 'prepare';
        /** Why an item leaves before pairing (the ledger keeps it as excused); null: it stays. */
        readonly setAside?: (item: Item, params: P, side: Side, given: Case) => string | null;
        /** The item as it is compared: another label, text or place. */
        readonly change?: (item: Item, params: P, side: Side, given: Case) => Item;
      }
    | {
        readonly stage: 'judge';
        /** What becomes of a verdict, with the reason; null: it stays as it is. */
        readonly judge: (verdict: Verdict, params: P, given: Case) => Ruling | null;
      }
  );

const ruling = z.union([
  z.strictObject({ verdict: z.literal(['excused', 'wrong']), because: z.string().min(1) }),
  z.strictObject({ credit: z.number().min(0).max(1), because: z.string().min(1) }),
]);

/**
 * What a rule of `judge` makes of a verdict: excused; of a hit, wrong (its gold is missed, its prediction spurious), or
 * worth less than 1.
 */
export type Ruling = z.infer<typeof ruling>;

/**
 * A rule of `prepare` or `judge`. No item can get lost in it: what leaves is set aside with a reason, and a verdict is
 * changed, never removed. `explain` and the waterfall show it by its name.
 *
 * @example defineRule({
 *   stage: 'judge', name: 'excuse-short', about: 'spurious predictions below `min` characters are excused', params: { min: 3 },
 *   judge: ({ verdict, predicted }, { min }) =>
 *     verdict === 'spurious' && predicted!.text.length < min ? { verdict: 'excused', because: `shorter than ${min}` } : null,
 * })
 */
export function defineRule<P extends Params = Params>(init: RuleInit<P>): Definition {
  const { name, about, params } = init;
  const described = describeDefinition('rule', init);
  const shape = z.strictObject(paramsShape(params ?? {}));
  const what = `rule ${name}`;
  // The user's code may look at the order of the items, so the signature does.
  const own = { name, about, params: shape, readsOrder: true } as const;
  if (init.stage === 'judge')
    return {
      ...described,
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
    ...described,
    stage: 'prepare',
    rule: makeRule({
      ...own,
      step: (given, rule) => (read) => {
        const settings = settingsOf(params, given);
        const { setAside = () => null, change } = init;
        const kept = setAsideWhere(read, 'both', rule, (item, side) =>
          callCustom(what, ` in case ${read.id}`, () => setAside(item, settings, side, read)),
        );
        if (change === undefined) return kept;
        return onSide(kept, 'both', (items, side) =>
          items.map((item) => ({
            ...callCustom(what, ` in case ${read.id}`, () => change(item, settings, side, read)),
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

/**
 * A similarity, 0 (nothing in common) to 1 (the same), for `pair.similarity`.
 *
 * @example defineSimilarity({ name: 'same-start', about: 'same first word', compare: (gold, predicted) => … })
 */
export function defineSimilarity(
  init: Omit<Described<never>, 'params'> & { readonly compare: CustomSimilarity },
): Definition {
  return { ...describeDefinition('similarity', init), compare: init.compare };
}

interface FormatInit extends Omit<Described<never>, 'params'> {
  /** One short record, shown by messages. */
  readonly example: string;
  /** The built-in format whose records it gives: `spans`, `graph`, `journal` … */
  readonly as: string;
  /** Whether the first record of a file looks like this format. */
  readonly detects: (record: Fields) => boolean;
  /** The record in the built-in format: one, or several cases; null: the record holds no case. */
  readonly convert: (record: Fields, context: Pick<ReadContext, 'role' | 'file'>) => Fields | readonly Fields[] | null;
}

/**
 * A format of JSON records, by how a record of it is written in a built-in one, which checks offsets, ids and fields.
 *
 * @example defineFormat({ name: 'tagged', about: '…', example: '…', as: 'spans', detects: (record) => 'entities' in record,
 *   convert: ({ key, body, entities }) => ({ id: key, text: body, spans: entities }) })
 */
export function defineFormat(init: FormatInit): Definition {
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
  const format: JsonFormat = {
    kind: 'json',
    name,
    about,
    example,
    detects: (record) => callCustom(`format ${name}`, '', () => init.detects(record)),
    read,
  };
  return { ...describeDefinition('format', init), format };
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
