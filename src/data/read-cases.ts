import { type Case, makeCase } from './case.ts';
import { checkSpans, offsetsFor } from './check-spans.ts';
import { checkValues } from './check-values.ts';
import { type DataOptions, DEFAULT_DATA_OPTIONS } from './data-options.ts';
import type { Row } from './format.ts';
import type { Item } from './item.ts';
import { Problems, UsageError } from './problems.ts';
import { type ReadFile, rowReader, type RowReader } from './read-rows.ts';
import { describe } from './record-fields.ts';
import type { Source } from './source.ts';

export interface CaseSources {
  readonly cases?: Source | undefined;
  readonly gold?: Source | undefined;
  readonly predictions?: Source | undefined;
}

/** What reading noticed and let pass by a policy: reported, because a silent policy is a trap. */
export interface ReadNotices {
  unansweredCases: number;
  unknownLabelsKept: number;
  unknownCasesAsSpurious: number;
  badSpansAsSpurious: number;
  uncheckedSpans: number;
}

/** Cases of one, two or three files, read as a stream; `files` and `notices` are complete when the stream has ended. */
export interface CaseReader extends AsyncIterable<Case> {
  files(): readonly ReadFile[];
  readonly notices: ReadNotices;
}

/**
 * Joins the files by case id. Memory stays flat when they list the cases in the same order; otherwise the rows read
 * ahead wait for their case. All problems of all files are gathered and thrown together at the end.
 */
