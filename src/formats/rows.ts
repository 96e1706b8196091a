import type { Case } from '../data/case.ts';
import { type CaseReader, type CaseSources, readCases } from '../data/read-cases.ts';
import { UsageError } from '../data/problems.ts';
import { standardInput } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';
import { reviewedCase } from './review-items.ts';
import type { CaseFormat, CaseReviews, OpenedSystems, SystemAnswers, SystemFiles } from './case-format.ts';

/** Rows of the common formats, joined by id. */
export const rows: CaseFormat = {
  task: null,
  read: (sources, plan, checked) => readCases(sources, plan.data, checked),
  open: openRows,
  goldIs: null,
  isPaired: true,
  refusals: {},
};

async function openRows({ cases, gold, systems }: SystemFiles, plan: Plan): Promise<OpenedSystems> {
  const { name } = standardInput();
  if (systems.length > 1 && [cases, gold].some((source) => source?.path === null && source.name === name))
    throw new UsageError('standard input (-) can be read once only', 'give the files that all systems share by name');
  const sourcesOf = systems.map(({ source }): CaseSources => ({ cases, gold, predictions: source }));
  const held = new Map<number, CaseReader>();
  return {
    plan,
    systems: systems.map(({ system }, at) => ({
      system,
      read: (own, reviews) => withReviews(held.get(at) ?? readCases(sourcesOf[at]!, own.data), reviews, system),
    })),
    leftColumns: [],
    held: null,
    async hold() {
      for (const [at, sources] of sourcesOf.entries())
        if (!held.has(at)) held.set(at, await heldCases(readCases(sources, plan.data)));
      const found: SystemAnswers[] = [];
      for (const [at, { system }] of systems.entries()) {
        const own = await Array.fromAsync(held.get(at)!);
        found.push({ system, cases: { rows: own }, answers: { rows: own.map(answerOf) } });
      }
      return found;
    },
  };
}

function withReviews(reader: CaseReader, reviews: CaseReviews | null, system: string): CaseReader {
  if (reviews === null) return reader;
  return {
    async *[Symbol.asyncIterator]() {
      for await (const given of reader) yield reviewedCase(given, reviews, system, languageOf(given));
    },
    files: () => [...reader.files(), ...reviews.files],
    notices: reader.notices,
  };
}

async function heldCases(reader: CaseReader): Promise<CaseReader> {
  const cases = await Array.fromAsync(reader);
  return {
    async *[Symbol.asyncIterator]() {
      yield* cases;
    },
    files: () => reader.files(),
    notices: reader.notices,
  };
}

function answerOf(given: Case): SystemAnswers['answers']['rows'][number] {
  return {
    caseId: given.id,
    language: languageOf(given),
    response: given.text ?? '',
    failed: given.answered ? given.failed : 'there is no answer',
  };
}

/** The language that a case states; null if it states none. */
export function languageOf({ fields }: Pick<Case, 'fields'>): string | null {
  const language = fields['language'] ?? fields['lang'];
  return typeof language === 'string' && language !== '' ? language : null;
}
