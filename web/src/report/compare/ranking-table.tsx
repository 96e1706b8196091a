import { betterWord } from '../../../../src/report/arrows.ts';
import { placesOf, RANKING_LEGEND } from '../../../../src/report/comparison-tables.ts';
import { systemName } from '../../../../src/report/comparison-words.ts';
import type { Comparison, Ranking } from '../../../../src/compare/comparison.ts';
import { ShortText } from '../short-text.tsx';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';

export function RankingTable(props: { readonly comparison: Comparison }) {
  const { comparison } = props;
  const columns: readonly DataColumn<Ranking>[] = [
    {
      title: 'Measure',
      cell: (ranking) => (
        <>
          <ShortText text={ranking.name} />
          <span class="hint meaning">{betterWord(ranking)} is better</span>
        </>
      ),
    },
    ...comparison.systems.map((_, system): DataColumn<Ranking> => ({
      title: systemName(comparison, system),
      number: true,
      cell: (ranking) => <Place ranking={ranking} system={system} />,
    })),
  ];
  return (
    <>
      <DataTable label="Ranking" columns={columns} rows={comparison.ranking} keyOf={({ name }) => name} />
      <p class="hint">{RANKING_LEGEND}.</p>
    </>
  );
}

function Place(props: { readonly ranking: Ranking; readonly system: number }) {
  const found = placesOf(props.ranking).find(({ system }) => system === props.system);
  if (found === undefined) return <>–</>;
  return (
    <>
      <strong class={found.text.place.startsWith('1') && !/^\d\d/.test(found.text.place) ? 'first-place' : undefined}>
        {found.text.place}
      </strong>{' '}
      <span class="hint">{found.text.value}</span>
    </>
  );
}
