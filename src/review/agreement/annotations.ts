import { compareNatural } from '../../text/compare.ts';
import { type DataOptions, DEFAULT_DATA_OPTIONS } from '../../data/data-options.ts';
import { noNotices } from '../../data/item-check.ts';
import { joinCase } from '../../data/join-case.ts';
import { Problems } from '../../data/problems.ts';
import { rowReader } from '../../data/read-rows.ts';
import type { Item } from '../../data/item.ts';
import { describe } from '../../data/record-fields.ts';
import type { TableKind } from '../../data/records.ts';
import type { Source } from '../../data/source.ts';

/** A document with what each annotator marked in it; null if one did not annotate it. */
export interface AnnotatedDocument {
  readonly id: string;
  readonly text: string | null;
  readonly spans: readonly (readonly Item[] | null)[];
}

export interface Annotations {
  readonly annotators: readonly string[];
  readonly documents: readonly AnnotatedDocument[];
}

/** Fields by which a table or the first record of a JSON file shows that it holds spans. */
export function holdsSpans(kind: TableKind, names: readonly string[]): boolean {
  if (kind === 'json') return names.includes('annotations') || names.includes('spans');
  return ['start', 'end', 'label', 'annotator'].every((name) => names.includes(name));
}

/**
 * Reads documents with the spans of several annotators, checked against the text. An annotator without a span in
 * a document did not annotate it, unless a field `annotators` lists them.
 */
export async function readAnnotations(source: Source, given: Partial<DataOptions> = {}): Promise<Annotations> {
  const file = source.name;
  const options: DataOptions = { ...DEFAULT_DATA_OPTIONS, ...given };
  const problems = new Problems();
  const notices = noNotices();
  const names = { driver: file, gold: file, predictions: file };
  const found: { id: string; text: string | null; spans: Map<string, Item[]> }[] = [];
  for await (const batch of rowReader(source, 'gold', options, problems).rows()) {
    for (const row of batch) {
      const { id, text, gold, fields } = joinCase(row, row, null, { names, options, problems, notices });
      const named = namedAnnotators(fields['annotators'], file, row.line, problems);
      const spans = new Map(named.map((name): [string, Item[]] => [name, []]));
      for (const item of gold) {
        if (item.annotator === null)
          problems.add({
            file,
            line: item.line,
            message: `item ${item.index} of ${describe(id)} does not say who marked it`,
            next: 'expected annotations with an annotator each',
          });
        else {
          const own = spans.get(item.annotator);
          if (own === undefined) spans.set(item.annotator, [item]);
          else own.push(item);
        }
      }
      found.push({ id, text, spans });
    }
  }
  const annotators = [...new Set(found.flatMap(({ spans }) => [...spans.keys()]))].sort(compareNatural);
  if (problems.count === 0 && annotators.length < 2)
    problems.add({
      file,
      line: null,
      message: `${annotators.length === 0 ? 'nobody marked a span' : `there is only one annotator, ${describe(annotators[0])}`}; agreement needs two`,
    });
  problems.throwIfAny();
  return {
    annotators,
    documents: found.map(({ id, text, spans }) => ({
      id,
      text,
      spans: annotators.map((name) => spans.get(name) ?? null),
    })),
  };
}

function namedAnnotators(value: unknown, file: string, line: number, problems: Problems): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  problems.add({ file, line, field: 'annotators', message: `expected a list of names, found ${describe(value)}` });
  return [];
}
