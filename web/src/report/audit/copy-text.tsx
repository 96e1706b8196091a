import { useRef, useState } from 'preact/hooks';

import { PlainText } from '../../plain-text.tsx';

/** Lines to copy. If the browser does not let a page copy, they are selected so that the reader can. */
export function CopyText(props: { readonly text: string; readonly label: string }) {
  const lines = useRef<HTMLPreElement>(null);
  const [state, setState] = useState<string | null>(null);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      setState('Copied');
    } catch {
      if (lines.current !== null) getSelection()?.selectAllChildren(lines.current);
      setState('Selected: copy with Ctrl+C or ⌘C');
    }
  };

  return (
    <div class="copy-text">
      <pre ref={lines} tabIndex={0} aria-label={props.label}>
        <PlainText text={props.text} />
      </pre>
      <p>
        <button type="button" class="small" aria-label={`Copy ${props.label}`} onClick={() => void copy()}>
          Copy
        </button>{' '}
        <span class="hint" role="status">
          {state}
        </span>
      </p>
    </div>
  );
}
