import { commitText, tagTexts } from '../../../src/report/about.ts';
import { arrow, betterWord } from '../../../src/report/arrows.ts';
import type { LiveRun, ShownFigure } from '../../../src/server/runs/live-data.ts';
import { runAddress } from '../../../src/server/runs/run-address.ts';
import { count, plural } from '../../../src/text/figures.ts';
import { since } from '../owner/since.ts';
import { PlainText } from '../plain-text.tsx';
import { readableText } from '../readable-pieces.ts';
import { Whisker } from '../whisker.tsx';
import { scoredAt } from './order-runs.ts';
import { intervalText, isShare, QUARTERS, SHARES, valueText } from '../report/summary/measure-words.ts';

export function RunRow(props: {
  readonly run: LiveRun;
  readonly now: number;
  readonly height: number;
  readonly index: number;
  /** Place among those to be compared; -1 where it is not. */
  readonly chosen: number;
  /** Not scored as the baseline was. */
  readonly unlike: boolean;
  readonly toggle: (path: string) => void;
}) {
  const { run, chosen, unlike } = props;
  const { path, about, state } = run;
  const place = path === '.' ? 'this folder' : path;
  const name = about?.name ?? place;
  const tags = tagTexts(about?.tags ?? {});
  const under = [...(name === place ? [] : [place]), about?.task, about?.recipe, ...tags];
  const scored = scoredAt(run);
  return (
    <div
      class={`run-line ${state}${chosen >= 0 ? ' chosen' : ''}${unlike ? ' unlike' : ''}`}
      role="row"
      aria-rowindex={props.index}
      style={{ height: `${props.height}px` }}
    >
      <span role="cell" class="pick">
        <input
          type="checkbox"
          aria-label={`Compare ${readableText(name === place ? name : `${name}, ${place}`)}`}
          checked={chosen >= 0}
          disabled={about === null}
          onChange={() => props.toggle(path)}
        />
      </span>
      <span role="rowheader" class="what">
        <span class="name cut" title={readableText([name, about?.note].filter(Boolean).join('\n'))}>
          {about === null ? (
            <PlainText text={name} />
          ) : (
            <a href={runAddress(path)}>
              <PlainText text={name} />
            </a>
          )}
        </span>
        <span class="under cut hint" title={tags.length === 0 ? undefined : readableText(tags.join('\n'))}>
          {about === null ? null : <PlainText text={under.join(' · ')} />}
          {unlike ? <span class="apart unsure"> · not scored alike</span> : null}
          {chosen === 0 ? <span class="base good"> · baseline</span> : null}
        </span>
      </span>
      <span role="cell" class="cases number">
        <Cases run={run} />
      </span>
      <span role="cell" class="figures">
        {about === null ? <Unread run={run} /> : <FigureLines figures={about.figures} />}
      </span>
      <span role="cell" class="audit">
        <AuditBadges run={run} />
      </span>
      <span role="cell" class="when">
        {state === 'writing' ? (
          <span class="busy">{about === null ? 'being scored' : 'being scored again'}</span>
        ) : null}
        {state === 'broken' ? <span class="fault">cannot be read</span> : null}
        {state === 'writing' && about === null ? null : (
          <span class="hint" title={[new Date(scored).toLocaleString(), commitWords(about)].filter(Boolean).join('\n')}>
            {since(new Date(scored).toISOString(), props.now)}
          </span>
        )}
      </span>
    </div>
  );
}

function commitWords(about: LiveRun['about']): string {
  return about?.commit == null ? '' : `commit ${commitText(about.commit)}`;
}

function Cases(props: { readonly run: LiveRun }) {
  const { about, written } = props.run;
  if (about === null) return written === null ? null : <span class="hint">{`${plural(written, 'case')} so far`}</span>;
  const lost = [
    ...(about.failed > 0 ? [`${count(about.failed)} failed`] : []),
    ...(about.unanswered > 0 ? [`${count(about.unanswered)} no answer`] : []),
  ];
  return (
    <>
      <span>
        {count(about.cases)}
        <span class="only-narrow"> {about.cases === 1 ? 'case' : 'cases'}</span>
      </span>
      {lost.length === 0 ? null : <span class="lost unsure fine">{lost.join(', ')}</span>}
    </>
  );
}

function Unread(props: { readonly run: LiveRun }) {
  const { why, state } = props.run;
  if (state === 'writing') return <span class="hint">Its figures come when all cases are scored.</span>;
  return (
    <span class="why cut fault" title={readableText(why ?? '')}>
      <PlainText text={why ?? 'no reason given'} />
    </span>
  );
}

function AuditBadges(props: { readonly run: LiveRun }) {
  const { about } = props.run;
  if (about === null) return null;
  const { findings } = about;
  if (findings === null) return <span class="hint">no audit</span>;
  const { error, warning, note } = findings;
  if (error + warning + note === 0) return <span class="clean hint">nothing found</span>;
  if (error + warning === 0)
    return (
      <span class="clean hint">
        no errors or warnings <span class="notes">({plural(note, 'note')})</span>
      </span>
    );
  return (
    <>
      {error > 0 ? <span class="badge error">{plural(error, 'error')}</span> : null}
      {warning > 0 ? <span class="badge warning">{plural(warning, 'warning')}</span> : null}
    </>
  );
}

const SHOWN = 2;

function FigureLines(props: { readonly figures: readonly ShownFigure[] }) {
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
      <span class="measure cut" title={`${readableText(figure.name)}: ${betterWord(figure)} is better`}>
        <PlainText text={figure.name} /> <span class="aim muted">{arrow(figure)}</span>
      </span>
      {figure.value === null ? (
        <span class="none cut hint" title={readableText(figure.undefined ?? '')}>
          undefined: <PlainText text={figure.undefined ?? 'no reason given'} />
        </span>
      ) : (
        <>
          <span class="value">
            {valueText(figure)}
            {figure.unit === undefined ? '' : ` ${readableText(figure.unit)}`}
          </span>
          {isShare(figure) ? <Whisker axis={SHARES} ticks={QUARTERS} {...figure} /> : <span class="no-mark" />}
          <span
            class="reach fine nowrap hint"
            title={interval === null ? readableText(figure.noInterval ?? '') : undefined}
          >
            {interval ?? 'no interval'} <span class="n muted">n {count(figure.n)}</span>
          </span>
        </>
      )}
    </span>
  );
}
