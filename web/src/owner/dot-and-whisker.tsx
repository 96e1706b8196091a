import type { AgreementFigure } from '../../../src/review/api.ts';
import { along } from './axis.ts';
import { figureSentence } from './figure-words.ts';

const WIDTH = 240;
const MARGIN = 8;
const MIDDLE = 12;

/** A figure on the axis from -0.2 to 1: a dot, its interval as a whisker, the target as a line. */
export function DotAndWhisker(props: { readonly figure: AgreementFigure }) {
  const { value, interval, target } = props.figure;
  return (
    <svg class="whisker" viewBox={`0 0 ${WIDTH} 24`} role="img" aria-label={figureSentence(props.figure)}>
      <line class="axis" x1={at(-0.2)} x2={at(1)} y1={MIDDLE} y2={MIDDLE} />
      <line class="axis" x1={at(0)} x2={at(0)} y1={MIDDLE - 4} y2={MIDDLE + 4} />
      <line class="axis" x1={at(1)} x2={at(1)} y1={MIDDLE - 4} y2={MIDDLE + 4} />
      {target === null ? null : <line class="target" x1={at(target)} x2={at(target)} y1="1" y2="23" />}
      {interval === null ? null : (
        <>
          <line class="reach" x1={at(interval.low)} x2={at(interval.high)} y1={MIDDLE} y2={MIDDLE} />
          <End value={interval.low} />
          <End value={interval.high} />
        </>
      )}
      {value === null ? null : <Dot value={value} />}
    </svg>
  );
}

/** The numbers under the axis, once for all figures. */
export function AxisNumbers() {
  return (
    <svg class="whisker numbers" viewBox={`0 0 ${WIDTH} 16`} aria-hidden="true">
      {[0, 0.5, 1].map((value) => (
        <text key={value} x={at(value)} y="12" text-anchor={value === 1 ? 'end' : 'middle'} dx={value === 1 ? 4 : 0}>
          {value}
        </text>
      ))}
    </svg>
  );
}

/** An interval that goes on beyond the axis has no end there. */
function End(props: { readonly value: number }) {
  const { beyond } = along(props.value);
  return beyond ? null : (
    <line class="reach" x1={at(props.value)} x2={at(props.value)} y1={MIDDLE - 4} y2={MIDDLE + 4} />
  );
}

/** A value below the axis is an arrow at its end. */
function Dot(props: { readonly value: number }) {
  const x = at(props.value);
  if (!along(props.value).beyond) return <circle class="dot" cx={x} cy={MIDDLE} r="5" />;
  return <path class="dot" d={`M${x - 6} ${MIDDLE}l9 -6v12z`} />;
}

function at(value: number): number {
  return Math.round((MARGIN + along(value).share * (WIDTH - 2 * MARGIN)) * 10) / 10;
}
