import { count, figure } from '../../../../src/text/figures.ts';
import type { CaseDetail, ReportHead } from '../../../../src/report/html/report-data.ts';
import { readableName } from '../../relation.ts';
import { runLetter } from './run-letter.ts';
import { VerdictChip, Words } from './words.tsx';

const VERDICTS = ['hit', 'missed', 'spurious', 'excused'] as const;

export function CaseHead(props: { readonly head: ReportHead; readonly detail: CaseDetail }) {
  const { head, detail } = props;
  const several = head.runs.length > 1;
  const slices = Object.entries(detail.runs.find((run) => run !== null)?.result.slices ?? {});
  return (
    <header class="case-head stack">
      {slices.length === 0 ? null : (
        <p class="hint">
          {slices.slice(0, 12).map(([column, value], at) => (
            <span key={column}>
              {at === 0 ? '' : ' · '}
              <Words text={readableName(column)} most={60} /> <Words text={value} most={80} />
            </span>
          ))}
        </p>
      )}
      {detail.runs.map((run, at) => {
        const name = several ? (
          <span class="run-name">
            <span class="tag-run">{runLetter(at)}</span> <Words text={head.runs[at]?.name ?? ''} most={80} />
          </span>
        ) : null;
        if (run === null) {
          return (
            <p key={at} class="case-counts flow">
              {name} <span class="hint">This run does not have the case.</span>
            </p>
          );
        }
        const { result } = run;
        const primary = head.runs[at]?.primary ?? [];
        return (
          <div key={at}>
            <p class="case-counts flow">
              {name}
              {VERDICTS.map((verdict) => (
                <VerdictChip key={verdict} verdict={verdict} none={result.counts[verdict] === 0}>
                  {`${count(result.counts[verdict])} ${verdict}`}
                </VerdictChip>
              ))}
              {primary.map((measure) => {
                const value = Object.hasOwn(result.measures, measure) ? result.measures[measure] : undefined;
                return value === undefined ? null : (
                  <span key={measure} class="case-measure">
                    <Words text={readableName(measure)} most={40} />{' '}
                    {value === null ? <span class="hint">undefined</span> : <b class="count">{figure(value)}</b>}
                  </span>
                );
              })}
            </p>
            {result.failed === undefined ? null : (
              <p class="notice fault">
                The system failed on this case: <Words text={result.failed} />
              </p>
            )}
            {result.failedAsEmpty === undefined ? null : (
              <p class="notice fault">
                The system failed on this case, which was scored as an empty answer:{' '}
                <Words text={result.failedAsEmpty} />
              </p>
            )}
            {result.answered === false && result.failedAsEmpty === undefined ? (
              <p class="notice warn">There is no prediction for this case: it was scored as an empty one.</p>
            ) : null}
          </div>
        );
      })}
    </header>
  );
}
