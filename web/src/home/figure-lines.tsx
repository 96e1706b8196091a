import { arrow, betterWord } from '../../../src/report/arrows.ts';
import { count } from '../../../src/text/figures.ts';
import type { ShownFigure } from '../../../src/server/runs/live-data.ts';
import { PlainText } from '../plain-text.tsx';
import { readableText } from '../readable-pieces.ts';
import { IntervalMark } from '../report/summary/interval-mark.tsx';
import { intervalText, isShare, valueText } from '../report/summary/measure-words.ts';

const SHOWN = 2;

/** The first figures of a run, each with how sure it is. */
export function FigureLines(props: { readonly figures: readonly ShownFigure[] }) {
  const { figures } = props;
  if (figures.length === 0) return <span class="hint">no measures</span>;
  return (
    <>
      {figures.slice(0, SHOWN).map((figure) => (
        <FigureLine key={figure.name} figure={figure} />
      ))}
    </>
  );
}

function FigureLine(props: { readonly figure: ShownFigure }) {
  const { figure } = props;
  const interval = intervalText(figure);
  return (
    <span class="figure-line">
      <span class="measure" title={`${readableText(figure.name)}: ${betterWord(figure)} is better`}>
        <PlainText text={figure.name} /> <span class="aim">{arrow(figure)}</span>
      </span>
      {figure.value === null ? (
        <span class="none hint" title={readableText(figure.undefined ?? '')}>
          undefined: <PlainText text={figure.undefined ?? 'no reason given'} />
        </span>
      ) : (
        <>
          <span class="value">
            {valueText(figure)}
            {figure.unit === undefined ? '' : ` ${readableText(figure.unit)}`}
          </span>
          {isShare(figure) ? <IntervalMark measure={figure} /> : <span class="no-mark" />}
          <span class="reach hint" title={interval === null ? readableText(figure.noInterval ?? '') : undefined}>
            {interval ?? 'no interval'} <span class="n">n {count(figure.n)}</span>
          </span>
        </>
      )}
    </span>
  );
}
