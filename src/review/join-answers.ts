import type { Case } from '../data/case.ts';
import type { DataOptions } from '../data/data-options.ts';
import type { Row } from '../data/format.ts';
import { noNotices } from '../data/item-check.ts';
import { joinCase } from '../data/join-case.ts';
import { Problems, UsageError } from '../data/problems.ts';
import { type CaseSources, readCases } from '../data/read-cases.ts';
import { rowReader } from '../data/read-rows.ts';
import { describe } from '../data/record-fields.ts';

/**
 * Cases with what a system found in them. Reviewers need no gold, and scoring cannot do without: where no file of gold is
 * given, what the cases themselves have of it is taken, be it nothing.
 */
export async function* joinAnswers(sources: CaseSources, options: DataOptions): AsyncGenerator<Case, undefined> {
  const { cases, gold, predictions } = sources;
  if (gold !== undefined) {
    yield* readCases(sources, options);
    return;
  }
  if (cases === undefined) throw new UsageError('nothing to review: no case file', 'give --cases FILE');
  const problems = new Problems();
  const answers = new Map<string, Row>();
  if (predictions !== undefined)
    for await (const batch of rowReader(predictions, 'predictions', options, problems).rows())
      for (const row of batch) answers.set(row.id, row);
  const names = { driver: cases.name, gold: cases.name, predictions: predictions?.name ?? cases.name };
  const settings = { names, options, problems, notices: noNotices() };
  const joined: Case[] = [];
  for await (const batch of rowReader(cases, 'cases', options, problems).rows())
    for (const row of batch) {
      joined.push(joinCase(row, row, predictions === undefined ? row : (answers.get(row.id) ?? null), settings));
      answers.delete(row.id);
    }
  for (const { id, line } of answers.values())
    problems.add({
      file: names.predictions,
      line,
      message: `predictions for ${describe(id)}, which is not in ${names.driver}`,
      next: 'add the case or remove the predictions',
    });
  problems.throwIfAny();
  yield* joined;
}
