import type { ComponentChildren } from 'preact';

import { PlainText } from './plain-text.tsx';

/** A passage of a source: where it is from, its words, and what can be done with it. */
export function Passage(props: {
  readonly source: ComponentChildren;
  readonly words: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const { source, words } = props;
  return (
    <li class="passage stack tight">
      {source === null ? null : <cite>{typeof source === 'string' ? <PlainText text={source} /> : source}</cite>}
      <p dir="auto" class="pre">
        {typeof words === 'string' ? <PlainText text={words} /> : words}
      </p>
      {props.children}
    </li>
  );
}
