import type { ReadOptions } from '../data/format.ts';
import type { ItemKind } from '../data/item.ts';
import { noNotices } from '../data/item-check.ts';
import { joinCase } from '../data/join-case.ts';
import { Problems } from '../data/problems.ts';
import type { CaseReader } from '../data/read-cases.ts';
import { rowReader } from '../data/read-rows.ts';
import { reopenable, type Source } from '../data/source.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { checkCases, type DataCheck, MOST_PROBLEMS } from './check-data.ts';

/** What is in one file, and what is wrong with it. */
export interface DataFileCheck extends DataCheck {
  /** Annotations: one side, which may be gold or what a system predicted. */
  readonly contents: 'gold and predictions' | 'predictions' | 'annotations' | 'texts' | 'nothing';
  /** Whether its records have the texts. */
  readonly hasTexts: boolean;
}

const ROLES = ['cases', 'gold', 'predictions'] as const;
type FileRole = (typeof ROLES)[number];

/** Rows that show what a file is. */
const LOOKED_AT = 200;

/** Reads a file by itself, as scoring would, and reports what it is, what is wrong with it and what is odd. */
export async function checkFile(given: Source, set: readonly string[] = []): Promise<DataFileCheck> {
  const source = await reopenable(given);
  const look = await likelyRole(source, set);
  const plan = await plainestPlan(look, set);
  const problems = new Problems(null, MOST_PROBLEMS);
  const check = await checkCases(plan, fileReader(source, look.role, plan.data, problems), problems);
  // One side is all that a file of annotations has, and without a custom recipe there is no list of labels.
  const skipped = check.skipped.filter((what) => !/^(?:no (?:gold|predictions)|labels against a list):/.test(what));
  return { ...check, skipped, contents: contentsOf(look), hasTexts: look.texts > 0 };
}

interface RoleLook {
  readonly role: FileRole;
  readonly format: string;
  readonly kinds: ReadonlySet<ItemKind>;
  readonly problems: number;
  /** Rows that have the side, and rows that have a text. */
  readonly gold: number;
  readonly predicted: number;
  readonly texts: number;
}

function contentsOf({ gold, predicted, texts }: RoleLook): DataFileCheck['contents'] {
  if (gold > 0 && predicted > 0) return 'gold and predictions';
  if (predicted > 0) return 'predictions';
  if (gold > 0) return 'annotations';
  return texts > 0 ? 'texts' : 'nothing';
}

/** How a file reads best, by its first rows: with the fewest problems, then with the most in it. */
async function likelyRole(source: Source, set: readonly string[]): Promise<RoleLook> {
  // Whatever kind of item the file has: the recipe follows from it.
  const { kinds: _, ...options } = (await planRecipe({ task: 'pii' }, set)).data;
  const looks: RoleLook[] = [];
  for (const role of ROLES) looks.push(await lookAs(source, role, options));
  const order = (a: RoleLook, b: RoleLook): number =>
    a.problems - b.problems || b.gold + b.predicted - a.gold - a.predicted;
  return looks.toSorted(order)[0]!;
}

async function lookAs(source: Source, role: FileRole, options: ReadOptions): Promise<RoleLook> {
  const problems = new Problems();
  const reader = rowReader(source, role, options, problems);
  const kinds = new Set<ItemKind>();
  let [rows, gold, predicted, texts] = [0, 0, 0, 0];
  for await (const batch of reader.rows()) {
    for (const row of batch) {
      if (row.gold !== null) gold += 1;
      if (row.predicted !== null) predicted += 1;
      if (row.text !== null) texts += 1;
      for (const item of [...(row.gold ?? []), ...(row.predicted ?? [])]) kinds.add(item.kind);
    }
    rows += batch.length;
    if (rows >= LOOKED_AT) break;
  }
  return { role, format: reader.done().format, kinds, problems: problems.count, gold, predicted, texts };
}

/** The plainest recipe for the kind of item that a file has: it knows no labels, so that none is wrong. */
async function plainestPlan({ kinds, format }: RoleLook, set: readonly string[]): Promise<Plan> {
  if (kinds.has('entity') || kinds.has('relationship')) return planRecipe('graph/openspec', set);
  if (!kinds.has('object') && format !== 'journal') return planRecipe('spans/strict', set);
  const journal = await planRecipe('journal/ashwam', set);
  // Its lists of labels and values are for diaries.
  return format === 'journal' ? journal : { ...(await planRecipe({ task: 'journal' }, set)), name: journal.name };
}

/** The cases of one file, whichever side it has. */
function fileReader(source: Source, role: FileRole, options: ReadOptions, problems: Problems): CaseReader {
  const reader = rowReader(source, role, options, problems);
  const names = { driver: source.name, gold: source.name, predictions: source.name };
  const notices = noNotices();
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of reader.rows())
        for (const row of batch) {
          const [gold, predicted] = [
            row.gold === null ? null : row,
            row.predicted === null && row.failed === null ? null : row,
          ];
          yield joinCase(row, gold, predicted, { names, options, problems, notices });
        }
    },
    files: () => [reader.done()],
    notices,
  };
}
