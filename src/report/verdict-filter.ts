import { UsageError } from '../data/problems.ts';
import type { VerdictKind } from '../judge/verdict.ts';
import { suggestion } from '../prepare/setting-error.ts';
import type { LedgerRecord } from '../score/ledger.ts';
import { readLedger } from '../score/run-file.ts';
import type { Run } from '../score/run.ts';

/** Which verdicts to show: those that fit every list; null fits all. */
export interface ShownVerdicts {
  readonly verdicts: readonly VerdictKind[] | null;
  /** Of either side, as they were written: one name, or several between commas. */
  readonly labels?: readonly string[];
  readonly rules?: readonly string[];
  /** Scheme whose verdicts to show; null: the recipe's own pairing. */
  readonly scheme: string | null;
}

type IsShown = (record: LedgerRecord) => boolean;

/** Whether a verdict is to be shown. A label or a rule that the run does not have is refused. */
export async function verdictFilter(
  run: Run,
  { verdicts, labels = [], rules = [], scheme }: ShownVerdicts,
): Promise<IsShown> {
  const wanted = {
    label: await knownNames(run, labels, '--label', labelsOf, ({ measures }) => [
      ...measures.rules.map(({ label }) => label),
      ...measures.confusion.flatMap(({ gold, predicted }) => [gold ?? [], predicted ?? []].flat()),
    ]),
    rule: await knownNames(
      run,
      rules,
      '--rule',
      ({ rule }) => [rule],
      ({ measures }) => measures.rules.map(({ rule }) => rule),
    ),
  };
  return (record) =>
    (record.scheme ?? null) === scheme &&
    (verdicts === null || verdicts.includes(record.verdict)) &&
    (wanted.label.size === 0 || labelsOf(record).some((label) => wanted.label.has(label))) &&
    (wanted.rule.size === 0 || wanted.rule.has(record.rule));
}

/** The label that a verdict counts for, and those of both sides. */
function labelsOf({ label, gold, predicted }: LedgerRecord): string[] {
  return [label, ...(gold === undefined ? [] : [gold.label]), ...(predicted === undefined ? [] : [predicted.label])];
}

/** The names that were written; a comma may be part of one. */
async function knownNames(
  run: Run,
  written: readonly string[],
  flag: string,
  namesOf: (record: LedgerRecord) => readonly string[],
  counted: (run: Run) => readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set(written.length === 0 ? [] : counted(run));
  const names = (): string[] =>
    written.flatMap((one) => (known.has(one) ? [one] : one.split(',').map((name) => name.trim())));
  // What is logged beside the verdicts is not counted, and in the ledger only.
  if (names().some((name) => !known.has(name)))
    for await (const record of readLedger(run.folder)) for (const name of namesOf(record)) known.add(name);
  const unknown = names().find((name) => !known.has(name));
  if (unknown === undefined) return new Set(names());
  const what = flag.slice(2);
  throw new UsageError(
    `${flag} ${unknown}: no verdict of the run has this ${what}`,
    suggestion(unknown, [...known].sort(), `${what}s`),
  );
}
