import type { Case } from '../data/case.ts';
import type { Role, Row } from '../data/format.ts';
import { formatNamed } from '../data/formats.ts';
import type { Fields } from '../data/item.ts';
import { noNotices, type ReadNotices } from '../data/item-check.ts';
import { joinCase } from '../data/join-case.ts';
import { Problems } from '../data/problems.ts';
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

/** Null where they are no rows, one each, of the format that the recipe names, or where something is wrong with them. */
function joinedRows(plan: Plan, item: Fields, prediction: Fields): RecordCases | null {
  const { data: options } = plan;
  const format =
    formatOf(plan).task !== null || options.format === 'auto' ? null : formatNamed(options.format, options.formats);
  if (format?.kind !== 'json') return null;
  const problems = new Problems();
  const rowOf = (record: Fields, role: Role): Row | null => {
    const rows = format.read(record, 1, { file: '', role, options, problems });
    return rows !== null && 'id' in rows ? rows : null;
  };
  const row = rowOf(item, 'cases');
  const predicted = rowOf(prediction, 'predictions');
  if (row === null || predicted === null || row.id !== predicted.id) return null;
  const notices = noNotices();
  const joined = joinCase(row, row, predicted, { names: NAMES, options, problems, notices });
  if (problems.count > 0 || !joined.answered) return null;
  const { name } = format;
  return { cases: [joined], hasGold: row.gold !== null, notices, formats: { cases: name, predictions: name } };
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
