import { signedFigure } from '../../../../src/text/figures.ts';
import type { ComparisonVerdict } from '../../../../src/compare/comparison.ts';
import { type DrawnDifference, onAxis } from './difference-axis.ts';

const WIDTH = 200;
const MARGIN = 7;
const MIDDLE = 11;

/** A difference around 0 with its interval: better to the right. The numbers stand beside it, so it is not read out. */
export function DifferenceWhisker(props: {
  readonly drawn: DrawnDifference;
  readonly reach: number;
  readonly verdict: ComparisonVerdict;
}) {
  const { drawn, reach, verdict } = props;
  const at = (value: number): number => place(value, reach);
  return (
    <svg class={`difference ${verdict.replaceAll(' ', '-')}`} viewBox={`0 0 ${WIDTH} 22`} aria-hidden="true">
      <line class="rule" x1={at(-reach)} x2={at(reach)} y1={MIDDLE} y2={MIDDLE} />
      <line class="zero" x1={at(0)} x2={at(0)} y1="1" y2="21" />
      {drawn.low === null || drawn.high === null ? null : (
        <path
          class="reach"
          d={`M${at(drawn.low)} ${MIDDLE - 4}v8M${at(drawn.low)} ${MIDDLE}H${at(drawn.high)}M${at(drawn.high)} ${MIDDLE - 4}v8`}
        />
      )}
      <Sign x={at(drawn.value)} verdict={verdict} />
    </svg>
  );
}

/** Verdicts differ in form too: a point up, a point down, a full or a hollow dot. */
function Sign(props: { readonly x: number; readonly verdict: ComparisonVerdict }) {
  const { x } = props;
  switch (props.verdict) {
    case 'better':
      return <path class="sign" d={`M${x} ${MIDDLE - 6}l6 10h-12z`} />;
    case 'worse':
      return <path class="sign" d={`M${x} ${MIDDLE + 6}l6 -10h-12z`} />;
    case 'no difference shown':
      return <circle class="sign" cx={x} cy={MIDDLE} r="4.5" />;
    case 'too little data':
      return <circle class="sign hollow" cx={x} cy={MIDDLE} r="4.5" />;
  }
}

/** The numbers of the axis that shares have in common. */
export function DifferenceAxis(props: { readonly reach: number }) {
  const { reach } = props;
  return (
    <svg class="difference numbers" viewBox={`0 0 ${WIDTH} 30`} aria-hidden="true">
      <text x={MARGIN} y="11" text-anchor="start">
        ← worse
      </text>
      <text x={WIDTH - MARGIN} y="11" text-anchor="end">
        better →
      </text>
      <text x={MARGIN} y="27" text-anchor="start">
        {shortFigure(reach)}
      </text>
      <text x={WIDTH / 2} y="27" text-anchor="middle">
        0
      </text>
      <text x={WIDTH - MARGIN} y="27" text-anchor="end">
        {shortFigure(reach)}
      </text>
    </svg>
  );
}

function shortFigure(reach: number): string {
  return String(reach).length <= 6 ? String(reach) : signedFigure(reach).replace('+', '');
}

function place(value: number, reach: number): number {
  return Math.round((MARGIN + onAxis(value, reach) * (WIDTH - 2 * MARGIN)) * 10) / 10;
}
