import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import { formatNamed } from '../../data/formats.ts';
import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import { planRecipe } from '../../recipe/plan.ts';
import { codePointLength } from '../../text/characters.ts';
import { findQuote, nearQuote } from '../../text/quote.ts';
import { answerCheck } from './answer-json.ts';
import BUILT_IN from './built-in-targets.json' with { type: 'json' };
import { answerFormatSetting, modelSettings, modelTarget, optionalFields, readJsonAnswer } from './model-target.ts';
import { promptBody } from './prompt.ts';
import {
  domainLine,
  fieldLines,
  fieldsOfDomain,
  isCounterpart,
  type QuoteForm,
  quoteForm,
  quotePrompt,
  quoteSchema,
} from './quote-form.ts';
import { defineTarget, TargetError } from './target.ts';

/** What becomes of an item whose quote is not in the text. */
const UNSUPPORTED = ['drop', 'flag', 'uncertain'] as const;
export type Unsupported = (typeof UNSUPPORTED)[number];

/** Raised whenever the same answer would come out otherwise. */
const RULES_VERSION = 1;

const { quotes: TARGET } = BUILT_IN;
const NO_ENTRY = 'the input has no diary entry: expected {text} or a text';

/** Objects with verbatim quotes from a text: a model, then rules. What is looked for comes from the recipe. */
export const quoteTarget = defineTarget(
  z.strictObject({
    use: z.literal(TARGET.use),
    ...modelSettings,
    answerFormat: answerFormatSetting.default('schema'),
    unsupported: z.enum(UNSUPPORTED).default('drop').meta({
      description: 'an item whose quote is not in the entry: drop it, flag it, or make its polarity uncertain',
    }),
    predictions: z.boolean().default(false).meta({ description: TARGET.predictions }),
  }),
  async (spec, context) => {
    // All that an answer has to be for the rules to look at it: they judge item by item, and say why.
    const check = answerCheck(
      { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] },
      'schema',
    );
    const usual = await planRecipe(TARGET.recipe);
    const form = quoteForm(context.plan ?? usual);
    refuseUncertain(spec.unsupported, form);
    const schema = quoteSchema(form);
    const target = await modelTarget(spec, context, {
      answerFormat: spec.answerFormat,
      schemaName: TARGET.schemaName,
      prompt: await promptBody(spec, context, quotePrompt(form)),
      identity: {
        rules: RULES_VERSION,
        schema,
        ...(isDeepStrictEqual(form, quoteForm(usual)) ? {} : { fields: form.fields }),
        ...(spec.unsupported === 'drop' ? {} : { unsupported: spec.unsupported }),
      },
      question: ({ input }) => {
        const text = isRecord(input) ? input['text'] : input;
        if (typeof text !== 'string') throw new TargetError({ kind: 'request', message: NO_ENTRY });
        const lines = { domains: domainLine(form), fields: fieldLines(form).join('\n') };
        const known = { ...optionalFields(TARGET.optional), ...lines, ...(isRecord(input) ? input : {}), text };
        return { known, text, schema };
      },
      read(answer, { text }) {
        const output = readJsonAnswer(answer, check);
        const items = isRecord(output) && Array.isArray(output['items']) ? output['items'] : [];
        return quoteRules(text, items, form, spec.unsupported);
      },
    });
    const format = formatNamed(TARGET.format);
    return spec.predictions && 'predictionLine' in format
      ? { ...target, prediction: (line) => format.predictionLine!(line) }
      : target;
  },
  TARGET.promptName,
);

function refuseUncertain(unsupported: Unsupported, { fields }: QuoteForm): void {
  const polarity = fields.find(({ name }) => name === 'polarity');
  if (unsupported !== 'uncertain' || polarity?.values.includes('uncertain') === true) return;
  throw new UsageError(
    'target.unsupported is uncertain, but the recipe has no field polarity with the value uncertain',
    'use drop or flag, or add uncertain to data.values.polarity of the recipe',
  );
}

/** What was put otherwise in an item. */
interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly because: string;
}

