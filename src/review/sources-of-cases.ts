import type { Case } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import type { Source } from '../data/source.ts';
import { visible } from '../data/visible.ts';
import { languageOf } from '../formats/rows.ts';
import type { Plan } from '../recipe/plan.ts';
import type { ReviewSource } from './review-source.ts';
import { joinAnswers } from './join-answers.ts';

export interface CaseFiles {
  readonly cases?: Source | undefined;
  readonly gold?: Source | undefined;
  /** One for each system; `source` is undefined where its predictions stand with the cases. */
  readonly systems: readonly { readonly system: string; readonly source: Source | undefined }[];
  /** Where scores of a case go; null where no trace is known. */
  readonly traceOf?: (caseId: string) => string | null;
}

/** What systems found in the cases of a recipe, as it would be scored; gold stays behind. */
export async function sourcesOfCases(
  plan: Plan,
  { cases, gold, systems, traceOf = () => null }: CaseFiles,
): Promise<{ readonly sources: ReviewSource[]; readonly notices: string[] }> {
  const sources: ReviewSource[] = [];
  const notices: string[] = [];
  for (const { system, source } of systems) {
    let without = 0;
    let answers = 0;
    for await (const read of joinAnswers({ cases, gold, predictions: source }, plan.data)) {
      if (read.failed !== null || !read.answered) without += 1;
      else {
        answers += 1;
        sources.push(sourceOfCase(plan, read, system, traceOf(read.id)));
      }
    }
    if (answers === 0)
      throw new UsageError(
        `${visible(system)} has said nothing of any case`,
        source === undefined ? 'give what the systems found with --predictions FILE' : null,
      );
    if (without > 0)
      notices.push(
        `${without === 1 ? '1 case has' : `${without} cases have`} no answer of ${visible(system)}: not under review`,
      );
  }
  return { sources, notices };
}

function sourceOfCase(plan: Plan, given: Case, system: string, traceId: string | null): ReviewSource {
  const ready = prepared(plan, given);
  const left = ready.setAside.filter(({ side }) => side === 'predicted').map(({ item }) => item);
  return {
    caseId: given.id,
    system,
    language: languageOf(given),
    texts: { ...columns(given), ...(given.text === null ? {} : { text: given.text }) },
    predicted: [...ready.predicted, ...left].toSorted(
      (a, b) => a.line - b.line || kindOrder(a, b) || a.index - b.index,
    ),
    passages: [],
    hidden: { gold: ready.gold.map(goldOf), ...(traceId === null ? {} : { traceId }) },
  };
}

/** With the recipe's own label map and resolved references: what is reviewed is what is scored. */
function prepared(plan: Plan, given: Case): Case {
  let one = given;
  for (const { step } of plan.prepare) {
    const made = step(one);
    one = 'id' in made ? made : (made[0] ?? one);
  }
  return one;
}

/** Entities before the relationships between them. */
function kindOrder(a: Item, b: Item): number {
  return Number(a.kind === 'relationship') - Number(b.kind === 'relationship');
}

function goldOf({ kind, label, text, start, end, source, target }: Item): Record<string, unknown> {
  return { kind, label, text, start, end, ...(source === null ? {} : { source, target }) };
}

function columns({ fields }: Case): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}
