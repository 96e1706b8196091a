import { count, plural, percent } from '../../../../src/text/figures.ts';
import { kindName } from '../../../../src/report/kind-name.ts';
import { ERROR_TYPES } from '../../../../src/judge/error-type.ts';
import type { ErrorClass, Taxonomy } from '../../../../src/figures/run-figures.ts';
import { taxonomyFigure } from '../../../../src/report/svg/taxonomy-figure.ts';
import { errorWords } from '../case/verdict-words.ts';
import type { CaseFilter } from '../state.ts';
import { SvgFigure } from '../svg-figure.tsx';
import { type DataColumn, DataTable } from './data-table.tsx';
import { Fold } from './fold.tsx';
import { valueText } from './number-words.ts';

export function TaxonomySection(props: {
  readonly taxonomy: Taxonomy;
  readonly onCases: (filter: CaseFilter) => void;
}) {
  const { taxonomy, onCases } = props;
  const { kind, hit, missed, spurious, f1 } = taxonomy;
  const items = `${plural(hit, 'hit')}, ${count(missed)} missed, ${count(spurious)} spurious`;
  if (f1 === null)
    return (
      <p>
        F1 of {kindName(kind)} is undefined ({taxonomy.undefined ?? 'no reason given'}; {items}), so it has no gap to
        explain.
      </p>
    );
  const occurred = taxonomy.errors.filter(occurs);
  if (occurred.length === 0)
    return (
      <p>
        {f1 === 1
          ? `No errors among the ${kindName(kind)}: F1 is 1 (${items}).`
          : `No error of the ${kindName(kind)} has a type (${items}).`}
      </p>
    );
  return (
    <div class="figure-and-table">
      <SvgFigure
        draw={(width) => taxonomyFigure(taxonomy, width)}
        label={`Errors of ${kindName(kind)} by type`}
        onPick={({ error }) => {
          const type = ERROR_TYPES.find((one) => one === error);
          if (type !== undefined) onCases({ show: 'wrong', error: type });
        }}
      />
      <Fold title="As a table, with what the types mean and the cases" open>
        <DataTable
          label={`Errors of ${kindName(kind)} by type`}
          columns={columns(1 - f1, onCases)}
          rows={occurred.toSorted((a, b) => b.gap - a.gap)}
          keyOf={({ type }) => type}
        />
      </Fold>
    </div>
  );
}

function occurs({ missed, spurious, lostCredit }: ErrorClass): boolean {
  return missed > 0 || spurious > 0 || lostCredit > 0;
}

function columns(gap: number, onCases: (filter: CaseFilter) => void): DataColumn<ErrorClass>[] {
  return [
    {
      title: 'Type',
      class: 'prose',
      cell: ({ type }) => (
        <>
          <strong>{type}</strong>
          <span class="hint meaning">{errorWords(type)}</span>
        </>
      ),
    },
    { title: 'Missed', number: true, cell: ({ missed }) => count(missed) },
    { title: 'Spurious', number: true, cell: ({ spurious }) => count(spurious) },
    {
      title: 'Lost credit',
      number: true,
      about: 'What hits lack to a full one',
      cell: ({ lostCredit }) => count(lostCredit),
    },
    {
      title: 'Part of the gap',
      number: true,
      cell: (one) => (
        <>
          {valueText(one.gap)} <span class="hint">{gap > 0 ? percent(one.gap, gap) : ''}</span>
        </>
      ),
    },
    {
      title: 'F1 if fixed',
      number: true,
      about: 'Were these right, and all else as it is',
      cell: ({ f1IfFixed }) => valueText(f1IfFixed),
    },
    {
      title: 'Cases',
      number: true,
      cell: ({ type, cases }) => (
        <button
          type="button"
          class="small amount"
          aria-label={`Show the ${plural(cases.total, 'case')} with errors of type ${type}`}
          onClick={() => onCases({ show: 'wrong', error: type })}
        >
          {count(cases.total)}
        </button>
      ),
    },
  ];
}
