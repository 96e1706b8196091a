import { useState } from 'preact/hooks';

import type { ComparedSystem, Comparison, MeasureComparison, Ranking } from '../../../../src/compare/comparison.ts';
import { betterWord } from '../../../../src/report/arrows.ts';
import { comparisonNotices, generalSentences, rowSentences } from '../../../../src/report/comparison-sentences.ts';
import { placesOf, RANKING_LEGEND } from '../../../../src/report/comparison-tables.ts';
import {
  clusterSentences,
  COMPARISON_VERDICTS,
  correctionText,
  familyText,
  isUnsliced,
  nameList,
  systemName,
} from '../../../../src/report/comparison-words.ts';
import type { ReportHead } from '../../../../src/report/html/report-data.ts';
import { compareAddress } from '../../../../src/server/runs/run-address.ts';
import { count, plural, levelText } from '../../../../src/text/figures.ts';
import { type DataColumn, DataTable } from '../figures/data-table.tsx';
import { Fold } from '../figures/fold.tsx';
import '../figures/parts.css';
import { servedPaths } from '../served-path.ts';
import { ShortText } from '../short-text.tsx';
import type { CaseFilter } from '../state.ts';
import { ChangeCards } from './change-cards.tsx';
import './compare.css';
import { inOrder, MEASURE_ORDERS, type MeasureOrder } from './measure-order.ts';
import { MeasuresTable } from './measures-table.tsx';
import { Sentences } from './sentences.tsx';
import { SlicesSection } from './slices-section.tsx';
import { TestsTable } from './tests-table.tsx';
import { VerdictMark } from './verdict-mark.tsx';

/**
 * Two runs or more over the same cases: what got better, what got worse, and how sure that is. What leads to cases is a
 * link here: with several runs, it names the one that is meant.
 */
export function ComparisonView(props: { readonly head: ReportHead; readonly onCases: (filter: CaseFilter) => void }) {
  const { comparison } = props.head;
  if (comparison === null)
    return (
      <div class="comparison-view stack loose">
        <p>
          This report is of one run, so there is nothing to compare. <code>assay compare BASELINE OTHER</code> puts two
          or more side by side.
        </p>
      </div>
    );
  return <Compared head={props.head} comparison={comparison} />;
}

function Compared(props: { readonly head: ReportHead; readonly comparison: Comparison }) {
  const { comparison } = props;
  const { systems, paired } = comparison;
  const [order, setOrder] = useState<MeasureOrder>('worse first');
  const shares = sharesOf(props.head);
  const notices = comparisonNotices(comparison);
  return (
    <div class="comparison-view stack loose">
      <header>
        <h2>
          <ShortText text={nameList(systems.slice(1).map(({ name }) => name))} most={400} /> against{' '}
          <ShortText text={systemName(comparison, 0)} />
        </h2>
        <p>
          {plural(paired, 'case')} paired. <ShortText text={clusterSentences(comparison).join(' ')} most={1000} />
        </p>
      </header>
      {notices.length === 0 ? null : (
        <section class="notice warn">
          <h3>Before you read the numbers</h3>
          <Sentences sentences={notices} />
        </section>
      )}
      {systems.slice(1).map((system, at) => (
        <SystemSection
          key={system.name}
          comparison={comparison}
          system={at + 1}
          shares={shares}
          order={order}
          onOrder={setOrder}
        />
      ))}
      <section>
        <h2>How the verdicts come about</h2>
        <Sentences sentences={generalSentences(comparison)} />
      </section>
      {comparison.ranking.length === 0 ? null : (
        <section>
          <h2>Ranking</h2>
          <RankingTable comparison={comparison} />
        </section>
      )}
      <section>
        <h2>Runs</h2>
        <SystemsTable comparison={comparison} />
        <Fold title="Settings of the comparison">
          <Settings comparison={comparison} />
        </Fold>
      </section>
    </div>
  );
}

function OrderChoice(props: { readonly order: MeasureOrder; readonly onChoose: (order: MeasureOrder) => void }) {
  return (
    <label class="choice fine flow">
      <span>Order</span>
      <select
        value={props.order}
        onChange={(event) => {
          const found = MEASURE_ORDERS.find((order) => order === event.currentTarget.value);
          if (found !== undefined) props.onChoose(found);
        }}
      >
        {MEASURE_ORDERS.map((order) => (
          <option key={order} value={order}>
            {order}
          </option>
        ))}
      </select>
    </label>
  );
}

