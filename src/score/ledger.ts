import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { ALIGNMENTS, type EndPlace, type Item, ITEM_KINDS, type ItemKind, makeItem, NO_FIELDS } from '../data/item.ts';
import { makeVerdict, type Verdict, VERDICTS } from '../judge/verdict.ts';
import type { CaseResult } from '../measure/results.ts';
import type { OffsetMap } from '../text/offsets.ts';
import { movedPlace } from '../text/pieces.ts';
import { endsInFile, finite, fragmentPlaces } from './ledger-line.ts';
import { quickCheck } from './quick-check.ts';

const pieces = z
  .array(z.object({ start: z.int(), end: z.int() }))
  .exactOptional()
  .meta({ description: 'pieces of a span that is not in one piece' });
const endPlace = z.object({ start: z.int(), end: z.int(), label: z.string(), fragments: pieces }).nullable();

/**
 * The ledger: what it holds of a verdict, and how that becomes a verdict again. Nothing is lost on the way, but for the
 * line of the file that an item came from. How it is written: ledger-line.ts.
 */
export const ITEM_FACTS = {
  annotator: z.string().optional(),
  was: z.string().optional().meta({ description: 'label before a label map' }),
  parts: z.array(z.int()).optional().meta({ description: 'indexes of the items merged into this one' }),
  grounded: z.boolean().optional(),
  ungrounded: z.string().optional().meta({ description: 'what keeps the quote from being verbatim' }),
  refused: z
    .object({ start: z.number(), end: z.number(), because: z.string() })
    .exactOptional()
    .meta({ description: 'the place that a predicted span gave, and why it was not taken' }),
  aligned: z
    .object({
      status: z.enum(ALIGNMENTS),
      ambiguous: z.boolean(),
      similarity: z.number(),
      quote: z.string().exactOptional(),
    })
    .exactOptional()
    .meta({
      description: 'how a quote without a place was found in the text; quote: its words, if the text has others',
    }),
  fragments: pieces,
  source: z.string().nullable().optional().meta({ description: 'of a relationship; null: resolves to nothing' }),
  target: z.string().nullable().optional(),
  ends: z
    .object({ source: endPlace, target: endPlace })
    .exactOptional()
    .meta({ description: 'places and types of the ends of a relationship that is compared by them; null: none' }),
  unresolved: z.array(z.string()).optional().meta({ description: 'references that no entity answers to' }),
  fields: z.record(z.string(), z.unknown()).optional(),
};

const item = z.looseObject({
  index: z.int().meta({ description: 'place in its list as given; -1 for a stretch of tokens or characters' }),
  label: z.string(),
  text: z.string(),
  start: z.int().optional().meta({ description: 'in the unit the files use' }),
  end: z.int().optional(),
  ...ITEM_FACTS,
});

/** A verdict; a line of ledger.jsonl in runs of format 2. */
export const ledgerRecordShape = z.looseObject({
  case: z.string(),
  scheme: z.string().exactOptional().meta({ description: 'absent: the recipe’s own pairing' }),
  kind: z.string(),
  verdict: z.enum(VERDICTS),
  rule: z.string(),
  label: z.string(),
  similarity: z.number().exactOptional(),
  credit: z.number().exactOptional().meta({ description: 'absent: 1' }),
  weight: z.number().exactOptional().meta({ description: 'absent: 1' }),
  match: z.string().exactOptional(),
  gold: item.optional(),
  predicted: item.optional(),
  attributes: z.record(z.string(), z.boolean()).exactOptional(),
  because: z.string().exactOptional(),
  setAside: z.boolean().exactOptional().meta({ description: 'true: left before pairing' }),
  rejected: z
    .looseObject({ index: z.int(), label: z.string(), text: z.string(), similarity: z.number(), why: z.string() })
    .exactOptional(),
});

export type { CaseResult };
export type LedgerRecord = z.infer<typeof ledgerRecordShape>;
export const isLedgerRecord: (value: unknown) => value is LedgerRecord = quickCheck(ledgerRecordShape);
/** A gold or predicted item as the ledger holds it. */
export type LedgerItem = NonNullable<LedgerRecord['gold']>;

/**
 * A verdict as the ledger has it; what has its default is left out. Places are turned from UTF-16 into the
 * unit of `offsets`.
 */
export function ledgerRecord(verdict: Verdict, offsets: OffsetMap | null): LedgerRecord {
  const { scheme, similarity, credit, weight, match, gold, predicted, attributes, because, rejected } = verdict;
  // The order of the keys is that of the file.
  const record: LedgerRecord = {
    case: verdict.case,
    ...(scheme === null ? {} : { scheme }),
    kind: verdict.kind,
    verdict: verdict.verdict,
    rule: verdict.rule,
    label: verdict.label,
  };
  if (similarity !== null) record.similarity = finite(similarity);
  if (credit !== 1) record.credit = finite(credit);
  if (weight !== 1) record.weight = finite(weight);
  if (match !== null) record.match = match;
  if (gold !== null) record.gold = itemRecord(gold, offsets);
  if (predicted !== null) record.predicted = itemRecord(predicted, offsets);
  if (attributes !== null) record.attributes = attributes;
  if (because !== null) record.because = because;
  if (verdict.setAside) record.setAside = true;
  if (rejected !== null) {
    const { index, label, text } = rejected.item;
    record.rejected = { index, label, text, similarity: finite(rejected.similarity), why: rejected.why };
  }
  return record;
}

