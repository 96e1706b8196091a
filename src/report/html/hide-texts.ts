import { join } from 'node:path';
import { z } from 'zod';

import { type Item, NO_FIELDS, PAIRED_KINDS } from '../../data/item.ts';
import { openPlain } from '../../data/read-file.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Verdict } from '../../judge/verdict.ts';
import { runFolder } from '../../score/run-folder.ts';
import type { PageHiding } from './case-page-writer.ts';
import type { ReportHead, RunView, Texts } from './report-data.ts';

export const TEXTS_LEFT_OUT = 'texts were left out of this report';

type Hide = (text: string) => string;

/** What keeps the words of documents and answers out of a report. */
export interface Hiding extends PageHiding {
  head(head: ReportHead): ReportHead;
}

/**
 * null if texts may be in the report. Ids, labels, values of slices, places and figures stay: without them there is no
 * report. So do `listed` values, which the recipe itself lists: they give nothing away.
 */
export function hidingOf(texts: Texts, listed: ReadonlySet<string> = new Set()): Hiding | null {
  switch (texts) {
    case 'full':
      return null;
    case 'redacted':
      return hiding(redacted, listed, redacted);
    case 'none':
      return hiding(
        () => '',
        listed,
        () => null,
      );
  }
}

const lists = z.record(z.string(), z.array(z.string()));

/** The values of fields that a recipe lists (`data.values`). */
export function recipeValues({ data }: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const values = isRecord(data) ? lists.safeParse(data['values']) : null;
  return new Set(values?.success === true ? Object.values(values.data).flat() : []);
}

/**
 * Every letter and digit as a block, so that length and shape stay: places still fit.
 *
 * @example redacted('Dr. Lund, 48') // '▒▒. ▒▒▒▒, ▒▒'
 */
export function redacted(text: string): string {
  return text.replaceAll(/[\p{L}\p{M}\p{N}]/gu, (character) => '▒'.repeat(character.length));
}

/** What becomes of the parts of a value: what has no rule stays as it is. Of a list, the rule is for each entry. */
type Rules<T> = T extends readonly (infer Entry)[]
  ? Rules<Entry>
  : T extends string
    ? Hide
    : T extends object
      ? ((value: T) => T) | { readonly [Key in keyof T]?: Rules<NonNullable<T[Key]>> }
      : never;

function apply<T>(value: T, rules: Rules<NonNullable<T>>): T;
function apply(value: unknown, rules: unknown): unknown {
  return changed(value, rules);
}

function changed(value: unknown, rules: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => changed(entry, rules));
  if (isRule(rules)) return rules(value);
  if (!isRecord(value) || !isRecord(rules)) return value;
  const parts = Object.entries(rules).filter(([key]) => Object.hasOwn(value, key));
  return { ...value, ...Object.fromEntries(parts.map(([key, rule]) => [key, changed(value[key], rule)])) };
}

function isRule(rules: unknown): rules is (value: unknown) => unknown {
  return typeof rules === 'function';
}

function hiding(hide: Hide, listed: ReadonlySet<string>, text: Hiding['text']): Hiding {
  const hideValue: Hide = (value) => (listed.has(value) ? value : hide(value));
  const quotes: Hide = (sentence) => withoutQuotes(sentence, hide);
  const items = { text: hide, note: quotes };
  const moves = { moves: { shown: { text: hide } } };
  const run: Rules<RunView> = {
    measures: { ungrounded: { shown: { text: hide, why: quotes } } },
    notices: quotes,
    audit: { findings: { title: quotes, why: quotes, todo: quotes, items: { shown: items } } },
    figures: {
      attributes: { values: hideValue, cells: { gold: hideValue, predicted: hideValue } },
      waterfall: { steps: moves, without: moves },
    },
  };
  const item: Rules<Item> = {
    source: hide,
    target: hide,
    text: hide,
    unresolved: hide,
    ungrounded: quotes,
    refused: { because: quotes },
    aligned: (aligned) => (aligned?.quote === undefined ? aligned : { ...aligned, quote: hideValue(aligned.quote) }),
    fields: (fields) =>
      fields === NO_FIELDS
        ? fields
        : Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hidden(value, hideValue)])),
  };
  return {
    text,
    noText: TEXTS_LEFT_OUT,
    head: (head) => apply(head, { runs: run }),
    result: (result) => apply(result, { failed: hide, failedAsEmpty: hide }),
    verdict: (given) =>
      apply(given, {
        gold: item,
        predicted: item,
        // What a rule writes is the recipe's, but for what it quotes; all else is what reviewers, servers or models wrote.
        because: isOfRule(given) ? quotes : (because) => hiddenReason(because, hide),
        rejected: { item, why: quotes },
      }),
  };
}

/** Why a call failed, what an adjudicator decided: none of it is a rule of the recipe. */
function isOfRule({ kind, rule }: Verdict): boolean {
  return rule !== 'failed' && kind !== 'class' && PAIRED_KINDS.some((paired) => paired === kind);
}

const COUNTED = /^(?:\d+ of \d+ [a-z]+|one of one|summary \d+, seq \d+ to \d+)/;

/** Counts and places give nothing away; what is after them may. */
function hiddenReason(because: string, hide: Hide): string {
  const kept = COUNTED.exec(because)?.[0] ?? '';
  return kept + hide(because.slice(kept.length));
}

/** Words anywhere inside a value; numbers and yes or no stay. */
function hidden(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((inner) => hidden(inner, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hidden(inner, hide)]));
}

/** A sentence of ours may quote a document or an answer. */
function withoutQuotes(sentence: string, hide: Hide): string {
  return sentence.replaceAll(
    /"(?:[^"\\]|\\.)*"|“[^”]*”|‘[^’]*’|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu,
    (quote) => `${quote[0] ?? ''}${hide(quote.slice(1, -1))}${quote.at(-1) ?? ''}`,
  );
}

const BLOCK = 1 << 20;
/** No head is this far from the end; a hole may be larger than any disk. */
const FARTHEST = 256 * BLOCK;
/** The match is shorter, and may be in two blocks. */
const OVERLAP = 128;
/** At the end of the head; inside its texts quotes are escaped, so that no text reads like it. */
const TEXTS = /"texts":"(full|redacted|none)","cases":\d+,"pages":\[/g;
const ORDER: readonly Texts[] = ['full', 'redacted', 'none'];

/**
 * How much of the texts a page made of these runs may hold: no more than the report of any of them. Texts that were left
 * out of a report were not meant to be seen here.
 */
export async function keptTexts(folders: readonly string[]): Promise<Texts> {
  const kept = await Promise.all(folders.map(reportTexts));
  return ORDER[Math.max(0, ...kept.map((texts) => ORDER.indexOf(texts)))] ?? 'none';
}

/** Searched from the end of the file, which has the head. */
async function reportTexts(folder: string): Promise<Texts> {
  const opened = await openPlain(join(runFolder(folder), 'report.html')).catch(() => null);
  if (opened === null) return 'full';
  const { handle: file, size } = opened;
  try {
    const block = Buffer.alloc(BLOCK + OVERLAP);
    for (let to = size; to > Math.max(0, size - FARTHEST); to -= BLOCK) {
      const from = Math.max(0, to - BLOCK);
      const { bytesRead } = await file.read(block, 0, Math.min(to + OVERLAP, size) - from, from);
      const found = [...block.toString('latin1', 0, bytesRead).matchAll(TEXTS)].at(-1)?.[1];
      const texts = ORDER.find((one) => one === found);
      if (texts !== undefined) return texts;
    }
    return size > FARTHEST ? 'none' : 'full';
  } finally {
    await file.close();
  }
}