export interface RuledItems {
  readonly items: readonly unknown[];
  /** What was taken out. */
  readonly rejected: readonly { readonly item: unknown; readonly because: string }[];
  /** In the items that stayed, by their place among them. */
  readonly changed: readonly (Change & { readonly item: number })[];
}

/**
 * The rules after the model: an item stays if its quote is in the text word for word and its fields are of their kind.
 * `start` and `end` are the first place of the quote, in code points. A field that the domain does not have is taken
 * off, one that is missing gets the value that the recipe has for it; every change is returned. With `flag` and
 * `uncertain` an item whose quote is not in the text stays, with the reason in `unsupported`, and with a polarity of
 * uncertain; other faults still take it out.
 */
export function quoteRules(
  text: string,
  given: readonly unknown[],
  form: QuoteForm,
  unsupported: Unsupported = 'drop',
): RuledItems {
  const items: unknown[] = [];
  const rejected: { item: unknown; because: string }[] = [];
  const changed: (Change & { item: number })[] = [];
  for (const item of given) {
    const ruled = ruleOn(item, text, form, unsupported);
    if (typeof ruled === 'string') rejected.push({ item, because: ruled });
    else {
      changed.push(...ruled.changes.map((change) => ({ item: items.length, ...change })));
      items.push(ruled.item);
    }
  }
  return { items, rejected, changed };
}

const NO_QUOTE = 'there is no quote';

/** The item as it stays, or why it does not. */
function ruleOn(
  given: unknown,
  text: string,
  form: QuoteForm,
  unsupported: Unsupported,
): { readonly item: unknown; readonly changes: readonly Change[] } | string {
  if (!isRecord(given)) return 'it is no object';
  const { domain, polarity, evidence_span: quote } = given;
  if (typeof quote !== 'string') return NO_QUOTE;
  const found = quote.trim() === '' ? null : findQuote(text, quote);
  const because = found !== null ? '' : quote.trim() === '' ? NO_QUOTE : notVerbatim(text, quote);
  if (found === null && unsupported === 'drop') return because;
  if (typeof domain !== 'string' || !form.domains.includes(domain)) return notOneOf('domain', domain, form.domains);

  const own = fieldsOfDomain(form, domain);
  const item: Record<string, unknown> = { ...given };
  const changes: Change[] = [];
  for (const { name: field, values, missing, required } of own) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    const isMissing = value === undefined || value === null;
    if (isMissing && missing !== null) {
      item[field] = missing;
      changes.push({ field, from: null, to: missing, because: 'it was not given' });
    } else if (isMissing && !required) delete item[field];
    else if (values.length > 0 && (typeof value !== 'string' || !values.includes(value)))
      return notOneOf(field, value, values);
  }
  for (const field of form.fields) {
    if (own.includes(field) || !Object.hasOwn(given, field.name)) continue;
    const stray = given[field.name];
    delete item[field.name];
    if (stray === null) continue;
    const counterpart = own.find((one) => one.domains.length < form.domains.length && isCounterpart(one, [field]));
    const has = counterpart === undefined ? `no ${field.name}` : `${counterpart.name} instead`;
    changes.push({ field: field.name, from: stray, to: null, because: `${domain} has ${has}` });
  }
  if (found !== null) {
    const start = codePointLength(text.slice(0, found.start));
    return { item: { ...item, start, end: start + codePointLength(text.slice(found.start, found.end)) }, changes };
  }
  if (unsupported === 'uncertain' && polarity !== 'uncertain') {
    item['polarity'] = 'uncertain';
    changes.push({ field: 'polarity', from: polarity, to: 'uncertain', because });
  }
  return { item: { ...item, unsupported: because }, changes };
}

function notOneOf(field: string, value: unknown, allowed: readonly string[]): string {
  const found = typeof value === 'string' ? visible(shorten(value)) : value === undefined ? 'missing' : 'no text';
  return `${field} is ${found}, expected one of ${allowed.join(', ')}`;
}

function notVerbatim(text: string, quote: string): string {
  const near = nearQuote(text, quote);
  return near === 'absent' || near === 'verbatim'
    ? 'the quote is not in the text'
    : `the quote is in the text but for ${near.replace('-', ' ')}`;
}
