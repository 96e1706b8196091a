import { useState } from 'preact/hooks';

import { Dialog } from '../dialog.tsx';
import { PlaceShown } from '../place-shown.tsx';
import { languageTag } from '../plain-text.tsx';
import { placesOf } from './places-of.ts';

/** Words for something that the list does not have, and where in the text they stand. */
export function AddDialog(props: {
  readonly under: string;
  readonly language: string | null;
  readonly onAdd: (words: { readonly text: string; readonly start: number | null }) => void;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const text = typed.trim();
  const places = placesOf(props.under, text);
  const start = places[chosen] ?? null;
  const add = () => {
    if (text !== '') props.onAdd({ text, start });
  };
  const step = (by: 1 | -1) => setChosen((chosen + by + places.length) % places.length);
  return (
    <Dialog title="Add to the list" onClose={props.onClose}>
      <label class="stack tight">
        <span>The words, as the text has them</span>
        <textarea
          autofocus
          dir="auto"
          lang={languageTag(props.language)}
          maxLength={20_000}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.isComposing || event.shiftKey) return;
            const isStep = (event.key === 'ArrowDown' || event.key === 'ArrowUp') && places.length > 1;
            if (event.key !== 'Enter' && !isStep) return;
            event.preventDefault();
            if (isStep) step(event.key === 'ArrowDown' ? 1 : -1);
            else add();
          }}
        />
      </label>
      <div class="add-place stack tight" role="status">
        {text === '' ? null : start === null ? (
          <p class="hint">The text does not have these words: they are added without a place.</p>
        ) : (
          <>
            <PlaceShown under={props.under} start={start} end={start + text.length} language={props.language} />
            {places.length === 1 ? null : (
              <p class="hint">
                Place <span class="count">{chosen + 1}</span> of <span class="count">{places.length}</span>
                <button type="button" class="quiet small" onClick={() => step(1)}>
                  Next place <kbd aria-hidden="true">↓</kbd>
                </button>
              </p>
            )}
          </>
        )}
      </div>
      <p class="hint">
        Or close this, select the words in the text, and press <kbd>a</kbd>.
      </p>
      <div class="dialog-buttons flow">
        <button type="button" onClick={props.onClose}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={text === ''} onClick={add}>
          Add <kbd aria-hidden="true">Enter</kbd>
        </button>
      </div>
    </Dialog>
  );
}
