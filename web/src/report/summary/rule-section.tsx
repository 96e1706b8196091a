import { useMemo } from 'preact/hooks';

import { VERDICTS } from '../../../../src/judge/verdict.ts';
import { count } from '../../../../src/text/figures.ts';
import type { RunView } from '../../../../src/report/html/report-data.ts';
import { ShortText } from '../short-text.tsx';
import { linkToCases, useReport } from '../report-context.ts';
import { isAddressable } from '../state.ts';
import { VerdictBar, VerdictName } from '../verdict-bar.tsx';
import { type RuleRow, ruleRows } from './rule-rows.ts';
import { type SortableColumn, SortableTable } from './sortable-table.tsx';

/** Who decided what: each rule with the verdicts it gave, and the cases behind them. */
export function RuleSection(props: { readonly run: RunView }) {
  const { state } = useReport();
  const rows = useMemo(() => ruleRows(props.run.measures.rules), [props.run]);
  const kinds = new Set(rows.map(({ kind }) => kind)).size;
  const columns = useMemo(
    (): readonly SortableColumn<RuleRow>[] => [
      {
        key: 'rule',
        title: 'rule',
        sortBy: ({ rule }) => rule,
        cell: ({ rule }) =>
          isAddressable(rule) ? (
            <a href={linkToCases(state, { show: 'all', rule })}>
              <ShortText text={rule} />
            </a>
          ) : (
            <ShortText text={rule} />
          ),
      },
      ...(kinds > 1
        ? [
            {
              key: 'kind',
              title: 'of',
              sortBy: ({ kind }: RuleRow) => kind,
              cell: ({ kind }: RuleRow) => <ShortText text={kind} />,
            },
          ]
        : []),
      { key: 'bar', title: <span class="unseen">Verdicts</span>, cell: ({ counts }) => <VerdictBar counts={counts} /> },
      ...VERDICTS.map((verdict) => ({
        key: verdict,
        title: <VerdictName verdict={verdict} />,
        number: true,
        sortBy: ({ counts }: RuleRow) => counts[verdict],
        cell: ({ counts }: RuleRow) => (
          <span class={counts[verdict] === 0 ? 'zero' : undefined}>{count(counts[verdict])}</span>
        ),
      })),
    ],
    [kinds, state],
  );
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Verdicts by rule</h2>
      <p class="hint">Each rule with what it decided. A rule’s name leads to the cases where it did.</p>
      <SortableTable
        label="Verdicts by rule"
        columns={columns}
        rows={rows}
        keyOf={({ rule, kind }) => JSON.stringify([kind, rule])}
      />
    </section>
  );
}
