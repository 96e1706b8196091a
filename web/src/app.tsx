import { useState } from 'preact/hooks';

import { AdjudicatorScreen } from './adjudicate/adjudicator-screen.tsx';
import type { Address } from './address.ts';
import { Api } from './api.ts';
import { LoadFault, LonePage, NoEntry } from './lone-page.tsx';
import { OwnerScreen } from './owner/owner-screen.tsx';
import { ReviewerScreen } from './rate/reviewer-screen.tsx';
import { Refusal } from './refusal.ts';
import { useKeyHelp } from './use-key-help.tsx';
import { useLoaded } from './use-loaded.ts';

export function App({ address }: { readonly address: Address | null }) {
  const { showKeys, keyHelp } = useKeyHelp();
  return (
    <>
      {address === null ? <NoEntry /> : <Entered key={address.token} {...address} showKeys={showKeys} />}
      {keyHelp}
    </>
  );
}

function Entered(props: { readonly token: string; readonly item: string | null; readonly showKeys: () => void }) {
  const [api] = useState(() => new Api(props.token));
  const { state, retry } = useLoaded(props.token, async () => await api.me());
  switch (state.kind) {
    case 'loading':
      return (
        <main class="lone stack" aria-busy="true">
          <p class="hint">Opening your review…</p>
        </main>
      );
    case 'fault':
      if (state.fault instanceof Refusal && [401, 403].includes(state.fault.status)) return <NoEntry />;
      return (
        <main>
          <LoadFault fault={state.fault} retry={retry} level={1} />
        </main>
      );
    case 'ready': {
      const me = state.value;
      switch (me.person.role) {
        case 'reviewer':
          return <ReviewerScreen api={api} me={me} token={props.token} first={props.item} showKeys={props.showKeys} />;
        case 'adjudicator':
          return <AdjudicatorScreen api={api} me={me} />;
        case 'owner':
          return <OwnerScreen api={api} me={me} />;
        default:
          return <LonePage title="This page is older than the server">Reload it.</LonePage>;
      }
    }
  }
}
