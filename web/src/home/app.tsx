import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

import { listen } from '../listen.ts';
import { PlainText } from '../plain-text.tsx';
import { readableText } from '../readable-pieces.ts';
import { ThemeToggle } from '../theme-toggle.tsx';
import { RANK, useKeys } from '../use-keys.ts';
import { useNow } from '../use-now.ts';
import { useKeyHelp } from '../use-key-help.tsx';
import { agoText } from './ago-text.ts';
import { ExperimentsView } from './experiments-view.tsx';
import { formatHome, type HomeState, type Part, PARTS, targetOf, tokenOf } from './home-state.ts';
import { HistoryView } from './history-view.tsx';
import { enter } from './live-api.ts';
import { ReviewsView } from './reviews-view.tsx';
import { RunsView } from './runs-view.tsx';
import { type Go, useHomeState } from './use-home-state.ts';
import { type Looking, useLive } from './use-live.ts';

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
  const { showKeys, keyHelp } = useKeyHelp();
  useKeys(
    PARTS.map((part, at) => ({
      keys: [String(at + 1)],
      does: `show ${TITLES[part].toLowerCase()}`,
      run: () => go({ part }),
    })),
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
          <p class="hint lone stack">{trouble ?? 'Looking…'}</p>
        ) : (
          <>
            {live.notices.map((notice) => (
              <p key={notice} class="notice warn">
                {notice}
              </p>
            ))}
            {state.part === 'runs' ? <RunsView live={live} state={state} go={go} /> : null}
            {state.part === 'history' ? <HistoryView live={live} state={state} go={go} /> : null}
            {state.part === 'experiments' ? <ExperimentsView live={live} state={state} go={go} /> : null}
            {state.part === 'reviews' ? <ReviewsView live={live} state={state} go={go} /> : null}
          </>
        )}
      </main>
      {keyHelp}
    </div>
  );
}

const KEY = 'assay.home.scroll';

/** Restores the scroll position on return: the browser cannot, since the list loads later than the page. */
function useKeptScroll(ready: boolean): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const note = () => keep(`${location.hash} ${scrollY}`);
    return listen(window, { pagehide: note });
  }, []);
  useLayoutEffect(() => {
    if (!ready) return;
    const [hash, top] = kept().split(' ');
    if (hash === location.hash && Number(top) > 0) scrollTo(0, Number(top));
  }, [ready]);
}

function keep(text: string): void {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // A browser that keeps nothing begins at the top.
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

interface EntryState {
  /** Changes when somebody was let in: what was refused before is to be asked again. Null while that is not known yet. */
  readonly turn: number | null;
  /** The token that was brought is not the right one. */
  readonly refused: boolean;
  /** Somebody was on the way to a report and is about to go there. */
  readonly leads: boolean;
  readonly bring: (token: string) => void;
  /** To where somebody wanted to go, if anywhere. */
  readonly goOn: () => void;
}

/** The token of a link is brought to the server once and then kept out of sight: a browser remembers addresses. */
function useEntry(): EntryState {
  const [turn, setTurn] = useState<number | null>(() => (tokenOf(location.hash) === null ? 0 : null));
  const [refused, setRefused] = useState(false);
  const target = targetOf(location.search, location.origin);
  const bring = (token: string): void => {
    enter(token).then(
      (isRight) => {
        setRefused(!isRight);
        if (isRight) setTurn((now) => (now ?? 0) + 1);
      },
      // The server does not answer: the page reports it and keeps asking.
      () => setTurn((now) => now ?? 0),
    );
  };
  useEffect(() => {
    const read = (): void => {
      const token = tokenOf(location.hash);
      if (token === null) return;
      history.replaceState(null, '', `${location.pathname}${location.search}`);
      bring(token);
    };
    read();
    return listen(window, { hashchange: read });
  }, []);
  const goOn = (): void => {
    if (target !== null) location.replace(`${target}${location.hash}`);
  };
  return { turn, refused, leads: target !== null, bring, goOn };
}

function EntryPage(props: { readonly refused: boolean; readonly bring: (token: string) => void }) {
  const [given, setGiven] = useState('');
  const [unclear, setUnclear] = useState(false);
  const open = (): void => {
    // The whole link, or what stands after its #.
    const token = tokenOf(`#${given.trim().replace(/^.*#/s, '')}`);
    setUnclear(token === null);
    if (token !== null) props.bring(token);
  };
  return (
    <main class="lone stack entry">
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

const TITLES: Readonly<Record<Part, string>> = {
  runs: 'Runs',
  history: 'Over time',
  experiments: 'Experiments',
  reviews: 'Reviews',
};

function HomeHeader(props: {
  readonly looking: Looking;
  readonly state: HomeState;
  readonly go: Go;
  readonly showKeys: () => void;
}) {
  const { looking, state } = props;
  const { live } = looking;
  return (
    <header class="home-head page-head">
      <h1 class="cut">
        <span class="brand">Assay</span> <PlainText text={live?.folder ?? ''} />
      </h1>
      <LastLooked at={looking.at} trouble={looking.trouble} />
      <div class="tools">
        <ThemeToggle />
        <button type="button" class="quiet icon" aria-label="Keyboard" title="Keyboard (?)" onClick={props.showKeys}>
          <span aria-hidden="true">?</span>
        </button>
      </div>
      <nav class="tabs" aria-label="Parts">
        {PARTS.map((part) => (
          <a
            key={part}
            href={formatHome({ ...state, part })}
            aria-current={part === state.part ? 'page' : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
              event.preventDefault();
              props.go({ part });
            }}
          >
            {TITLES[part]}
            {live === null || part === 'history' ? null : <span class="badge">{live[part].length}</span>}
          </a>
        ))}
      </nav>
    </header>
  );
}

const SECOND = 1000;

function LastLooked(props: { readonly at: number; readonly trouble: string | null }) {
  const now = useNow(SECOND);
  const looked = props.at === 0 ? '' : `last looked ${agoText(now - props.at)}`;
  return (
    <p class={props.trouble === null ? 'looked hint' : 'looked trouble'}>
      <span role="status">{props.trouble ?? ''}</span>
      {props.trouble === null || looked === '' ? looked : `, ${looked}`}
    </p>
  );
}
