import type { MeasureValue } from '../../../../src/measure/results.ts';
import { arrow, betterWord } from '../../../../src/report/arrows.ts';
import { count } from '../../../../src/text/figures.ts';
import type { RunView } from '../../../../src/report/html/report-data.ts';
import { CASE_MEAN, CASE_MEAN_MEANING, isCaseMean, poolsDiffer } from '../../../../src/report/pooling.ts';
import { MeasureName } from '../measure-name.tsx';
import { ShortText } from '../short-text.tsx';
import { readableText } from '../../readable-pieces.ts';
import { toneStyle } from '../../tone-style.ts';
import { AxisNumbers, Whisker } from '../../whisker.tsx';
import { intervalText, isShare, QUARTERS, SHARES, levelOf, remarks, valueText } from './measure-words.ts';
import { overallMeasures } from './slice-tables.ts';

/** Beyond so many the rest is folded; a few more are not worth a click. */
const SHOWN = 10;
const FEW = 2;

interface Line {
  readonly name: string;
  /** One for each run that has it. */
  readonly values: readonly { readonly run: number; readonly measure: MeasureValue }[];
}

export function MeasureTable(props: { readonly runs: readonly RunView[] }) {
  const lines = linesOf(props.runs);
  const primary = new Set(props.runs.flatMap((run) => run.primary));
  const wanted = Math.max(SHOWN, lines.filter(({ name }) => primary.has(name)).length);
  const first = lines.length <= wanted + FEW ? lines.length : wanted;
  const differ = poolsDiffer(lines.flatMap(({ values }) => values.map(({ measure }) => measure)));
  const rest = lines.slice(first);
  return (
    <>
      <MeasureLines runs={props.runs} lines={lines.slice(0, first)} caption="Measures" {...{ differ }} />
      {rest.length === 0 ? null : (
        <details class="more-measures">
          <summary>{rest.length} more measures</summary>
          <MeasureLines runs={props.runs} lines={rest} caption="More measures" {...{ differ }} />
        </details>
      )}
    </>
  );
}

function linesOf(runs: readonly RunView[]): readonly Line[] {
  const lines = new Map<string, { run: number; measure: MeasureValue }[]>();
  runs.forEach((view, run) => {
    for (const measure of overallMeasures(view.measures, view.primary))
      lines.set(measure.name, [...(lines.get(measure.name) ?? []), { run, measure }]);
  });
  return [...lines].map(([name, values]) => ({ name, values }));
}

function MeasureLines(props: {
  readonly runs: readonly RunView[];
  readonly lines: readonly Line[];
  readonly caption: string;
  /** Some values are means of cases, and others pool them. */
  readonly differ: boolean;
}) {
  const all = props.lines.flatMap(({ values }) => values.map(({ measure }) => measure));
  const level = levelOf(all);
  const drawn = all.some(isShare);
  const several = props.runs.length > 1;
  return (
    <table class={several ? 'measures several' : 'measures'}>
      <caption class="unseen">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">Measure</th>
          {several ? <th scope="col">Run</th> : null}
          <th scope="col" class="number">
            Value
          </th>
          {drawn ? (
            <td class="mark">
              <AxisNumbers axis={SHARES} ticks={[0, 0.5, 1]} />
            </td>
          ) : null}
          <th scope="col" class="interval">
            {level === null ? 'Interval' : `${level} interval`}
          </th>
          <th scope="col" class="number">
            n
          </th>
        </tr>
      </thead>
      {props.lines.map((line) => (
        <tbody key={line.name}>
          {line.values.map(({ run, measure }, at) => (
            <MeasureLine
              key={run}
              {...{ measure, drawn }}
              names={props.differ && isCaseMean(measure)}
              run={several ? run : null}
              name={props.runs[run]?.name ?? ''}
              spans={at === 0 ? rowsOf(line) : 0}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** A remark has a separate row, below its value. */
function rowsOf({ values }: Line): number {
  return values.reduce((rows, { measure }) => rows + (remarks(measure).length === 0 ? 1 : 2), 0);
}

function MeasureLine(props: {
  readonly measure: MeasureValue;
  /** null where there is one alone. */
  readonly run: number | null;
  /** Of the run. */
  readonly name: string;
  /** The rows that the measure's name stands beside; 0 where it stands above already. */
  readonly spans: number;
  readonly drawn: boolean;
  /** Whether it is named as a mean of cases. */
  readonly names: boolean;
}) {
  const { measure, run } = props;
  const said = remarks(measure);
  const interval = intervalText(measure);
  return (
    <>
      <tr class={props.spans > 0 ? 'first' : undefined}>
        {props.spans > 0 ? (
          <th scope="rowgroup" rowSpan={props.spans}>
            <MeasureName name={measure.name} symbol={measure.symbol} />
            <span
              class="aim muted plain"
              title={`${betterWord(measure)} is better`}
              role="img"
              aria-label={`${betterWord(measure)} is better`}
            >
              {arrow(measure)}
            </span>
            {props.names ? (
              <span class="aim fine muted plain" title={`${CASE_MEAN_MEANING}; other values pool all cases`}>
                {CASE_MEAN}
              </span>
            ) : null}
          </th>
        ) : null}
        {run === null ? null : (
          <th scope="row" class="run-cell">
            <span class="run-name" style={toneStyle(run)}>
              <ShortText text={props.name} />
            </span>
          </th>
        )}
        <td class="number value">
          {valueText(measure)}
          {measure.unit === undefined || measure.value === null ? null : (
            <span class="unit fine plain"> {readableText(measure.unit)}</span>
          )}
          {interval === null ? null : <span class="under">{interval}</span>}
        </td>
        {props.drawn ? (
          <td class="mark">
            {isShare(measure) ? (
              <Whisker axis={SHARES} ticks={QUARTERS} {...measure} tone={`tone-${(run ?? 0) % 8}`} />
            ) : null}
          </td>
        ) : null}
        <td class="interval">{interval ?? <span class="none muted">{measure.value === null ? '' : 'none'}</span>}</td>
        <td class="number n muted">{count(measure.n)}</td>
      </tr>
      {said.length === 0 ? null : (
        <tr class="remark muted">
          {run === null ? null : <td />}
          <td colSpan={props.drawn ? 4 : 3}>
            <ShortText text={said.join('; ')} most={1000} />
          </td>
        </tr>
      )}
    </>
  );
}
