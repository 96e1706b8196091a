import { useState } from 'preact/hooks';

import { compareAddress } from '../../../src/server/runs/run-address.ts';
import { PlainText } from '../plain-text.tsx';
import { readableText } from '../readable-pieces.ts';
import { useKeys } from '../use-keys.ts';
import { FEWEST, MOST, type Selection } from './alike.ts';
import { NotAlikeDialog } from './not-alike-dialog.tsx';
import './selection.css';
import type { Go } from './use-home-state.ts';

/** The runs that are to stand side by side, along the foot of the page. */
export function SelectionBar(props: { readonly selection: Selection; readonly go: Go }) {
  const { selection, go } = props;
  const { runs, unlike } = selection;
  const [asking, setAsking] = useState(false);
  const paths = runs.map(({ path }) => path);
  const fits = runs.length >= FEWEST && runs.length <= MOST;
  const compare = (): void => {
    if (!fits) return;
    if (unlike.length > 0) setAsking(true);
    else location.assign(compareAddress(paths));
  };
  useKeys([{ keys: ['c'], does: 'compare what is selected', run: compare, when: () => fits }]);
  if (runs.length === 0) return null;
  return (
    <>
      <aside class="selection" aria-label="Selected runs">
        <ul role="list">
          {runs.map((run, place) => (
            <li key={run.path} class={unlike.includes(run) ? 'chip apart' : 'chip'}>
              <button
                type="button"
                class="chip-name"
                disabled={place === 0}
                title={place === 0 ? 'The baseline: the others are compared with it' : 'Make it the baseline'}
                onClick={() => go({ selected: [run.path, ...paths.filter((path) => path !== run.path)] })}
              >
                <PlainText text={run.path} />
                {place === 0 ? <span class="hint"> baseline</span> : null}
                {unlike.includes(run) ? <span class="apart-word"> not scored alike</span> : null}
              </button>
              <button
                type="button"
                class="chip-drop"
                aria-label={`Leave out ${readableText(run.path)}`}
                onClick={() => go({ selected: paths.filter((path) => path !== run.path) })}
              >
                <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
        </ul>
        <div class="selection-acts">
          <span class="hint">{hintOf(runs.length)}</span>
          <button type="button" class="quiet" onClick={() => go({ selected: [] })}>
            Clear
          </button>
          {fits && unlike.length === 0 ? (
            <a class="button primary" href={compareAddress(paths)}>
              Compare selected
            </a>
          ) : (
            <button type="button" class="primary" disabled={!fits} onClick={compare}>
              Compare selected{fits ? '…' : ''}
            </button>
          )}
        </div>
      </aside>
      {asking ? <NotAlikeDialog selection={selection} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function hintOf(selected: number): string {
  if (selected < FEWEST) return 'select one more';
  return selected > MOST ? `${MOST} at most` : '';
}
