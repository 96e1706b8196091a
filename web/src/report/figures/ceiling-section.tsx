import { count, plural, signedFigure } from '../../../../src/text/figures.ts';
import { ceilingFigure } from '../../../../src/report/svg/ceiling-figure.ts';
import type { Ceiling } from '../../../../src/figures/run-figures.ts';
import { ShortText } from '../short-text.tsx';
import { SvgFigure } from '../svg-figure.tsx';
import { type DataColumn, DataTable } from './data-table.tsx';
import { Fold } from './fold.tsx';
import { estimateText, rangeText, valueText } from './number-words.ts';

type Person = Ceiling['people'][number];

export function CeilingSection(props: { readonly ceiling: Ceiling }) {
  const { ceiling } = props;
  const { human, system, difference } = ceiling;
  const title = `${ceiling.measure}: the system among people`;
  return (
    <div class="figure-and-table">
      <SvgFigure draw={(width) => ceilingFigure(ceiling, width)} label={title} />
      <div class="stack">
        <dl class="fact-list">
          <div>
            <dt>People against each other</dt>
            <dd>{estimateText(human.value, human.interval, human.undefined)}</dd>
          </div>
          <div>
            <dt>The system against them</dt>
            <dd>{estimateText(system.value, system.interval, system.undefined)}</dd>
          </div>
          <div>
            <dt>System less people</dt>
            <dd>
              {difference.value === null ? 'undefined' : signedFigure(difference.value)}
              {difference.interval === null ? '' : ` (${rangeText(difference.interval)})`}: {ceiling.verdict}
            </dd>
          </div>
          <div>
            <dt>n</dt>
            <dd>{plural(ceiling.cases, 'case')}</dd>
          </div>
        </dl>
        <Fold title="As a table: each person">
          <DataTable label={title} columns={COLUMNS} rows={ceiling.people} />
        </Fold>
      </div>
    </div>
  );
}

const COLUMNS: readonly DataColumn<Person>[] = [
  { title: 'Person', cell: ({ name }) => <ShortText text={name} /> },
  { title: 'Value', number: true, cell: ({ value }) => valueText(value) },
  { title: 'Interval', number: true, cell: ({ interval }) => rangeText(interval) },
  { title: 'n', number: true, cell: ({ n }) => count(n) },
];
