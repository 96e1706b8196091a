import { offsetsFor } from '../data/item-check.ts';
import type { OffsetUnit } from '../text/offsets.ts';
import { idInFiles, ledgerVerdicts } from '../score/ledger.ts';
import { readLedgerCases } from '../score/ledger-files.ts';
import { expectCounts } from '../score/retally.ts';
import type { Run } from '../score/run.ts';
import type { AuditCase } from './totals.ts';
import { stringAt } from './recipe-parts.ts';

/** Where the texts of cases come from, asked for in the order of the cases. */
export interface TextSource {
  of(id: string): Promise<string | null>;
  /** What keeps every text from being had, or from being trusted. */
  readonly notice?: string | null;
}

/** The cases of a run folder as they were when they had just been scored; texts are as good as `texts`. */
export async function* readAuditCases(run: Run, texts: TextSource | null): AsyncGenerator<AuditCase> {
  const { resolved } = run.manifest.recipe;
  const unit = unitOf(stringAt(resolved['data'], 'offsets'));
  for await (const { result, records } of readLedgerCases(run.folder)) {
    const { case: id, counts, measures, failed = null, failedAsEmpty, answered = true } = result;
    const { slices = null, cluster = null } = result;
    const own = records.filter(({ scheme }) => scheme === undefined);
    const text = texts === null ? null : await texts.of(idInFiles(result));
    const verdicts = ledgerVerdicts(own, `${run.folder}/ledger.jsonl`, offsetsFor(text, unit));
    expectCounts(run.folder, result, verdicts);
    yield { id, text, failed, failedAsEmpty, answered, verdicts, slices, cluster, counts, measures };
  }
}

function unitOf(name: string | null): OffsetUnit {
  return name === 'codepoint' || name === 'byte' ? name : 'utf16';
}
