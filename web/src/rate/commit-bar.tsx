import { PlainText } from '../plain-text.tsx';
import type { Form, Stop } from './stops.ts';

export function CommitBar(props: {
  readonly form: Form;
  readonly answered: number;
  readonly asked: number;
  readonly missing: readonly Stop[];
  readonly isDone: boolean;
  readonly commit: () => void;
  readonly goTo: (step: 1 | -1) => void;
  readonly go: (stop: Stop) => void;
}) {
  const { form, missing, isDone } = props;
  return (
    <div class="commit-bar stack">
      {missing.length > 0 ? <Missing form={form} missing={missing} go={props.go} /> : null}
      <div class="commit-row">
        <button
          type="button"
          class="quiet icon"
          aria-label="Previous item"
          title="Previous item"
          onClick={() => props.goTo(-1)}
        >
          <span aria-hidden="true">←</span>
        </button>
        <button type="button" class="quiet icon" aria-label="Next item" title="Next item" onClick={() => props.goTo(1)}>
          <span aria-hidden="true">→</span>
        </button>
        <p class="hint count answered">
          {props.asked === 0 ? 'nothing has to be answered' : `${props.answered} of ${props.asked} answered`}
        </p>
        <button type="button" class="primary" onClick={props.commit}>
          {isDone ? 'Go on' : 'Done, next'} <kbd aria-hidden="true">Enter</kbd>
        </button>
      </div>
    </div>
  );
}

/** By question, so that a long list of claims does not fill the screen. */
function Missing(props: { readonly form: Form; readonly missing: readonly Stop[]; readonly go: (stop: Stop) => void }) {
  const { form, missing } = props;
  const byField = Map.groupBy(missing, ({ field }) => field);
  return (
    <div class="notice warn missing flow">
      <p>{missing.length === 1 ? 'One answer is missing:' : `${missing.length} answers are missing:`}</p>
      <ul>
        {[...byField].map(([field, stops]) => (
          <li key={field}>
            <button type="button" class="quiet small" onClick={() => props.go(stops[0] ?? { field, part: null })}>
              <PlainText text={form[field]?.section || form[field]?.title || field} />
              {stops.length > 1 ? <span class="count">({stops.length})</span> : null}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
