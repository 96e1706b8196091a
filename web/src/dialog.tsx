import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';

import { KeyLayer, pageKeys } from './use-keys.ts';

/** A modal window: Escape and the cross close it, focus goes back to where it was, shortcuts beneath it are silent. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}) {
  const layer = useContext(KeyLayer) + 1;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    const lower = pageKeys.raise(layer);
    return () => {
      lower();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [layer]);

  return (
    <dialog
      ref={dialog}
      class={props.wide === true ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        // The backdrop belongs to the dialog element; everything inside is in the frame.
        if (event.target === dialog.current) props.onClose();
      }}
    >
      <div class="dialog-frame stack">
        <header class="dialog-head">
          <h2 id={heading}>{props.title}</h2>
          <button type="button" class="quiet icon" aria-label="Close" onClick={props.onClose}>
            <span aria-hidden="true">✕</span>
          </button>
        </header>
        <KeyLayer.Provider value={layer}>{props.children}</KeyLayer.Provider>
      </div>
    </dialog>
  );
}
