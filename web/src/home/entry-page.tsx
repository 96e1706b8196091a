import { useState } from 'preact/hooks';

import { tokenOf } from './home-state.ts';

/** Somebody without the token: what is needed, and a place to put it. */
export function EntryPage(props: { readonly refused: boolean; readonly bring: (token: string) => void }) {
  const [given, setGiven] = useState('');
  const [unclear, setUnclear] = useState(false);
  const open = (): void => {
    // The whole link, or what stands after its #.
    const token = tokenOf(`#${given.trim().replace(/^.*#/s, '')}`);
    setUnclear(token === null);
    if (token !== null) props.bring(token);
  };
  return (
    <main class="lone entry">
      <h1>This needs the whole link</h1>
      {props.refused ? (
        <p class="notice fault" role="alert">
          That is not, or no longer, a link to these runs.
        </p>
      ) : null}
      <p>
        These runs are shown to anyone with the link that <code>assay serve</code> printed when it started. The whole of
        it belongs in the address bar, with everything after the <code>#</code>. Ask the person who runs the server for
        it, or paste it here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <label for="link">Link</label>
        <input
          id="link"
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={given}
          aria-invalid={unclear}
          aria-describedby={unclear ? 'link-fault' : undefined}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Open
        </button>
        {unclear ? (
          <p id="link-fault" class="fault" role="alert">
            There is no token in it: the link ends in # and 43 letters and digits.
          </p>
        ) : null}
      </form>
    </main>
  );
}
