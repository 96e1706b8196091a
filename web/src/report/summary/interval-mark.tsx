import type { MeasureValue } from '../../../../src/measure/results.ts';

const MIDDLE = 10;

/** A share on the axis from 0 to 1: a dot, and its interval as a whisker. The numbers stand beside it in words. */
export function IntervalMark(props: {
  readonly measure: Pick<MeasureValue, 'value' | 'interval'>;
  readonly tone?: number;
}) {
  const { value, interval } = props.measure;
  return (
    <svg class={`interval-mark tone-${props.tone ?? 0}`} aria-hidden="true">
      <line class="axis" x1="0%" x2="100%" y1={MIDDLE} y2={MIDDLE} />
      {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
        <Upright key={tick} kind="axis" value={tick} reach={3} />
      ))}
      {interval === null ? null : (
        <>
          <line class="reach" x1={at(interval.low)} x2={at(interval.high)} y1={MIDDLE} y2={MIDDLE} />
          <Upright kind="reach" value={interval.low} reach={4.5} />
          <Upright kind="reach" value={interval.high} reach={4.5} />
        </>
      )}
      {value === null ? null : <circle class="dot" cx={at(value)} cy={MIDDLE} r="4.5" />}
    </svg>
  );
}

/** The numbers of the axis, once for all marks below. */
export function AxisNumbers() {
  return (
    <svg class="interval-mark numbers" aria-hidden="true">
      {[0, 0.5, 1].map((value) => (
        <text key={value} x={at(value)} y="12" text-anchor="middle">
          {value}
        </text>
      ))}
    </svg>
  );
}

function Upright(props: { readonly kind: 'axis' | 'reach'; readonly value: number; readonly reach: number }) {
  const x = at(props.value);
  return <line class={props.kind} x1={x} x2={x} y1={MIDDLE - props.reach} y2={MIDDLE + props.reach} />;
}

/** In per cent, so that a mark is as wide as there is room and no higher for it. */
function at(value: number): string {
  return `${Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 100}%`;
}
