import type { Sweep, SweepDifference, SweepPoint, SweepValue } from '../compare/sweep/sweep.ts';
import { type CsvColumn, renderCsv } from './render-csv.ts';

interface CsvRow {
  readonly point: SweepPoint;
  readonly system: string;
  readonly value: SweepValue;
  /** From the first system; undefined if the point was not compared. */
  readonly difference: SweepDifference | undefined;
}

/** A row a point, system and measure. */
export function recipeSweepCsv({ axes, points, systems }: Sweep): string {
  const rows = points.flatMap((point) =>
    point.systems.flatMap((values, at) =>
      values.map((value): CsvRow => {
        const difference = point.differences.find((one) => one.system === at && one.name === value.name);
        return { point, system: systems[at]!.name, value, difference };
      }),
    ),
  );
  return renderCsv(
    [
      ...axes.map(({ path, texts }, axis): CsvColumn<CsvRow> => [path, ({ point }) => texts[point.at[axis]!]]),
      ['own', ({ point }) => point.own],
      ['system', ({ system }) => system],
      ['measure', ({ value }) => value.name],
      ['value', ({ value }) => value.value],
      ['undefined', ({ value }) => value.undefined],
      ['n', ({ value }) => value.n],
      ['low', ({ value }) => value.interval?.low],
      ['high', ({ value }) => value.interval?.high],
      ['level', ({ value }) => value.interval?.level],
      ['difference_from', ({ difference }) => difference && systems[0]!.name],
      ['difference', ({ difference }) => difference?.difference],
      ['difference_low', ({ difference }) => difference?.interval?.low],
      ['difference_high', ({ difference }) => difference?.interval?.high],
      ['p', ({ difference }) => difference?.permutation.pValue],
      ['p_holm', ({ difference }) => difference?.adjusted],
      ['verdict', ({ difference }) => difference?.verdict],
    ],
    rows,
  );
}
