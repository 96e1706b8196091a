import { count, percent } from '../../../../src/text/figures.ts';
import { confusionFigure } from '../../../../src/report/svg/confusion-figure.ts';
import { shortName } from '../short-name.ts';
import { ShortText } from '../short-text.tsx';
import { type CaseFilter, isAddressable } from '../state.ts';
import { SvgFigure } from '../svg-figure.tsx';
import type { ConfusionTable, WrongCell } from './confusion-rows.ts';
import { type DataColumn, DataTable } from './data-table.tsx';
import { Fold } from './fold.tsx';

/** More rows than this nobody reads; the figure and the list of cases have the rest. */
const MOST_ROWS = 60;

export function ConfusionSection(props: {
  readonly table: ConfusionTable;
  readonly onCases: (filter: CaseFilter) => void;
}) {
  const { table, onCases } = props;
  const title = `Labels of ${shortName(table.title)}: gold against predicted`;
  const shown = table.wrong.slice(0, MOST_ROWS);
  return (
    <div class="figure-and-table">
      <SvgFigure
        draw={(width) => confusionFigure(table.cells, title, width)}
        label={title}
        onPick={({ gold, predicted }) => {
          const label = gold ?? predicted;
          if (label !== undefined) onCases({ show: 'wrong', ...(isAddressable(label) ? { label } : {}) });
        }}
      />
      <div class="stack">
        <p>
          {count(table.right)} of {count(table.n)} have the same label on both sides ({percent(table.right, table.n)}
          ). What is missed or spurious met nothing on the other side; excused items stay out.
        </p>
        {table.wrong.length === 0 ? null : (
          <Fold title="As a table: what is off" open={table.wrong.length <= 12}>
            <DataTable label={title} columns={columns(onCases)} rows={shown} />
            {shown.length < table.wrong.length ? (
              <p class="hint">
                The {count(shown.length)} most frequent of {count(table.wrong.length)}.
              </p>
            ) : null}
          </Fold>
        )}
      </div>
    </div>
  );
}

function columns(onCases: (filter: CaseFilter) => void): DataColumn<WrongCell>[] {
  return [
    { title: 'Gold', cell: ({ gold }) => <Label label={gold} /> },
    { title: 'Predicted', cell: ({ predicted }) => <Label label={predicted} /> },
    { title: 'n', number: true, cell: ({ n }) => count(n) },
    {
      title: 'Share',
      number: true,
      about: 'Of all gold items of the label; where there is no gold, of all its predictions',
      cell: ({ n, of }) => (
        <>
          {percent(n, of)} <span class="hint">of {count(of)}</span>
        </>
      ),
    },
    {
      title: 'Cases',
      cell: ({ gold, predicted }) => {
        const label = gold ?? predicted;
        return label === null || !isAddressable(label) ? null : (
          <button
            type="button"
            class="small"
            aria-label={`Show the cases where ${shortName(label)} is wrong`}
            onClick={() => onCases({ show: 'wrong', label })}
          >
            Show
          </button>
        );
      },
    },
  ];
}

function Label(props: { readonly label: string | null }) {
  return props.label === null ? <span class="hint">nothing</span> : <ShortText text={props.label} />;
}
