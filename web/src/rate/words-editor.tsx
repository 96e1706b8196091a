import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { languageTag } from '../plain-text.tsx';
import type { ItemWork, WordsEdit } from './item-work.ts';

/**
 * The words of a claim while they are changed. What is typed is kept as it is typed; Enter closes, Escape puts back what
 * was there before (both are keys of the row), Shift+Enter cuts at the cursor.
 */
export function WordsEditor(props: {
  readonly edit: WordsEdit;
  readonly language: string | null;
  readonly mayCut: boolean;
  readonly work: Pick<ItemWork, 'type' | 'closeEdit' | 'dropEdit' | 'cut' | 'send'>;
}) {
  const { edit, work } = props;
  // The text field keeps a space at the end, which the claim does not.
  const [text, setText] = useState(edit.before);
  const box = useRef<HTMLTextAreaElement>(null);
  // Before the next key, which would be a shortcut otherwise.
  useLayoutEffect(() => box.current?.focus(), [edit]);
  return (
    <div class="words-editor">
      <textarea
        ref={box}
        aria-label="Words of the claim"
        dir="auto"
        lang={languageTag(props.language)}
        maxLength={20_000}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          work.type(edit, currentTarget.value);
        }}
        onBlur={work.send}
        onKeyDown={(event) => {
          if (event.isComposing || event.key !== 'Enter' || !event.shiftKey) return;
          event.preventDefault();
          if (props.mayCut) work.cut(edit, text, event.currentTarget.selectionStart);
          else work.closeEdit(edit);
        }}
      />
      <p class="hint" role="status">
        {text.trim() === '' ? 'A claim without words is not kept: it stays as it was.' : ''}
      </p>
      <div class="tools">
        <button type="button" class="small" onClick={() => work.closeEdit(edit)}>
          Keep <kbd aria-hidden="true">Enter</kbd>
        </button>
        {props.mayCut ? (
          <button
            type="button"
            class="quiet small"
            onClick={() => work.cut(edit, text, box.current?.selectionStart ?? text.length)}
          >
            Split at the cursor <kbd aria-hidden="true">Shift + Enter</kbd>
          </button>
        ) : null}
        <button type="button" class="quiet small" onClick={() => work.dropEdit(edit)}>
          Leave as it was <kbd aria-hidden="true">Esc</kbd>
        </button>
      </div>
    </div>
  );
}
