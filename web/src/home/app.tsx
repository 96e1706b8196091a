import { useEffect, useState } from 'preact/hooks';

import { KeyHelp } from '../key-help.tsx';
import type { Shortcut } from '../keys.ts';
import { readableText } from '../readable-pieces.ts';
import { pageKeys, RANK, useKeys } from '../use-keys.ts';
import { EntryPage } from './entry-page.tsx';
import { ExperimentsView } from './experiments-view.tsx';
import { HomeHeader } from './home-header.tsx';
import { PARTS } from './home-state.ts';
import { ReviewsView } from './reviews-view.tsx';
import { RunsView } from './runs-view.tsx';
import { useEntry } from './use-entry.ts';
import { useHomeState } from './use-home-state.ts';
import { useKeptScroll } from './use-kept-scroll.ts';
import { type Looking, useLive } from './use-live.ts';

/** Runs, experiments and reviews: what there is, and what happens to it. */
export function App() {
  const entry = useEntry();
  const looking = useLive(entry.turn);
  useEffect(() => {
    if (looking.live !== null) entry.goOn();
  }, [looking.live]);
  if (entry.refused || looking.shut) return <EntryPage refused={entry.refused} bring={entry.bring} />;
  return <Home looking={looking} waiting={entry.leads} />;
}

function Home(props: { readonly looking: Looking; readonly waiting: boolean }) {
  const { live, trouble } = props.looking;
  const { state, go } = useHomeState();
  const [help, setHelp] = useState<readonly Shortcut[] | null>(null);
  const showKeys = (): void => setHelp(pageKeys.active(0));
  useKeys([{ keys: ['?'], does: 'this list', run: showKeys }], RANK.page);
  useKeys(
    PARTS.map((part, at) => ({ keys: [String(at + 1)], does: `show ${part}`, run: () => go({ part }) })),
    RANK.page,
  );
  useKeptScroll(live !== null);
  useEffect(() => {
    document.title = live === null ? 'Assay' : `${readableText(live.folder)} · Assay`;
  }, [live?.folder]);
  return (
    <div class="home">
      <HomeHeader looking={props.looking} state={state} go={go} showKeys={showKeys} />
      <main aria-busy={live === null}>
        {live === null || props.waiting ? (
          <p class="hint lone">{trouble ?? 'Looking…'}</p>
        ) : (
          <>
            {live.notices.map((notice) => (
              <p key={notice} class="notice warn">
                {notice}
              </p>
            ))}
            {state.part === 'runs' ? <RunsView live={live} state={state} go={go} /> : null}
            {state.part === 'experiments' ? <ExperimentsView live={live} state={state} go={go} /> : null}
            {state.part === 'reviews' ? <ReviewsView live={live} state={state} go={go} /> : null}
          </>
        )}
      </main>
      {help === null ? null : <KeyHelp shortcuts={help} onClose={() => setHelp(null)} />}
    </div>
  );
}
