import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { Edge } from './boundaries.ts';
import './correct-item.css';

/** The label of the data that a thing should have: from a list, and typed where others are allowed. */
export function KindChoice(props: {
  readonly kind: string | null;
  readonly kinds: readonly string[];
  readonly mayType: boolean;
  /** It is asked for at once. */
  readonly focused?: boolean;
  readonly sign?: string;
  readonly onChange: (kind: string) => void;
}) {
  const { kind, kinds, onChange } = props;
  const id = useId();
  const box = useRef<HTMLInputElement & HTMLSelectElement>(null);
  // What is being typed: the page may be drawn again before it is finished, when an answer has been saved.
  const [draft, setDraft] = useState<string | null>(null);
  useEffect(() => {
    // After whatever else wants the focus when the row appears.
    if (props.focused === true) setTimeout(() => box.current?.focus());
  }, []);
  const change = ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) => {
    setDraft(null);
    if (value.trim() !== '') onChange(value.trim());
  };
  const options = [...new Set([...(kind === null ? [] : [kind]), ...kinds])];
  return (
    <label class="kind-choice">
      <span class="muted fine">
        Label {props.sign === undefined ? null : <kbd aria-hidden="true">{props.sign}</kbd>}
      </span>
      {props.mayType ? (
        <>
          <input
            type="text"
            ref={box}
            list={id}
            value={draft ?? kind ?? ''}
            maxLength={200}
            autocomplete="off"
            onInput={({ currentTarget: { value } }) => setDraft(value)}
            onChange={change}
            onKeyDown={(event) => {
              if (event.isComposing || event.key !== 'Enter') return;
              event.preventDefault();
              change(event);
            }}
          />
          <datalist id={id}>
            {kinds.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      ) : (
        <select ref={box} value={kind ?? ''} onChange={change}>
          {kind === null ? <option value="">choose…</option> : null}
          {options.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
    </label>
  );
}

const STEPS = [
  { by: 'word', step: -1, sign: '«', words: 'a word to the left' },
  { by: 'character', step: -1, sign: '‹', words: 'a character to the left' },
  { by: 'character', step: 1, sign: '›', words: 'a character to the right' },
  { by: 'word', step: 1, sign: '»', words: 'a word to the right' },
] as const;

/** Buttons that move where a thing begins and ends. */
export function BoundaryButtons(props: {
  /** The boundary that keys move. */
  readonly edge?: Edge;
  readonly onMove: (edge: Edge, by: 'character' | 'word', step: 1 | -1) => void;
}) {
  return (
    <div class="boundaries flow">
      {(['start', 'end'] as const).map((edge) => (
        <div key={edge} class={edge === props.edge ? 'boundary active' : 'boundary'} role="group" aria-label={edge}>
          <span class="muted fine">{edge === 'start' ? 'Start' : 'End'}</span>
          {STEPS.map(({ by, step, sign, words }) => (
            <button
              key={sign}
              type="button"
              class="small"
              aria-label={`${edge === 'start' ? 'Start' : 'End'} ${words}`}
              title={`${edge === 'start' ? 'Start' : 'End'} ${words}`}
              onClick={() => props.onMove(edge, by, step)}
            >
              <span aria-hidden="true">{sign}</span>
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