export function readCases(sources: CaseSources, options: Partial<DataOptions> = {}): CaseReader {
  const resolved: DataOptions = { ...DEFAULT_DATA_OPTIONS, ...options };
  const problems = new Problems();
  const open = (role: 'cases' | 'gold' | 'predictions'): RowReader | null => {
    const source = sources[role];
    return source === undefined ? null : rowReader(source, role, resolved, problems);
  };
  const cases = open('cases');
  const gold = open('gold');
  const predictions = open('predictions');
  const driver = cases ?? gold;
  if (driver === null)
    throw new UsageError('nothing to score: no case file and no gold file', 'give --cases FILE, or --gold FILE');
  const notices: ReadNotices = {
    unansweredCases: 0,
    unknownLabelsKept: 0,
    unknownCasesAsSpurious: 0,
    badSpansAsSpurious: 0,
    uncheckedSpans: 0,
  };
  const names = {
    cases: sources.cases?.name ?? '',
    gold: sources.gold?.name ?? sources.cases?.name ?? '',
    predictions: sources.predictions?.name ?? sources.cases?.name ?? '',
  };

  async function* iterate(): AsyncGenerator<Case> {
    const goldRows = cases !== null && gold !== null ? new RowsById(gold) : null;
    const predictedRows = predictions === null ? null : new RowsById(predictions);
    let anyPredicted = predictions !== null;
    let anyGold = gold !== null;
    for await (const batch of (driver as RowReader).rows()) {
      for (const row of batch) {
        const goldRow = goldRows === null ? row : await goldRows.take(row.id);
        const predictedRow = predictedRows === null ? row : await predictedRows.take(row.id);
        anyPredicted ||= row.predicted !== null;
        anyGold ||= row.gold !== null;
        const made = joined(row, goldRow, predictedRow);
        if (problems.count === 0) yield made;
      }
    }
    if (problems.count === 0 && !anyGold)
      problems.add({
        file: names.cases,
        line: null,
        message: 'no gold items in this file',
        next: 'give them with --gold FILE',
      });
    if (problems.count === 0 && !anyPredicted)
      problems.add({
        file: names.cases || names.gold,
        line: null,
        message: 'no predictions in this file',
        next: 'give them with --predictions FILE',
      });
    for (const rest of (await goldRows?.leftOver()) ?? []) unknownCase(rest, names.gold, 'gold');
    for (const rest of (await predictedRows?.leftOver()) ?? []) {
      if (resolved.unknownCase === 'spurious') {
        notices.unknownCasesAsSpurious += 1;
        if (problems.count === 0)
          yield makeCase({
            id: rest.id,
            predicted: (rest.predicted ?? []).map((item) => ({ ...item, start: -1, end: -1 })),
            fields: rest.fields,
          });
      } else unknownCase(rest, names.predictions, 'predictions');
    }
    problems.throwIfAny();
  }

  function unknownCase(row: Row, file: string, what: string): void {
    problems.add({
      file,
      line: row.line,
      message: `${what} for ${describe(row.id)}, which is not in ${names.cases || names.gold}`,
      next:
        what === 'predictions'
          ? 'or count them as spurious: --set data.unknownCase=spurious'
          : 'add the case or remove the gold',
    });
  }

  function joined(row: Row, goldRow: Row | null, predictedRow: Row | null): Case {
    const text = row.text ?? goldRow?.text ?? predictedRow?.text ?? null;
    for (const [other, file] of [
      [goldRow, names.gold],
      [predictedRow, names.predictions],
    ] as const) {
      if (other !== null && other !== row && other.text !== null && text !== null && other.text !== text) {
        problems.add({
          file,
          line: other.line,
          field: 'text',
          message: `the text of ${describe(row.id)} differs from the one in ${names.cases || names.gold}`,
          next: 'both files must speak of the same text',
        });
      }
    }
    const offsets = offsetsFor(text, resolved);
    const check = (items: readonly Item[] | null, side: 'gold' | 'predicted', file: string): readonly Item[] => {
      if (items === null || items.length === 0) return [];
      const spans = checkSpans(items, { caseId: row.id, text, offsets, side, file, options: resolved, problems });
      if (text === null && spans[0]?.kind === 'span') notices.uncheckedSpans += spans.length;
      if (resolved.badSpan === 'spurious')
        for (const item of spans) if ('badSpan' in item.fields) notices.badSpansAsSpurious += 1;
      notices.unknownLabelsKept += checkValues(spans, side, row.id, file, resolved, problems);
      return spans;
    };
    const goldItems = check(goldRow?.gold ?? null, 'gold', names.gold);
    const predicted = check(predictedRow?.predicted ?? null, 'predicted', names.predictions);
    const failed = predictedRow?.failed ?? null;
    const answered = (predictedRow?.predicted ?? null) !== null || failed !== null;
    if (!answered) {
      notices.unansweredCases += 1;
      if (resolved.missingPrediction === 'error') {
        problems.add({
          file: names.predictions,
          line: null,
          message: `no prediction for ${describe(row.id)}`,
          next: 'or count it as empty: --set data.missingPrediction=empty',
        });
      }
    }
    return makeCase({ id: row.id, text, fields: row.fields, gold: goldItems, predicted, failed, answered, offsets });
  }

  return {
    [Symbol.asyncIterator]: iterate,
    files: () => [cases, gold, predictions].flatMap((reader) => (reader === null ? [] : [reader.done()])),
    notices,
  };
}

/** Rows of a second file, asked for by id; those read on the way wait here. */
class RowsById {
  readonly #rows: AsyncGenerator<Row[]>;
  readonly #waiting = new Map<string, Row>();
  #ended = false;

  constructor(reader: RowReader) {
    this.#rows = reader.rows();
  }

  async take(id: string): Promise<Row | null> {
    let found = this.#waiting.get(id);
    while (found === undefined && !this.#ended) {
      await this.#readOn();
      found = this.#waiting.get(id);
    }
    this.#waiting.delete(id);
    return found ?? null;
  }

  async leftOver(): Promise<Row[]> {
    while (!this.#ended) await this.#readOn();
    return [...this.#waiting.values()];
  }

  async #readOn(): Promise<void> {
    const next = await this.#rows.next();
    if (next.done === true) this.#ended = true;
    else for (const row of next.value) this.#waiting.set(row.id, row);
  }
}
