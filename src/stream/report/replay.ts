import type { StreamModel } from '../replay/model.ts';
import type { ReplayTotals } from '../replay/replay-folder.ts';
import {
  commandTable,
  count,
  type Document,
  numberColumns,
  programName,
  quiet,
  shellWord,
  type Text,
} from '../../plugin.ts';

interface ReplayReport {
  readonly totals: readonly ReplayTotals[];
  readonly model: Pick<StreamModel, 'id' | 'kind'>;
  readonly notices: readonly string[];
  /** What to measure next; null if that follows anyway. */
  readonly next: { readonly out: string; readonly traces: string } | null;
}

/** The totals of a replay: one line a variant, and what to mind. */
export function replayDocument({ totals, model, notices, next }: ReplayReport): Document {
  const failures = (value: number): Text => (value === 0 ? quiet('0') : { text: count(value), tone: 'warn' });
  const fallback = totals.filter(({ fallbackTimestamps: n }) => n > 0);
  return {
    title: 'Replay',
    about: `answers: ${model.id} (${model.kind})`,
    sections: [
      {
        blocks: [
          {
            columns: [
              { title: 'Variant', shrinks: true },
              ...numberColumns('cases', 'kept', 'flushes', 'decisions', 'failed', 'summaries', 'failed'),
            ],
            rows: totals.map((own) => [
              own.variant,
              count(own.cases),
              own.kept === 0 ? quiet('0') : count(own.kept),
              count(own.flushes),
              count(own.decisions),
              failures(own.failedDecisions),
              count(own.summaries),
              failures(own.failedSummaries),
            ]),
          },
        ],
      },
      {
        blocks: [
          {
            list: [
              ...notices,
              ...fallback.map(
                ({ variant, fallbackTimestamps: n }) =>
                  `${variant}: ${count(n)} timestamps are not of the trace but of its start and the seq`,
              ),
            ],
            mark: 'warning',
          },
        ],
      },
      {
        blocks: [
          next === null
            ? null
            : commandTable([
                [
                  'Measure it',
                  `${programName()} stream measure --runs ${shellWord(next.out)} --traces ${shellWord(next.traces)} --out DIR`,
                ],
              ]),
        ],
      },
    ],
  };
}
