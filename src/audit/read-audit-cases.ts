import { offsetsFor } from '../data/check-spans.ts';
import type { Item } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { OffsetMap, OffsetUnit } from '../text/offsets.ts';
import { expectCounts } from '../score/expect-counts.ts';
import { ledgerVerdict } from '../score/ledger-verdict.ts';
import { damaged, type LedgerItem, type LedgerRecord, readCaseResults, readLedger } from '../score/read-ledger.ts';
import type { Run } from '../score/run.ts';
import type { AuditCase } from './check.ts';
import { isByAnnotator, stringAt } from './recipe-parts.ts';

/** Where the texts of cases come from, asked for in the order of the cases. */
export interface TextSource {
  of(id: string): Promise<string | null>;
  /** What keeps every text from being had, or from being trusted. */
  readonly notice?: string | null;
}

/** The cases of a run folder as they were when they had just been scored; texts are as good as `texts`. */
export async function* readAuditCases(run: Run, texts: TextSource | null): AsyncGenerator<AuditCase> {
  const { resolved } = run.manifest.recipe;
  const byAnnotator = isByAnnotator(resolved);
  const unit = unitOf(stringAt(resolved['data'], 'offsets'));
  const place = `${run.folder}/ledger.jsonl`;
  const ledger = readLedger(run.folder);
  let next = await ledger.next();
  for await (const result of readCaseResults(run.folder)) {
    const records: LedgerRecord[] = [];
    while (next.done !== true && next.value.case === result.case) {
      if (next.value.scheme === undefined) records.push(next.value);
      next = await ledger.next();
    }
    const { case: id, counts, measures, failed = null, failedAsEmpty, answered = true } = result;
    const { slices = null, cluster = null } = result;
    const text = texts === null ? null : await texts.of(byAnnotator ? documentOf(id, records) : id);
    const offsets = offsetsFor(text, unit);
    const verdicts = records.map((record) => verdictOf(record, place, offsets));
    expectCounts(run.folder, result, verdicts);
    yield { id, text, failed, failedAsEmpty, answered, verdicts, slices, cluster, counts, measures };
  }
  if (next.done !== true) throw damaged(`${place}: case ${JSON.stringify(next.value.case)} is not in cases.jsonl`);
}

/** The id in the files: a case scored once per annotator is called `document@annotator`. */
function documentOf(id: string, records: readonly LedgerRecord[]): string {
  const annotator = records.map(({ gold }) => gold?.annotator).find((name) => name !== undefined);
  if (annotator !== undefined && id.endsWith(`@${annotator}`)) return id.slice(0, -annotator.length - 1);
  const at = id.lastIndexOf('@');
  return at > 0 ? id.slice(0, at) : id;
}

/** With all that the ledger says of it, and its places in UTF-16 again. */
function verdictOf(record: LedgerRecord, place: string, offsets: OffsetMap | null): Verdict {
  const verdict = ledgerVerdict(record, place);
  const { gold, predicted } = verdict;
  const { rejected } = record;
  const other = gold ?? predicted;
  return {
    ...verdict,
    gold: gold === null ? null : itemOf(gold, record.gold, offsets),
    predicted: predicted === null ? null : itemOf(predicted, record.predicted, offsets),
    rejected:
      rejected === undefined || other === null
        ? null
        : {
            item: { ...other, index: rejected.index, label: rejected.label, text: rejected.text, start: -1, end: -1 },
            similarity: rejected.similarity,
            why: rejected.why,
          },
  };
}

function itemOf(item: Item, written: LedgerItem | undefined, offsets: OffsetMap | null): Item {
  const was = written?.was;
  const ungrounded = written?.ungrounded;
  const unresolved = written?.['unresolved'];
  const located = offsets !== null && item.start >= 0;
  return {
    ...item,
    start: located ? offsets.toUtf16(item.start) : item.start,
    end: located ? offsets.toUtf16(item.end) : item.end,
    ...(was === undefined ? {} : { was }),
    ...(ungrounded === undefined ? {} : { ungrounded }),
    ...(Array.isArray(unresolved) ? { unresolved: unresolved.map(String) } : {}),
  };
}

function unitOf(name: string | null): OffsetUnit {
  return name === 'codepoint' || name === 'byte' ? name : 'utf16';
}
