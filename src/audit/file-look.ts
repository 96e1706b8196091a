import type { Format, ReadOptions, Role } from '../data/format.ts';
import type { ItemKind } from '../data/item.ts';
import { Problems } from '../data/problems.ts';
import { rowReader } from '../data/read-rows.ts';
import { peekTable } from '../data/record-table.ts';
import { reopenable, type Source } from '../data/source.ts';
import { presetOfFields } from '../formats/case-formats.ts';
import { planRecipe } from '../recipe/plan.ts';

export type FileContents = 'gold and predictions' | 'predictions' | 'annotations' | 'texts' | 'nothing';

/** What the first rows of a file show. */
export interface FileLook {
  /** The role in which it reads best. */
  readonly role: Exclude<Role, 'reviews'>;
  readonly format: string;
  readonly contents: FileContents;
  readonly hasTexts: boolean;
  readonly problems: number;
  readonly kinds: ReadonlySet<ItemKind>;
  /** Names of what its items have besides label, text and place. */
  readonly fields: ReadonlySet<string>;
  /** Whether entities, or the spans that relationships connect, have a place in the text. */
  readonly hasPlaces: boolean;
  /** The preset of a task with a separate format, if this is one of its files. */
  readonly preset: string | null;
}

const ROLES = ['cases', 'gold', 'predictions'] as const;
const LOOKED_AT = 200;

/** How a file reads best, by its first rows: with the fewest problems, then with the most in it. */
export async function lookAtFile(given: Source, set: readonly string[] = []): Promise<FileLook> {
  const source = await reopenable(given);
  // Whatever kind of item the file has: the recipe follows from it.
  const { kinds: _, ...options } = (await planRecipe('spans/strict', set)).data;
  const looks: (FileLook & { readonly sides: number })[] = [];
  for (const role of ROLES) looks.push(await lookAs(source, role, options));
  const [asCases, ...bySide] = looks;
  // A file with one side is scored as that side, so its faults are those of the side, also if the texts alone can be read.
  const readable = asCases!.sides === 0 ? null : asCases!.contents;
  const side = bySide.find(
    ({ contents }) =>
      (contents === 'annotations' || contents === 'predictions') && (readable === null || contents === readable),
  );
  const best = side ?? looks.toSorted((a, b) => a.problems - b.problems || b.sides - a.sides)[0]!;
  if (best.problems === 0) return best;
  const names = await peekTable(source).then(
    (table) => table.names,
    () => [],
  );
  const own = presetOfFields(names);
  if (own === null) return best;
  return { ...best, ...own, contents: own.role === 'cases' ? 'texts' : 'predictions' };
}

/** The plainest preset for what the files hold, without a rule that forgives anything; null if nothing shows it. */
export function fittingPreset(looks: readonly FileLook[]): string | null {
  const own = looks.find(({ preset }) => preset !== null)?.preset;
  if (own !== undefined) return own;
  const has = (kind: ItemKind): boolean => looks.some(({ kinds }) => kinds.has(kind));
  if (has('object')) return 'journal/ashwam';
  if (has('relationship') && looks.some(({ hasPlaces }) => hasPlaces)) return 'relations/strict';
  if (has('relationship') && !has('entity')) return 'triples/exact';
  if (has('entity') || has('relationship')) return 'graph/openspec';
  if (looks.some(({ fields }) => fields.has('identifier_type'))) return 'redaction/tab';
  return has('span') || looks.some(({ contents }) => contents !== 'nothing') ? 'spans/strict' : null;
}

async function lookAs(
  source: Source,
  role: (typeof ROLES)[number],
  options: ReadOptions,
): Promise<FileLook & { readonly sides: number }> {
  const problems = new Problems();
  const reader = rowReader(source, role, options, problems);
  const kinds = new Set<ItemKind>();
  const fields = new Set<string>();
  let hasPlaces = false;
  let [rows, gold, predicted, texts] = [0, 0, 0, 0];
  let isListed = false;
  for await (const batch of reader.rows()) {
    for (const row of batch) {
      if (row.gold !== null) gold += 1;
      if (row.predicted !== null) predicted += 1;
      if (row.text !== null) texts += 1;
      isListed ||= row.missingList !== 'absent';
      for (const item of [row.gold ?? [], row.predicted ?? []].flat()) {
        kinds.add(item.kind);
        hasPlaces ||= (item.kind === 'entity' || item.kind === 'span') && item.start >= 0;
        for (const name in item.fields) fields.add(name);
      }
    }
    rows += batch.length;
    if (rows >= LOOKED_AT) break;
  }
  const format = reader.format();
  // A file without the list that its format needs has texts alone.
  if (!isListed && format?.kind === 'json' && format.neededList !== undefined) gold = predicted = 0;
  return {
    role,
    format: reader.done()[0]!.format,
    contents: contentsOf(gold, predicted, texts),
    hasTexts: texts > 0,
    problems: problems.count,
    // A file without items has those of its format.
    kinds: kinds.size === 0 ? new Set(kindsOf(format)) : kinds,
    fields,
    hasPlaces,
    preset: null,
    sides: gold + predicted,
  };
}

function kindsOf(format: Format | null): readonly ItemKind[] {
  return format?.kind === 'json' ? (format.kinds ?? []) : [];
}

function contentsOf(gold: number, predicted: number, texts: number): FileContents {
  if (gold > 0 && predicted > 0) return 'gold and predictions';
  if (predicted > 0) return 'predictions';
  if (gold > 0) return 'annotations';
  return texts > 0 ? 'texts' : 'nothing';
}
