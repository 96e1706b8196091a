import { along, type Axis } from './along.ts';

const MIDDLE = 11;
const ROUND = 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z';
const SIGNS = { dot: ROUND, hollow: ROUND, up: 'M0 -6l6 10h-12z', down: 'M0 6l6 -10h-12z' } as const;
const ARROW_OUT = 'M-6 0l9 -6v12z';

/** A value on an axis with its interval. What goes on beyond the axis has no end there, and a value beyond it is an arrow. */
export function Whisker(props: {
  readonly axis: Axis;
  readonly ticks: readonly number[];
  readonly value: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly target?: number | null;
  readonly sign?: keyof typeof SIGNS;
  /** Name of a colour of the page; the accent without one. */
  readonly tone?: string;
  /** For screen readers, where the numbers are not beside it in words. */
  readonly label?: string;
}) {
  const { axis, value, interval, target = null, sign = 'dot', tone, label } = props;
  const at = (one: number): string => placeOn(axis, one);
  const upright = (kind: string, one: number, reach: number) => (
    <line key={one} class={kind} x1={at(one)} x2={at(one)} y1={MIDDLE - reach} y2={MIDDLE + reach} />
  );
  const ends = interval === null ? [] : [interval.low, interval.high];
  return (
    <svg
      class="whisker"
      style={tone === undefined ? {} : { '--tone': `var(--${tone})` }}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <line class="axis" x1="0%" x2="100%" y1={MIDDLE} y2={MIDDLE} />
      {/* Chance, or no difference, is what a value is read against. */}
      {props.ticks.map((tick) => upright('axis', tick, tick === 0 && axis[0] < 0 ? 9 : 3))}
      {target === null ? null : upright('target', target, 10)}
      {interval === null ? null : (
        <line class="reach" x1={at(interval.low)} x2={at(interval.high)} y1={MIDDLE} y2={MIDDLE} />
      )}
      {ends.filter((end) => !along(end, axis).beyond).map((end) => upright('reach', end, 4.5))}
      {value === null ? null : (
        <svg class={`sign ${sign}`} x={at(value)} y={MIDDLE} overflow="visible">
          <path d={along(value, axis).beyond ? ARROW_OUT : SIGNS[sign]} />
        </svg>
      )}
    </svg>
  );
}

export function AxisNumbers(props: { readonly axis: Axis; readonly ticks: readonly number[] }) {
  return (
    <svg class="whisker numbers" aria-hidden="true">
      {props.ticks.map((value) => (
        <text key={value} x={placeOn(props.axis, value)} y="12" text-anchor="middle">
          {Math.abs(value)}
        </text>
      ))}
    </svg>
  );
}

/** In per cent, so that a drawing is as wide as there is room and no higher for it. */
function placeOn(axis: Axis, value: number): string {
  return `${Math.round(along(value, axis).share * 10_000) / 100}%`;
}
