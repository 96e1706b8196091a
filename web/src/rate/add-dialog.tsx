import { useState } from 'preact/hooks';

import { Dialog } from '../dialog.tsx';
import { languageTag } from '../plain-text.tsx';

/** Words for something that the list does not have. */
export function AddDialog(props: {
  readonly language: string | null;
  readonly onAdd: (text: string) => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const isEmpty = text.trim() === '';
  return (
    <Dialog title="Add to the list" onClose={props.onClose}>
      <label class="stacked">
        <span>The words, as the text has them</span>
        <textarea
          autofocus
          dir="auto"
          lang={languageTag(props.language)}
          maxLength={20_000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            if (!isEmpty) props.onAdd(text);
          }}
        />
      </label>
      <p class="hint">
        Or close this, select the words in the text, and press <kbd>a</kbd>: then their place is known even where the
        same words stand twice.
      </p>
      <div class="dialog-buttons">
        <button type="button" onClick={props.onClose}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={isEmpty} onClick={() => props.onAdd(text)}>
          Add <kbd aria-hidden="true">Enter</kbd>
        </button>
      </div>
    </Dialog>
  );
}
