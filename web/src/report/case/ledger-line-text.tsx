import { useMemo, useRef, useState } from 'preact/hooks';

import type { ViewRecord } from '../../../../src/report/html/report-data.ts';
import { PlainText } from '../../plain-text.tsx';

/** The line that every number comes from. */
export function LedgerLineText(props: { readonly record: ViewRecord }) {
  const [open, setOpen] = useState(false);
  const [told, setTold] = useState('');
  const shown = useRef<HTMLPreElement>(null);
  const line = useMemo(() => JSON.stringify(props.record, null, 2), [props.record]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(line);
      setTold('Copied.');
    } catch {
      // Not every browser lets a file write to the clipboard: what is selected can be copied by hand.
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
      setTold('Selected: copy it with Ctrl+C.');
    }
  };
  return (
    <details class="ledger-line" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Line of the ledger</summary>
      {open ? (
        <>
          <pre ref={shown} tabIndex={0} role="region" aria-label="Line of the ledger as JSON">
            <PlainText text={line} />
          </pre>
          <p class="hint">
            <button type="button" class="small" onClick={() => void copy()}>
              Copy
            </button>{' '}
            <span role="status">{told}</span> Places are in UTF-16 units of the text.
          </p>
        </>
      ) : null}
    </details>
  );
}
