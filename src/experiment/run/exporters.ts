import { unwrapped } from '../../data/dataset-item.ts';
import { journal } from '../../data/formats/journal.ts';
import type { Fields } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { PLAIN_CONSULT } from '../../recipe/consult-section.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { ExporterName } from '../targets/target.ts';
import type { FrozenItem } from './frozen-dataset.ts';
import type { LogEntry } from './log-entry.ts';

/** An outcome as a line of a file that others expect. */
export type Exporter = (item: FrozenItem, entry: LogEntry, plan: Plan | null) => object;

/** By name. A target names the one of its predictions.jsonl; a recipe says by its sections how its answers are read. */
export const EXPORTERS = {
  outputs: (_, entry) => outputRecord(entry),
  'diary-items': ({ input }, entry) => journal.write({ input, ...outputRecord(entry) }),
  consultations: consultationLine,
} satisfies Readonly<Record<ExporterName, Exporter>>;

/** The exporter of the file of answers that `assay score --predictions` reads for this recipe. */
export function answersExporter(plan: Plan | null): Exporter {
  return plan?.consult == null ? EXPORTERS.outputs : EXPORTERS.consultations;
}

/** A line of outputs.jsonl. */
export function outputRecord(entry: LogEntry): {
  readonly id: string;
  readonly output?: unknown;
  readonly error?: string;
} {
  return entry.outcome === 'answered'
    ? { id: entry.item, output: entry.output }
    : { id: entry.item, error: `${entry.kind}: ${entry.message}` };
}

/** The case beside the answer to it; what a system says of the case itself does not count. */
function consultationLine(item: FrozenItem, entry: LogEntry, plan: Plan | null): object {
  const section = plan?.consult ?? PLAIN_CONSULT;
  const given = unwrapped({ ...item }, section.id);
  const text = given[section.text] ?? given['text'] ?? given['question'];
  const expected = item.expected_output;
  const gold = given[section.gold] ?? (typeof expected === 'string' ? expected : undefined);
  const known: Fields = {
    [section.answered]: item.id,
    ...(text === undefined ? {} : { [section.text]: text }),
    ...(gold === undefined ? {} : { [section.gold]: gold }),
  };
  if (entry.outcome === 'failed') return { ...known, error: outputRecord(entry).error };
  const { output, passages, latencyMs } = entry;
  const said: Fields = isRecord(output) ? output : { [section.response]: output };
  return {
    ...known,
    ...said,
    ...(passages === null || section.passages in said
      ? {}
      : { [section.passages]: passages.map((one) => ({ text: one.text, source: one.source ?? null })) }),
    ...('processing_time' in said || latencyMs === null ? {} : { processing_time: latencyMs / 1000 }),
    ...known,
  };
}
