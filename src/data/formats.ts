import { nearestNames } from '../text/nearest.ts';
import type { Format } from './format.ts';
import { annotatedDocuments } from './formats/annotated-documents.ts';
import { conll } from './formats/conll.ts';
import { csv } from './formats/csv.ts';
import { graph } from './formats/graph.ts';
import { journal } from './formats/journal.ts';
import { masks } from './formats/masks.ts';
import { spans } from './formats/spans.ts';
import { UsageError } from './problems.ts';

/** Every format, in the order in which detection tries them. A new one is a file beside these and a line here. */
export const FORMATS: readonly Format[] = [journal, annotatedDocuments, graph, spans, masks, conll, csv];

export function formatNamed(name: string): Format {
  const found = FORMATS.find((format) => format.name === name);
  if (found !== undefined) return found;
  const names = FORMATS.map((format) => format.name);
  const near = nearestNames(name, names);
  throw new UsageError(
    `there is no format called ${name}`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `formats: ${names.join(', ')}`,
  );
}
