import { z } from 'zod';

import type { Case } from '../data/case.ts';
import type { DataOptions } from '../data/data-options.ts';
import type { Row } from '../data/format.ts';
import { noNotices } from '../data/item-check.ts';
import { type Item, ITEM_KINDS, type ItemKind } from '../data/item.ts';
import { joinCase } from '../data/join-case.ts';
import { Problems, UsageError } from '../data/problems.ts';
import { type CaseSources, readCases } from '../data/read-cases.ts';
import { rowReader } from '../data/read-rows.ts';
import { describe } from '../data/record-fields.ts';
import type { Source } from '../data/source.ts';
import { visible } from '../data/visible.ts';
import type { AnsweredCase, AnswerFile } from '../formats/case-format.ts';
import { readConsultFiles } from '../formats/consult/consult-reader.ts';
import { answeredCases } from '../formats/consult/consultations.ts';
import { languageOf } from '../formats/rows.ts';
import type { Plan } from '../recipe/plan.ts';
import { compareNatural } from '../text/compare.ts';
import { cutPassages } from './proposed-items.ts';

export interface ReviewCaseFiles {
  readonly cases?: Source | undefined;
  readonly gold?: Source | undefined;
  /** One for each system; `source` is undefined if its predictions are in the file of the cases. */
  readonly systems: readonly { readonly system: string; readonly source: Source | undefined }[];
  /** Where scores of a case go; null if no trace is known. */
  readonly traceOf?: (caseId: string) => string | null;
}

/** What systems found in the cases of a recipe, as it would be scored; gold stays behind. */
export async function sourcesOfCases(
  plan: Plan,
  { cases, gold, systems, traceOf = () => null }: ReviewCaseFiles,
): Promise<CaseSourcesRead> {
  const sources: ReviewSource[] = [];
  const kinds = new Set(plan.data.labels);
  let itemKind: ItemKind | null = null;
  const notices: string[] = [];
  for (const { system, source } of systems) {
    let without = 0;
    let answers = 0;
    for await (const read of joinAnswers({ cases, gold, predictions: source }, plan.data)) {
      if (read.failed !== null || !read.answered) without += 1;
      else {
        answers += 1;
        const ready = prepared(plan, read);
        for (const { label, kind } of [...ready.gold, ...ready.predicted]) {
          if (label !== '' && plan.data.labels.length === 0) kinds.add(label);
          if (kind !== 'relationship') itemKind ??= kind;
        }
        sources.push(sourceOfCase(ready, read, system, traceOf(read.id)));
      }
    }
    if (answers === 0)
      throw new UsageError(
        `${visible(system)} has no answer to any case`,
        source === undefined ? 'give what the systems found with --predictions FILE' : null,
      );
    if (without > 0)
      notices.push(
        `${without === 1 ? '1 case has' : `${without} cases have`} no answer of ${visible(system)}: not under review`,
      );
  }
  return { sources, notices, kinds: [...kinds].sort(compareNatural), itemKind };
}

interface CaseSourcesRead {
  readonly sources: ReviewSource[];
  readonly notices: string[];
  /** Labels that the recipe knows, or else those of the files. */
  readonly kinds: string[];
  /** What the cases hold, beside relationships; null if they hold nothing. */
  readonly itemKind: ItemKind | null;
}

function sourceOfCase(ready: Case, given: Case, system: string, traceId: string | null): ReviewSource {
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
    hidden: { gold: ready.gold.map(hiddenGoldOf), ...(traceId === null ? {} : { traceId }) },
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

export function hiddenGoldOf({ kind, index, parts, label, text, start, end, source, target }: Item): HiddenGold {
  const ends = source === null ? {} : { source, target };
  return { kind, label, text, start, end, ...ends, indexes: parts ?? [index] };
}

function columns({ fields }: Case): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}

/** A gold annotation as the recipe has it, kept from reviewers; `indexes` are its places in the list of the file. */
export const hiddenGold = z.object({
  kind: z.enum(ITEM_KINDS),
  label: z.string(),
  text: z.string(),
  start: z.int(),
  end: z.int(),
  source: z.string().nullish(),
  target: z.string().nullish(),
  indexes: z.array(z.int()).readonly(),
});
export type HiddenGold = Readonly<z.infer<typeof hiddenGold>>;

/** One system's answer to one case, or a case alone where `system` is null. */
export interface ReviewSource {
  readonly caseId: string;
  readonly system: string | null;
  readonly language: string | null;
  /** What may be shown, by name: `text`, `response`, `retrieved_context`, columns. */
  readonly texts: Readonly<Record<string, string>>;
  readonly predicted: readonly Item[];
  readonly passages: readonly { readonly source: string | null; readonly text: string }[];
  /** What nobody sees before committing; `traceId` names the trace that scores go to. */
  readonly hidden: Readonly<Record<string, unknown>>;
}

/** What is to be reviewed: every answer of every system. */
export async function consultSources(options: {
  readonly cases: Source;
  readonly answers: readonly AnswerFile[];
  readonly plan: Plan;
}): Promise<ReviewSource[]> {
  const files = await readConsultFiles(options.cases, options.answers, options.plan);
  return files.flatMap(answeredCases).map(sourceOfAnswer);
}

/** With what was retrieved cut into passages that can be read beside a claim. */
export function sourceOfAnswer<Answer extends AnsweredCase>(answer: Answer): Answer & ReviewSource {
  const { passages } = cutPassages(answer.passages);
  const retrieved = { retrieved_context: passages.map(({ text }) => text).join('\n\n') };
  const texts = answer.system === null ? answer.texts : { ...answer.texts, ...retrieved };
  return { ...answer, texts, predicted: [], passages };
}

/**
 * Cases with what a system found in them. Reviewers need no gold, and scoring cannot do without: where no file of gold is
 * given, what the cases themselves have of it is taken, be it nothing.
 */
async function* joinAnswers(sources: CaseSources, options: DataOptions): AsyncGenerator<Case, undefined> {
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