function itemRecord(given: Item, offsets: OffsetMap | null): LedgerItem {
  const { index, label, text, start, end, annotator, was, parts, grounded, ungrounded, refused, unresolved } = given;
  const { aligned, fragments } = given;
  const record: LedgerItem = { index, label, text };
  if (start >= 0) {
    record.start = offsets === null ? start : offsets.fromUtf16(start);
    record.end = offsets === null ? end : offsets.fromUtf16(end);
  }
  if (annotator !== null) record.annotator = annotator;
  if (was !== undefined) record.was = was;
  if (parts !== null) record.parts = [...parts];
  if (grounded !== null) record.grounded = grounded;
  if (ungrounded !== undefined) record.ungrounded = ungrounded;
  if (refused !== undefined) record.refused = refused;
  if (aligned !== undefined) record.aligned = aligned;
  if (fragments !== undefined) record.fragments = fragmentPlaces(fragments, offsets);
  if (given.kind === 'relationship') {
    record.source = given.source;
    record.target = given.target;
  }
  if (given.ends !== undefined) record.ends = endsInFile(given.ends, offsets);
  if (unresolved !== undefined) record.unresolved = [...unresolved];
  if (given.fields !== NO_FIELDS) record.fields = given.fields;
  return record;
}

/** What a case is called in the files. Runs scored before there was `from` have it as the cluster of `id@variant`. */
export function idInFiles({ case: id, from, cluster }: Pick<CaseResult, 'case' | 'from' | 'cluster'>): string {
  return from ?? (cluster !== undefined && id.startsWith(`${cluster}@`) ? cluster : id);
}

/** A run folder's case with its lines of the ledger. */
export interface LedgerCase {
  readonly result: CaseResult;
  readonly records: readonly LedgerRecord[];
}

/**
 * The lines of one case as the verdicts they were. Places become UTF-16 by `offsets`; null leaves them in the unit of
 * the files. A place that is not in the text is none.
 */
export function ledgerVerdicts(records: readonly LedgerRecord[], folder: string, offsets: OffsetMap | null): Verdict[] {
  const verdicts = records.map((record) => verdictOf(record, folder, offsets));
  return verdicts.map((verdict, at) => {
    const { rejected } = records[at]!;
    if (rejected === undefined) return verdict;
    const { index, label, text, similarity, why } = rejected;
    const side = verdict.gold === null ? 'gold' : 'predicted';
    const match = verdicts.find(({ scheme, kind, [side]: other }) => {
      if (other === null || scheme !== verdict.scheme || kind !== verdict.kind) return false;
      return other.index === index && other.label === label && other.text === text;
    });
    const candidate = match?.[side] ?? makeItem({ kind: verdict.kind, index, label, text });
    return { ...verdict, rejected: { item: candidate, similarity, why } };
  });
}

function verdictOf(record: LedgerRecord, folder: string, offsets: OffsetMap | null): Verdict {
  const kind = ITEM_KINDS.find((known) => known === record.kind);
  if (kind === undefined)
    throw damaged(`${folder}: the ledger has an unknown kind of item, ${JSON.stringify(record.kind)}`);
  const { gold, predicted, rejected: _, ...rest } = record;
  return makeVerdict({
    scheme: null,
    ...rest,
    kind,
    gold: gold === undefined ? null : itemOf(gold, kind, offsets),
    predicted: predicted === undefined ? null : itemOf(predicted, kind, offsets),
  });
}

function itemOf(record: LedgerItem, kind: ItemKind, offsets: OffsetMap | null): Item {
  const { index, label, text, annotator = null, source = null, target = null, fields = NO_FIELDS } = record;
  const { was, parts = null, grounded = null, ungrounded, refused, aligned, ends, unresolved } = record;
  const placeOf = (at = -1): number => (at < 0 || offsets === null ? at : offsets.toUtf16(at));
  const [start, end] = [placeOf(record.start), placeOf(record.end)];
  const place = start < 0 || end < 0 ? {} : { start, end };
  const endOf = (one: EndPlace | null): EndPlace | null => {
    const own = one && movedPlace(one, placeOf);
    return own === null || own.start < 0 || own.end < 0 ? null : own;
  };
  return {
    ...makeItem({ kind, index, label, text, ...place, annotator, source, target, fields }),
    parts,
    grounded,
    ...(ungrounded === undefined ? {} : { ungrounded }),
    ...(was === undefined ? {} : { was }),
    ...(refused === undefined ? {} : { refused }),
    ...(aligned === undefined ? {} : { aligned }),
    ...(record.fragments === undefined
      ? {}
      : { fragments: record.fragments.map((piece) => ({ start: placeOf(piece.start), end: placeOf(piece.end) })) }),
    ...(ends === undefined ? {} : { ends: { source: endOf(ends.source), target: endOf(ends.target) } }),
    ...(unresolved === undefined ? {} : { unresolved }),
  };
}

export function damaged(message: string): UsageError {
  return new UsageError(message, 'the run folder is damaged or was changed: score again');
}
