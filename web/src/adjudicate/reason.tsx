import { useEffect, useRef } from 'preact/hooks';

import { useKeys } from '../use-keys.ts';
import type { OtherValue } from './other-values.ts';

/** Why: may be left out where an answer is taken, and must be given for a value that nobody gave. */
export function Reason(props: {
  readonly other: OtherValue | null;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onDecide: () => void;
  readonly onDrop: () => void;
}) {
  const { other } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const missing = other !== null && props.text.trim() === '';

  // After the dialog has given the focus back to where it was.
  useEffect(() => {
    if (other !== null) field.current?.focus();
  }, [other]);

  const decide = (): void => {
    if (missing) field.current?.focus();
    else props.onDecide();
  };
  useKeys([
    { keys: ['r'], does: 'Write the reason', run: () => field.current?.focus() },
    { keys: ['Escape'], does: 'Leave the reason, drop another value', run: leave, unlisted: true },
    ...(other === null
      ? []
      : [{ keys: ['Enter'], does: 'Decide for the other value', run: decide, whileTyping: true }]),
  ]);

  function leave(): void {
    if (document.activeElement === field.current) field.current?.blur();
    else props.onDrop();
  }

  return (
    <div class="reason">
      {other === null ? null : (
        <p class="other-chosen" role="status">
          Another value: <strong>{other.words}</strong>
        </p>
      )}
      <label for="because">
        {other === null ? 'Reason' : 'Reason for another value'}{' '}
        <span class="hint">{other === null ? 'if you want to give one' : 'needed'}</span>
      </label>
      <textarea
        id="because"
        ref={field}
        rows={2}
        maxLength={2000}
        dir="auto"
        value={props.text}
        required={other !== null}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      {other === null ? null : (
        <div class="reason-acts">
          <button type="button" class="primary" aria-disabled={missing} onClick={decide}>
            Decide: {other.words} <kbd aria-hidden="true">Enter</kbd>
          </button>
          <button type="button" class="quiet" onClick={props.onDrop}>
            Cancel
          </button>
        </div>
      )}
    </div>
  );
}
