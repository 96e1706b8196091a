import { z } from 'zod';

import { PAIRED_KINDS } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Audit } from '../../audit/finding.ts';
import type { RunFigures } from '../../figures/run-figures.ts';
import type { CaseResult, LedgerItem } from '../../score/ledger.ts';
import type { Moves, WaterfallStep } from '../../compare/waterfall/waterfall.ts';
import type { CaseDetail, ReportHead, RunView, Texts, ViewRecord } from './report-data.ts';

export const TEXTS_LEFT_OUT = 'texts were left out of this report';

type Hide = (text: string) => string;

/**
 * What keeps the words of documents and answers out of a report: null where they may stand in it. Ids, labels, values of
 * slices, places and figures stay: without them there is no report.
 */
export interface Hiding {
  head(head: ReportHead): ReportHead;
  detail(detail: CaseDetail): CaseDetail;
}

/** `said` are the values that the recipe itself lists: they give nothing away. */
export function hidingOf(texts: Texts, said: ReadonlySet<string> = new Set()): Hiding | null {
  switch (texts) {
    case 'full':
      return null;
    case 'redacted':
      return hiding(redacted, said, (text) => (text === null ? null : redacted(text)));
    case 'none':
      return hiding(
        () => '',
        said,
        () => null,
      );
  }
}

const lists = z.record(z.string(), z.array(z.string()));

/** The values of fields that a recipe lists (`data.values`). */
export function listedValues(resolved: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const { data } = resolved;
  const found = isRecord(data) ? lists.safeParse(data['values']) : null;
  return new Set(found?.success === true ? Object.values(found.data).flat() : []);
}

/**
 * Every letter and digit as a block, so that length and shape stay: places still fit.
 *
 * @example redacted('Dr. Lund, 48') // '▒▒. ▒▒▒▒, ▒▒'
 */
export function redacted(text: string): string {
  return text.replaceAll(/[\p{L}\p{M}\p{N}]/gu, (character) => '▒'.repeat(character.length));
}

function hiding(hide: Hide, said: ReadonlySet<string>, hideText: (text: string | null) => string | null): Hiding {
  const hideValue: Hide = (value) => (said.has(value) ? value : hide(value));
  return {
    head: (head) => ({ ...head, runs: head.runs.map((run) => hiddenRun(run, hide, hideValue)) }),
    detail(detail) {
      const text = hideText(detail.text);
      return {
        case: detail.case,
        text,
        noText: text === null ? (detail.text === null ? detail.noText : TEXTS_LEFT_OUT) : null,
        runs: detail.runs.map((run) =>
          run === null
            ? null
            : {
                result: hiddenResult(run.result, hide),
                records: run.records.map((record) => hiddenRecord(record, hide, hideValue)),
              },
        ),
      };
    },
  };
}

function hiddenResult(result: CaseResult, hide: Hide): CaseResult {
  const { failed, failedAsEmpty } = result;
  return {
    ...result,
    ...(failed === undefined ? {} : { failed: hide(failed) }),
    ...(failedAsEmpty === undefined ? {} : { failedAsEmpty: hide(failedAsEmpty) }),
  };
}

function hiddenRecord(record: ViewRecord, hide: Hide, hideValue: Hide): ViewRecord {
  const { gold, predicted, because, rejected } = record;
  return {
    ...record,
    ...(gold === undefined ? {} : { gold: hiddenItem(gold, hide, hideValue) }),
    ...(predicted === undefined ? {} : { predicted: hiddenItem(predicted, hide, hideValue) }),
    // What a rule says is the recipe's, but for what it quotes; all else is what people, servers or models wrote.
    ...(because === undefined
      ? {}
      : { because: isOfRule(record) ? withoutQuotes(because, hide) : hiddenReason(because, hide) }),
    ...(rejected === undefined
      ? {}
      : { rejected: { ...rejected, text: hide(rejected.text), why: withoutQuotes(rejected.why, hide) } }),
  };
}

/** Why a call failed, what an adjudicator decided: none of it is a rule of the recipe. */
function isOfRule({ kind, rule }: ViewRecord): boolean {
  return rule !== 'failed' && kind !== 'class' && PAIRED_KINDS.some((paired) => paired === kind);
}

