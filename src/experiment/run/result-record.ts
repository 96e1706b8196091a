import { unwrapped } from '../../data/dataset-item.ts';
import type { Fields } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { PLAIN_CONSULT } from '../../recipe/consult-section.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { FrozenItem } from './frozen-dataset.ts';
import type { LogEntry } from './log-entry.ts';
import { outputRecord } from './scorer.ts';

type RecordOf = (plan: Plan, item: FrozenItem, entry: LogEntry) => object;

/** Tasks whose files of answers have a shape of their own. */
const OWN_SHAPES: Readonly<Partial<Record<Plan['task'], RecordOf>>> = { consult: consultRecord };

/** An outcome as a line of the file of answers that `assay score --predictions` reads for this task. */
export function resultRecord(plan: Plan | null, item: FrozenItem, entry: LogEntry): object {
  return (plan === null ? undefined : OWN_SHAPES[plan.task])?.(plan!, item, entry) ?? outputRecord(entry);
}

/** The case beside the answer to it; what a system says of the case itself does not count. */
function consultRecord({ consult }: Plan, item: FrozenItem, entry: LogEntry): object {
  const section = consult ?? PLAIN_CONSULT;
  const given = unwrapped({ ...item }, section.id);
  const text = given[section.text] ?? given['text'] ?? given['question'];
  const expected = item.expected_output;
  const gold = given[section.gold] ?? (typeof expected === 'string' ? expected : undefined);
  const known: Fields = {
    [section.answered]: item.id,
    ...(text === undefined ? {} : { [section.text]: text }),
    ...(gold === undefined ? {} : { [section.gold]: gold }),
  };
  if (entry.outcome === 'failed') return { ...known, error: `${entry.kind}: ${entry.message}` };
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
