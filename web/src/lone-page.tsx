import type { ComponentChildren } from 'preact';

import { browserStore } from './browser-store.ts';
import { keptCount } from './outbox/kept-entries.ts';
import { Refusal } from './refusal.ts';

export function LonePage(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <main class="lone stack">
      <h1>{props.title}</h1>
      {props.children}
    </main>
  );
}

export function NoEntry() {
  const unsent = keptCount(browserStore);
  return (
    <LonePage title="This link does not open the review">
      <p>
        It may have expired, been renewed, or been cut when it was copied. Ask the person who sent it to you for a new
        link; the whole of it belongs in the address bar, from <code>http</code> to the last letter after <code>#</code>
        .
      </p>
      {unsent > 0 ? (
        <p class="notice warn">
          {unsent === 1 ? 'One answer or decision has' : `${unsent} answers or decisions have`} not reached the server
          yet. This browser keeps what is left, and sends it when you open your new link here.
        </p>
      ) : (
        <p>Nothing is lost: all that you did in this browser has reached the server.</p>
      )}
    </LonePage>
  );
}

export function LoadFault(props: {
  readonly fault: unknown;
  readonly retry: () => void;
  /** Level of the heading; 2 unless told. */
  readonly level?: 1 | 2;
}) {
  const { fault } = props;
  const Heading = props.level === 1 ? 'h1' : 'h2';
  const refused = fault instanceof Refusal;
  return (
    <div class="lone stack" role="alert">
      <Heading>{refused ? 'That did not work' : 'The review server does not answer'}</Heading>
      <p>{refused ? fault.message : 'Nothing is lost: what you answered is kept, here or there.'}</p>
      <p class="hint">
        {refused
          ? (fault.next ?? 'Try again; if it stays like this, tell the person who sent you the link.')
          : 'It may be starting again, or the connection is down. This page keeps trying by itself.'}
      </p>
      <button type="button" onClick={props.retry}>
        Try again
      </button>
    </div>
  );
}
