import { useRef, useState } from 'preact/hooks';

import { PlainText } from './plain-text.tsx';

/** Lines with a button that copies them. If the browser does not let a page copy, they are selected so that the reader can. */
export function CopiedLines(props: { readonly text: string; readonly label: string; readonly long?: boolean }) {
  const lines = useRef<HTMLPreElement>(null);
  const [state, setState] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.text);
      setState('Copied');
    } catch {
      if (lines.current !== null) getSelection()?.selectAllChildren(lines.current);
      setState('Selected: copy with Ctrl+C or ⌘C');
    }
  };
  return (
    <div class="copied-lines stack">
      <pre
        ref={lines}
        class={props.long === true ? 'frame long' : 'frame'}
        tabIndex={0}
        role="region"
        aria-label={props.label}
      >
        <PlainText text={props.text} />
      </pre>
      <p class="flow">
        <button type="button" class="small" aria-label={`Copy ${props.label}`} onClick={() => void copy()}>
          Copy
        </button>
        <span class="hint" role="status">
          {state}
        </span>
      </p>
    </div>
  );
}
