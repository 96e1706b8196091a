import type { Comparison, MovedCase } from '../../../../src/compare/comparison.ts';
import {
  changedValues,
  changeText,
  COMPARISON_LOOKS,
  measureTitle,
  systemName,
} from '../../../../src/report/comparison-words.ts';
import { count, signedFigure } from '../../../../src/text/figures.ts';
import { CaseLink } from '../figures/case-link.tsx';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';
import { linkTo, useReport } from '../report-context.ts';
import { ShortText } from '../short-text.tsx';
import { type Change, changesOf } from './changes.ts';

export function ChangeCards(props: { readonly comparison: Comparison; readonly system: number }) {
  return (
    <div class="change-cards">
      <ChangeCard {...props} change="better" />
      <ChangeCard {...props} change="worse" />
    </div>
  );
}

const MOST_SHOWN = 8;

function ChangeCard(props: { readonly comparison: Comparison; readonly system: number; readonly change: Change }) {
  const { comparison, system, change } = props;
  const { state } = useReport();
  const { measures, moved, cases } = changesOf(comparison, system, change);
  const { by } = comparison.changes;
  const shown = measures.slice(0, MOST_SHOWN);
  const name = systemName(comparison, system);
  return (
    <div class={`card change-card stack ${change}`}>
      <h3>
        <span class="verdict-sign" aria-hidden="true">
          {COMPARISON_LOOKS[change].symbol}
        </span>{' '}
        What got {change}
      </h3>
      {measures.length === 0 ? (
        <p class="hint">No measure is shown to be {change}.</p>
      ) : (
        <ul role="list" class="plain-list stack tight">
          {shown.map((row) => (
            <li key={JSON.stringify([row.name, row.slice])}>
              <ShortText text={measureTitle(row)} /> <span class="count">{signedFigure(row.difference)}</span>
            </li>
          ))}
          {shown.length < measures.length ? (
            <li class="hint">and {count(measures.length - shown.length)} more below</li>
          ) : null}
        </ul>
      )}
      <MovedCases moved={moved} by={by} label={`Cases that got ${change}, ${name}`} />
      {cases === 0 ? (
        <p class="hint">
          No case got {change} by <ShortText text={by ?? 'its errors'} />.
        </p>
      ) : (
        <p>
          <a href={linkTo(state, { view: 'cases', filter: { show: change }, run: system })}>
            All cases that got {change}
          </a>{' '}
          <span class="hint">
            {count(cases)} by <ShortText text={by ?? 'errors'} />
          </span>
        </p>
      )}
    </div>
  );
}

function MovedCases(props: {
  readonly moved: readonly MovedCase[];
  readonly by: string | null;
  readonly label: string;
}) {
  const { moved, by } = props;
  const [first] = moved;
  if (first === undefined) return null;
  const columns: readonly DataColumn<MovedCase>[] = [
    { title: 'Case', cell: (one) => <CaseLink id={one.case} run={one.system} /> },
    { title: 'From, to', number: true, cell: (one) => changedValues(by, one).join(' → ') },
    { title: 'Difference', number: true, cell: ({ difference }) => changeText(by, difference) },
  ];
  return (
    <>
      <p class="hint">
        Among the cases that moved most, by <ShortText text={first.name} />:
      </p>
      <DataTable label={props.label} columns={columns} rows={moved} keyOf={(one) => one.case} />
    </>
  );
}