const COUNTED = /^(?:\d+ of \d+ [a-z]+|one of one|summary \d+, seq \d+ to \d+)/;

/** How many said so, and where it was, gives nothing away; what stands after it may. */
function hiddenReason(because: string, hide: Hide): string {
  const kept = COUNTED.exec(because)?.[0] ?? '';
  return kept + hide(because.slice(kept.length));
}

function hiddenItem(item: LedgerItem, hide: Hide, hideValue: Hide): LedgerItem {
  const { text, source, target, unresolved, ungrounded, refused, fields } = item;
  const hideEnd = (end: string | null): string | null => (end === null ? null : hide(end));
  return {
    ...item,
    ...(source === undefined ? {} : { source: hideEnd(source) }),
    ...(target === undefined ? {} : { target: hideEnd(target) }),
    text: hide(text),
    ...(unresolved === undefined ? {} : { unresolved: unresolved.map((name) => hide(name)) }),
    ...(ungrounded === undefined ? {} : { ungrounded: withoutQuotes(ungrounded, hide) }),
    ...(refused === undefined ? {} : { refused: { ...refused, because: withoutQuotes(refused.because, hide) } }),
    ...(fields === undefined
      ? {}
      : {
          fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hidden(value, hideValue)])),
        }),
  };
}

/** Words anywhere inside a value; numbers and yes or no stay. */
function hidden(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((inner) => hidden(inner, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hidden(inner, hide)]));
}

/** A sentence of ours may quote what a document or an answer says. */
function withoutQuotes(sentence: string, hide: Hide): string {
  return sentence.replaceAll(
    /"(?:[^"\\]|\\.)*"|“[^”]*”|‘[^’]*’|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu,
    (quote) => `${quote[0] ?? ''}${hide(quote.slice(1, -1))}${quote.at(-1) ?? ''}`,
  );
}

function hiddenRun(run: RunView, hide: Hide, hideValue: Hide): RunView {
  const { ungrounded } = run.measures;
  return {
    ...run,
    measures: {
      ...run.measures,
      ungrounded: {
        ...ungrounded,
        shown: ungrounded.shown.map((item) => ({ ...item, text: hide(item.text), why: withoutQuotes(item.why, hide) })),
      },
    },
    notices: run.notices.map((notice) => withoutQuotes(notice, hide)),
    audit: run.audit === null ? null : hiddenAudit(run.audit, hide),
    figures: run.figures === null ? null : hiddenFigures(run.figures, hide, hideValue),
  };
}

function hiddenAudit(audit: Audit, hide: Hide): Audit {
  return {
    ...audit,
    findings: audit.findings.map((finding) => ({
      ...finding,
      title: withoutQuotes(finding.title, hide),
      why: withoutQuotes(finding.why, hide),
      todo: withoutQuotes(finding.todo, hide),
      items: {
        ...finding.items,
        shown: finding.items.shown.map((item) => ({
          ...item,
          text: hide(item.text),
          note: item.note === null ? null : withoutQuotes(item.note, hide),
        })),
      },
    })),
  };
}

function hiddenFigures(figures: RunFigures, hide: Hide, hideValue: Hide): RunFigures {
  const { waterfall } = figures;
  const step = (one: WaterfallStep): WaterfallStep => ({
    ...one,
    moves: one.moves === null ? null : hiddenMoves(one.moves, hide),
  });
  return {
    ...figures,
    attributes: figures.attributes.map((table) => ({
      ...table,
      values: table.values.map(hideValue),
      cells: table.cells.map((cell) => ({ ...cell, gold: hideValue(cell.gold), predicted: hideValue(cell.predicted) })),
    })),
    waterfall:
      waterfall === null
        ? null
        : { ...waterfall, steps: waterfall.steps.map(step), without: waterfall.without.map(step) },
  };
}

function hiddenMoves(moves: Moves, hide: Hide): Moves {
  return { ...moves, shown: moves.shown.map((move) => ({ ...move, text: hide(move.text) })) };
}
