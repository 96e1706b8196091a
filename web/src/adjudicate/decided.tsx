import type { ConflictView } from '../../../src/review/api.ts';
import type { CellValue } from '../../../src/store/review-records.ts';
import { PlainText } from '../plain-text.tsx';
import { valueWords } from '../value-words.ts';

export interface ShownDecision {
  readonly value: CellValue;
  readonly because: string;
  /** Not confirmed by the server yet. */
  readonly saving: boolean;
}

export function Decided(props: {
  readonly view: ConflictView;
  readonly decision: ShownDecision | null;
  readonly onUndo: () => void;
}) {
  const { view, decision } = props;
  return (
    <>
      {decision === null ? null : (
        <div class="decided stack tight">
          <p>
            Decided: <strong>{valueWords(view.question, decision.value)}</strong>
            {decision.saving ? <span class="hint"> (being saved)</span> : null}
          </p>
          {decision.because === '' ? null : <PlainText in="p" class="because pre" text={decision.because} />}
          <button type="button" class="quiet" onClick={props.onUndo}>
            <kbd aria-hidden="true">u</kbd> Take it back
          </button>
        </div>
      )}
      {view.history.length === 0 ? null : (
        <details class="decision-history">
          <summary>History ({view.history.length})</summary>
          <ol>
            {view.history.map((entry, index) => (
              <li key={index}>
                <time class="muted count" dateTime={entry.at}>
                  {shownTime(entry.at)}
                </time>{' '}
                {entry.by}:{' '}
                {entry.value === null ? 'taken back' : <strong>{valueWords(view.question, entry.value)}</strong>}
                {entry.because === '' ? null : (
                  <>
                    {' '}
                    — <PlainText text={entry.because} />
                  </>
                )}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function shownTime(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime())
    ? at
    : time.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
