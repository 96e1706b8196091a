import { useState } from 'preact/hooks';

import type { ContentPassage } from '../../../src/review/content.ts';
import { PlainText } from '../plain-text.tsx';

/** What was retrieved, those with most words in common first: a suggestion where to look, never a label. */
export function Passages(props: {
  readonly near: readonly ContentPassage[];
  readonly others: readonly ContentPassage[];
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const [all, setAll] = useState(props.near.length === 0);
  if (props.near.length + props.others.length === 0) return null;
  return (
    <div class="passages">
      <button type="button" class="quiet small" aria-expanded={props.open} onClick={props.onToggle}>
        <span aria-hidden="true">{props.open ? '▾' : '▸'}</span>
        {props.near.length === 0 ? 'Nothing retrieved has words in common' : 'Retrieved passages closest to it'}
        <kbd aria-hidden="true">v</kbd>
      </button>
      {props.open ? (
        <>
          <PassageList passages={props.near} />
          {props.others.length === 0 ? null : (
            <button type="button" class="quiet small" aria-expanded={all} onClick={() => setAll(!all)}>
              <span aria-hidden="true">{all ? '▾' : '▸'}</span>
              {props.others.length === 1 ? 'The other passage' : `The other ${props.others.length} passages`}
            </button>
          )}
          {all ? <PassageList passages={props.others} /> : null}
        </>
      ) : null}
    </div>
  );
}

function PassageList(props: { readonly passages: readonly ContentPassage[] }) {
  if (props.passages.length === 0) return null;
  return (
    <ol class="passage-list">
      {props.passages.map(({ id, source, text }) => (
        <li key={id} class="passage">
          {source === null ? null : (
            <cite>
              <PlainText text={source} />
            </cite>
          )}
          <p dir="auto">
            <PlainText text={text} />
          </p>
        </li>
      ))}
    </ol>
  );
}
