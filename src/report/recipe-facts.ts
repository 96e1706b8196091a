import { z } from 'zod';

import { PAIR_UNITS } from '../pair/criterion.ts';
import { type ConsultSection, consultSection, PLAIN_CONSULT } from '../recipe/consult-section.ts';
import { customFacts } from '../score/retally.ts';
import type { Run } from '../score/run.ts';
import type { OffsetUnit } from '../text/offsets.ts';

const asked = z.looseObject({ question: z.array(z.string()).optional() }).optional();
const measures = z.record(
  z.string(),
  z.looseObject({
    of: z.string(),
    kind: z.string().nullable().default(null),
    require: z.array(z.string()).default([]),
    requireByLabel: z.array(z.string()).default([]),
    countExcused: z.boolean().default(false),
    beta: z.number().default(1),
    heading: z.string().optional(),
    about: z.string().optional(),
    over: z.looseObject({ kind: z.string().optional(), where: asked }).optional(),
    where: asked,
    by: z
      .union([z.literal('none'), z.looseObject({ slice: z.string(), labels: z.array(z.string()).default([]) })])
      .optional(),
  }),
);
const data = z.looseObject({
  offsets: z.enum(['utf16', 'codepoint', 'byte']),
  failed: z.enum(['leave-out', 'empty']).default('leave-out'),
});
const rules = z.record(z.string(), z.unknown());
const pairs = z.record(
  z.string(),
  z.looseObject({
    accept: z.array(z.looseObject({ name: z.string() })).default([]),
    unit: z.enum(PAIR_UNITS).default('item'),
  }),
);
const attributes = z.record(
  z.string(),
  z.looseObject({ field: z.string(), missing: z.string().nullable().default(null) }),
);
const ruleName = z.looseObject({ rule: z.string() });
const labelled = z.looseObject({ labels: z.array(z.string()) });
const reviewForm = z.looseObject({ fields: z.record(z.string(), z.unknown()) });
const classNames = z.looseObject({ classes: z.record(z.string(), z.unknown()) });
const interval = z.looseObject({ cluster: z.string().nullable() });

export type MeasureForm = z.infer<typeof measures>[string];
export type AttributeField = z.infer<typeof attributes>[string];
export type Unit = 'item' | 'token' | 'character';

/** What a report has to know of the recipe, from the manifest. A part that reads otherwise is taken as not given. */
export interface RecipeFacts {
  readonly measures: Readonly<Record<string, MeasureForm>>;
  readonly attributes: Readonly<Record<string, AttributeField>>;
  /** Names of the schemes beside the recipe's own, in its order. */
  readonly schemes: readonly string[];
  readonly offsets: OffsetUnit;
  /** What a case counts as that the system failed on. */
  readonly failed: 'leave-out' | 'empty';
  /** Names of the recipe's own pairing criteria. */
  readonly pairRules: ReadonlySet<string>;
  /** Measures that the recipe puts first; empty where it puts none. */
  readonly primary: readonly string[];
  /** Whether the spread over cases is shown next to each value. */
  readonly spread: boolean;
  /** The classes that the recipe knows by name; null where it has none. */
  readonly classes: readonly string[] | null;
  /** What user code added to it. */
  readonly custom: z.infer<typeof customFacts>;
  /** Classes that leave the denominator of accuracy. */
  readonly leftOut: readonly string[];
  readonly consult: ConsultSection;
  readonly hasForm: boolean;
  /** Whether a question is put to anybody, as far as is known: a custom form may not have it. */
  asks(question: string): boolean;
  /** The column whose values are resampled instead of cases. */
  readonly cluster: string | null;
  /** What a verdict of a scheme counts. */
  unit(scheme: string | null): Unit;
}

export function recipeFacts(run: Run): RecipeFacts {
  return factsOf(run.manifest.recipe.resolved);
}

/** The same for a recipe that has not scored anything yet. */
export function factsOf(resolved: Readonly<Record<string, unknown>>): RecipeFacts {
  const own = orElse(pairs, resolved['pair'], {});
  const schemes = orElse(z.record(z.string(), pairs), resolved['schemes'], {});
  const dataFacts = orElse<Pick<RecipeFacts, 'offsets' | 'failed'>>(data, resolved['data'], {
    offsets: 'codepoint',
    failed: 'leave-out',
  });
  const form = reviewForm.safeParse(resolved['review']);
  const labelsOf = (found: readonly { params: unknown }[]): string[] =>
    found.flatMap(({ params }) => orElse(labelled, params, { labels: [] }).labels);
  return {
    measures: orElse(measures, resolved['measure'], {}),
    attributes: orElse(attributes, resolved['attributes'], {}),
    schemes: Object.keys(schemes),
    offsets: dataFacts.offsets,
    failed: dataFacts.failed,
    pairRules: new Set(['pair', ...Object.values(own).flatMap((kind) => kind.accept.map(({ name }) => name))]),
    primary: orElse(z.array(z.string()), resolved['primary'], []),
    spread: orElse(z.boolean(), resolved['spread'], false),
    classes:
      named(resolved['prepare'], 'read-class')
        .map(({ params }) => Object.keys(orElse(classNames, params, { classes: {} }).classes))
        .find((names) => names.length > 0) ?? null,
    custom: customFacts.parse(resolved['custom']),
    leftOut: labelsOf(named(resolved['prepare'], 'leave-out-gold')),
    consult: orElse(consultSection, resolved['consult'], PLAIN_CONSULT),
    hasForm: resolved['review'] != null,
    asks: (question) => !form.success || Object.hasOwn(form.data.fields, question),
    cluster: orElse<{ cluster: string | null }>(interval, resolved['interval'], { cluster: null }).cluster,
    unit: (scheme) => {
      const unit = Object.values(scheme === null ? own : (schemes[scheme] ?? {}))[0]?.unit ?? 'item';
      return unit === 'cover' ? 'item' : unit === 'cover-token' ? 'token' : unit;
    },
  };
}

/** What the values of a measure by label are called as slices; null where it has none. */
export function labelSlice({ by }: Pick<MeasureForm, 'by'>): string | null {
  if (by === 'none') return null;
  return by?.slice ?? 'label';
}

/** The question of the review form whose answers a measure is made of; null where people are not asked. */
export function measureQuestion({ measures: forms, consult }: RecipeFacts, name: string): string | null {
  const form = forms[name];
  const kind = form?.kind ?? form?.over?.kind;
  if (kind === 'claim') return consult.claims;
  if (kind === 'tick') return consult.ticks;
  const where = form?.where ?? (kind === 'review' || kind === 'outcome' ? form?.over?.where : undefined);
  return where?.question?.[0] ?? null;
}

/** The entries of a stage that are a certain rule, whatever name they go by. */
function named(stage: unknown, rule: string): { name: string; params: unknown }[] {
  return Object.entries(orElse(rules, stage, {}))
    .filter(([name, params]) => orElse(ruleName, params, { rule: name }).rule === rule)
    .map(([name, params]) => ({ name, params }));
}

function orElse<T>(schema: z.ZodType<T>, value: unknown, otherwise: T): T {
  const checked = schema.safeParse(value);
  return checked.success ? checked.data : otherwise;
}
