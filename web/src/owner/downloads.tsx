import { useState } from 'preact/hooks';

import type { Me } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';

/** The answers as they stand now, as a file. */
export function Downloads(props: { readonly api: Api; readonly me: Me }) {
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);

  const fetchFile = async (format: 'csv' | 'jsonl'): Promise<void> => {
    setBusy(format);
    setFault(null);
    try {
      offer(await props.api.exported(format), `${props.me.review.name}-reviews.${format}`);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(null);
    }
  };

  return (
    <div class="downloads">
      <span class="hint">All answers so far:</span>
      {(['csv', 'jsonl'] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="small"
          aria-busy={busy === format}
          onClick={() => void fetchFile(format)}
        >
          Download {format.toUpperCase()}
        </button>
      ))}
      <span class="fault" role="status">
        {fault}
      </span>
    </div>
  );
}

/** A link to the page's own memory: the token stays out of every address. */
function offer(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