function SystemSection(props: {
  readonly comparison: Comparison;
  readonly system: number;
  readonly shares: ReadonlySet<string>;
  readonly order: MeasureOrder;
  readonly onOrder: (order: MeasureOrder) => void;
}) {
  const { comparison, system, shares, order } = props;
  const rows = comparison.measures.filter((row) => row.system === system);
  const overall = inOrder(rows.filter(isUnsliced), order);
  const slices = rows.filter((row) => !isUnsliced(row));
  const label = `${systemName(comparison, system)} against ${systemName(comparison, 0)}`;
  return (
    <section>
      {comparison.systems.length > 2 ? <ShortText in="h2" text={label} /> : <h2>What changed</h2>}
      <div class="table-head flow">
        <h3>Measure by measure</h3>
        <OrderChoice order={order} onChoose={props.onOrder} />
      </div>
      <VerdictCounts rows={overall} />
      {overall.length === 0 ? (
        <>
          <p>The comparison has no measure of the whole.</p>
          <ChangeCards comparison={comparison} system={system} />
        </>
      ) : (
        <>
          <MeasuresTable comparison={comparison} system={system} rows={overall} shares={shares} label={label} />
          <ChangeCards comparison={comparison} system={system} />
          <Sentences sentences={rowSentences(comparison, overall)} />
          <Fold title="Case by case: tests and effect sizes">
            <TestsTable comparison={comparison} rows={overall} label={`Tests, ${label}`} />
          </Fold>
        </>
      )}
      {slices.length === 0 ? null : <SlicesSection {...props} rows={slices} />}
    </section>
  );
}

function VerdictCounts(props: { readonly rows: readonly MeasureComparison[] }) {
  const counts = COMPARISON_VERDICTS.map((verdict) => ({
    verdict,
    n: props.rows.filter((row) => row.verdict === verdict).length,
  })).filter(({ n }) => n > 0);
  return (
    <p class="verdict-counts flow">
      {counts.map(({ verdict, n }) => (
        <VerdictMark key={verdict} verdict={verdict} n={n} />
      ))}
    </p>
  );
}

function Settings(props: { readonly comparison: Comparison }) {
  const { paired, failed, unit, units, level, resamples, seed, corrections } = props.comparison;
  const facts: readonly (readonly [string, string])[] = [
    ['Cases paired', count(paired)],
    ['Cases left out since a run failed on them', count(failed)],
    ['Drawn and swapped', `${unit} (${count(units)})`],
    ['Level', levelText(level)],
    ['Resamples', count(resamples)],
    ['Seed', String(seed)],
    ...corrections.map((one) => [`Tests of ${familyText(one)}`, correctionText(one)] as const),
  ];
  return (
    <dl class="fact-list">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <ShortText in="dd" text={value} />
        </div>
      ))}
    </dl>
  );
}

/** The measures that lie between 0 and 1 and so can share an axis of differences. */
function sharesOf({ runs }: Pick<ReportHead, 'runs'>): ReadonlySet<string> {
  return new Set(
    runs.flatMap(({ measures }) =>
      measures.measures.filter(({ range }) => range[0] === 0 && range[1] === 1).map(({ name }) => name),
    ),
  );
}

const number = true;

function SystemsTable(props: { readonly comparison: Comparison }) {
  const { systems } = props.comparison;
  // With three runs or more another baseline means other differences, which only a server can work out.
  const paths = systems.length > 2 && /^https?:$/.test(location.protocol) ? servedPaths(location) : [];
  const columns: readonly DataColumn<ComparedSystem>[] = [
    {
      title: 'Run',
      cell: (system) => (
        <>
          <ShortText text={system.name} />
          <span class="hint meaning role nowrap">{systems[0] === system ? 'baseline' : 'against it'}</span>
          <BaselineLink paths={paths} at={systems.indexOf(system)} />
        </>
      ),
    },
    { title: 'Cases', number, cell: ({ cases }) => count(cases) },
    { title: 'Failed', number, cell: ({ failed }) => count(failed) },
    {
      title: 'No answer',
      about: 'Cases without a prediction record, scored as empty',
      number,
      cell: ({ unanswered }) => count(unanswered),
    },
    {
      title: 'Not paired',
      about: 'Cases that are not compared since another run lacks them',
      number,
      cell: ({ unpaired }) => count(unpaired.n),
    },
    {
      title: 'Signature',
      cell: ({ signature }) => <ShortText in="span" class="signature" text={signature} most={1000} />,
    },
  ];
  return <DataTable label="Runs that are compared" columns={columns} rows={systems} />;
}

function BaselineLink(props: { readonly paths: readonly string[]; readonly at: number }) {
  const path = props.paths[props.at];
  if (path === undefined || props.at === 0) return null;
  const isForced = new URLSearchParams(location.search).has('force');
  return (
    <a class="nowrap" href={compareAddress([path, ...props.paths.filter((other) => other !== path)], isForced)}>
      make it the baseline
    </a>
  );
}

function RankingTable(props: { readonly comparison: Comparison }) {
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
