import { type Problems, UsageError } from '../data/problems.ts';
import type { CaseReader, CaseSources } from '../data/read-cases.ts';
import type { Plan } from '../recipe/plan.ts';
import type { CaseFormat, OpenedSystems, SystemFiles, Use } from './case-format.ts';
import { consultations } from './consult/consultations.ts';
import { conversationLogs } from './conversation-logs.ts';
import { scoreLogs } from './logs/score-logs.ts';
import { rows } from './rows.ts';

/** A task whose files are not such rows has a line here. */
const CASE_FORMATS: readonly CaseFormat[] = [consultations, conversationLogs, scoreLogs];

/** The format of a plan, a manifest or a review. */
export function formatOf({ task }: { readonly task: string }): CaseFormat {
  return CASE_FORMATS.find((format) => format.task === task) ?? rows;
}

/** The preset of the task whose files have such fields, and which of its files it is; null for the rows of all others. */
export function presetOfFields(
  names: readonly string[],
): { readonly preset: string; readonly role: 'cases' | 'predictions' } | null {
  for (const { own } of CASE_FORMATS)
    for (const role of ['cases', 'predictions'] as const) {
      const field = own?.[role];
      if (own !== undefined && field !== undefined && names.includes(field)) return { preset: own.preset, role };
    }
  return null;
}

/** The cases of some files as the recipe's format reads them; `checked` is where problems go that are not to be thrown. */
export function caseReader(sources: CaseSources, plan: Plan, checked: Problems | null = null): CaseReader {
  return formatOf(plan).read(sources, plan, checked);
}

/** The plan as it is for these files, which may say more than the recipe: `*` among its slices is their columns. */
export async function planOfCases({ cases, gold, predictions: source }: CaseSources, plan: Plan): Promise<Plan> {
  if (source === undefined) return plan;
  return (await openSystems({ cases, gold, systems: [{ system: source.name, source }] }, plan)).plan;
}

/** What several systems said of the same cases, as the recipe's format reads it. */
export function openSystems(files: SystemFiles, plan: Plan): Promise<OpenedSystems> {
  return formatOf(plan).open(files, plan);
}

/** Throws where the format does not have this use; `subject` is the recipe or the run as the sentence names it. */
export function refuseUse(use: Use, of: { readonly task: string }, subject: string): void {
  const refusal = formatOf(of).refusals[use];
  if (refusal !== undefined) throw new UsageError(`${subject} ${refusal[0]}`, refusal[1]);
}
