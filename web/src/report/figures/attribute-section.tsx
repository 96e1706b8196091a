import { count, percent } from '../../../../src/text/figures.ts';
import { kindName } from '../../../../src/report/kind-name.ts';
import { confusionFigure } from '../../../../src/report/svg/confusion-figure.ts';
import type { AttributeTable } from '../../../../src/figures/run-figures.ts';
import { ShortText } from '../short-text.tsx';
import { SvgFigure } from '../svg-figure.tsx';
import { type AttributeCell, asConfusion, wrongValues } from './attribute-rows.ts';
import { type DataColumn, DataTable } from './data-table.tsx';
import { Fold } from './fold.tsx';

const MOST_ROWS = 60;

/** Predicted values of an attribute against gold. */
export function AttributeSection(props: { readonly table: AttributeTable }) {
  const { table } = props;
  const title = `${table.attribute} of ${kindName(table.kind)}: gold against predicted`;
  if (table.n === 0)
    return (
      <p>
        <ShortText text={table.attribute} />: no hit of {kindName(table.kind)} has it in gold, so there is nothing to
        compare (n = 0).
      </p>
    );
  const wrong = wrongValues(table);
  return (
    <div class="figure-and-table">
      <SvgFigure draw={(width) => confusionFigure(asConfusion(table), title, width)} label={title} />
      <div>
        <p>
          <strong>
            <ShortText text={table.attribute} />
          </strong>{' '}
          is right in {count(table.right)} of the {count(table.n)} hits to which it applies (
          {percent(table.right, table.n)}).
        </p>
        {wrong.length === 0 ? null : (
          <Fold title="As a table: what is off" open={wrong.length <= 12}>
            <DataTable label={title} columns={COLUMNS} rows={wrong.slice(0, MOST_ROWS)} keyOf={(_, at) => at} />
            {wrong.length > MOST_ROWS ? (
              <p class="hint">
                The {MOST_ROWS} most frequent of {count(wrong.length)}.
              </p>
            ) : null}
          </Fold>
        )}
      </div>
    </div>
  );
}

const COLUMNS: readonly DataColumn<AttributeCell>[] = [
  { title: 'Gold', cell: ({ gold }) => <ShortText text={gold} /> },
  { title: 'Predicted', cell: ({ predicted }) => <ShortText text={predicted} /> },
  { title: 'n', number: true, cell: ({ n }) => count(n) },
];
