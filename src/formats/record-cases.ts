import type { Case } from '../data/case.ts';
import type { Role } from '../data/format.ts';
import type { Fields } from '../data/item.ts';
import { noNotices, type ReadNotices } from '../data/item-check.ts';
import { joinCase } from '../data/join-case.ts';
import { Problems } from '../data/problems.ts';
import { recordRow } from '../data/file-rows.ts';
import { memorySource } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';
import { caseReader, formatOf } from './case-formats.ts';

/** What a dataset item and the prediction for it are scored as. */
export interface RecordCases {
  readonly cases: readonly Case[];
  /** Whether there is anything to score a prediction by. */
  readonly hasGold: boolean;
  readonly notices: ReadNotices;
  /** What the two were read as. */
  readonly formats: Readonly<Record<'cases' | 'predictions', string>>;
}

const NAMES = { driver: 'item', gold: 'item', predictions: 'output' };

/** Reads a dataset item and the prediction for it, both in memory, as `caseReader` reads files of them. Throws InputError. */
export async function recordCases(plan: Plan, item: Fields, prediction: Fields): Promise<RecordCases> {
  return joinedRows(plan, item, prediction) ?? readAsFiles(plan, item, prediction);
}

/** Null where they are no rows, one each, of some format of records, or where something is wrong with them. */
function joinedRows(plan: Plan, item: Fields, prediction: Fields): RecordCases | null {
  if (formatOf(plan).task !== null) return null;
  const { data: options } = plan;
  const problems = new Problems();
  const asCase = recordRow(item, 'cases', options, problems);
  const answer = recordRow(prediction, 'predictions', options, problems, asCase?.format);
  if (asCase === null || answer === null || asCase.row.id !== answer.row.id) return null;
  const { row } = asCase;
  const notices = noNotices();
  const joined = joinCase(row, row, answer.row, { names: NAMES, options, problems, notices });
  if (problems.count > 0 || !joined.answered) return null;
  if ((answer.row.missingList ?? null) !== null) notices.absentLists = 1;
  const formats = { cases: asCase.format.name, predictions: answer.format.name };
  return { cases: [joined], hasGold: row.gold !== null, notices, formats };
}

async function readAsFiles(plan: Plan, item: Fields, prediction: Fields): Promise<RecordCases> {
  const source = (name: string, record: Fields) => memorySource(name, JSON.stringify(record));
  const sources = { cases: source(NAMES.driver, item), predictions: source(NAMES.predictions, prediction) };
  const reader = caseReader(sources, plan);
  const cases = await Array.fromAsync<Case>(reader);
  const formatIn = (role: Role): string => reader.files().find((file) => file.role === role)?.format ?? 'unknown';
  const formats = { cases: formatIn('cases'), predictions: formatIn('predictions') };
  return { cases, hasGold: true, notices: reader.notices, formats };
}
