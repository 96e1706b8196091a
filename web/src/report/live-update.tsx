import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { listen } from '../listen.ts';
import { lookAgain } from '../look-again.ts';
import { useNow } from '../use-now.ts';
import { PlainText } from '../plain-text.tsx';
import './live-update.css';
import { servedPaths } from './served-path.ts';

const EVERY_MS = 2000;
/** A reader who has not touched the page for this long is not in the middle of something. */
const LEFT_ALONE_MS = 10_000;
const SECOND = 1000;
/** So many answers in a row that did not come: a run that is being replaced is away for a moment. */
const MISSES = 3;

type News = 'changed' | 'gone' | 'shut' | 'unreachable';

const WORDS: Readonly<Record<News, string>> = {
  changed: 'was scored again',
  gone: 'is no longer in the folder',
  shut: 'is shown to anyone with the link: open it again',
  unreachable: 'is shown as it was: the server does not answer',
};

/** The way back to the list, and which run of it this is, where a server shows the report; nothing in a file. */
export function AllRuns() {
  if (servedVersion() === null) return null;
  const [path, ...others] = servedPaths(location);
  return (
    <nav class="all-runs cut" aria-label="Where this is">
      <a href="/">All runs</a>
      {path === undefined || path === '.' || others.length > 0 ? null : (
        <>
          <span aria-hidden="true"> › </span>
          <PlainText text={path} />
        </>
      )}
    </nav>
  );
}

/** On a server, reports when the run changes and reloads the page at the same address. Renders nothing in a file. */
export function LiveUpdate(props: { readonly several: boolean }) {
  const shown = servedVersion();
  return shown === null ? null : <Watching shown={shown} several={props.several} />;
}

function Watching(props: { readonly shown: string; readonly several: boolean }) {
  const news = useNews(props.shown);
  const [stays, setStays] = useState(false);
  if (news === null) return null;
  const what = props.several ? 'One of these runs' : 'This run';
  return (
    <aside
      class={news === 'changed' ? 'live-update flow' : 'live-update flow trouble'}
      aria-label="News from the server"
    >
      <p role="status">
        {news === 'shut' || news === 'unreachable' ? 'This page' : what} {WORDS[news]}.
      </p>
      {news !== 'changed' ? null : (
        <>
          {stays ? null : <Countdown />}
          <button type="button" class="primary small" onClick={() => location.reload()}>
            Reload
          </button>
          {stays ? null : (
            <button type="button" class="quiet small" onClick={() => setStays(true)}>
              Not now
            </button>
          )}
        </>
      )}
    </aside>
  );
}

/** Loads the page again once it has been left alone for a while; what stands after the # stays. */
function Countdown() {
  const touched = useLastTouch();
  const now = useNow(SECOND);
  const began = useRef(now);
  const left = Math.max(touched.current, began.current) + LEFT_ALONE_MS - now;
  useEffect(() => {
    if (left > 0 || document.visibilityState === 'hidden' || getSelection()?.isCollapsed === false) return;
    location.reload();
  }, [left]);
  // A number that goes down every second is read out to nobody.
  return <span class="hint count">reloads in {Math.max(0, Math.ceil(left / SECOND))} s if you leave it alone</span>;
}

function useNews(shown: string): News | null {
  const [news, setNews] = useState<News | null>(null);
  useEffect(() => {
    let misses = 0;
    const looked = lookAgain(EVERY_MS, async (now) => {
      const answer = await askVersion();
      misses = answer.kind === 'version' ? 0 : misses + 1;
      if (now.gone) return;
      if (answer.kind === 'version') setNews(answer.version === shown ? null : 'changed');
      else if (misses >= MISSES || answer.kind === 'shut') setNews(answer.kind);
    });
    return () => looked.end();
  }, [shown]);
  return news;
}

/** When a person last did anything with the page, in ms. */
function useLastTouch(): RefObject<number> & { current: number } {
  const last = useRef(0);
  useEffect(() => {
    const note = () => {
      last.current = Date.now();
    };
    const touches = { pointerdown: note, pointermove: note, wheel: note, keydown: note, scroll: note };
    return listen(window, touches, { capture: true, passive: true });
  }, []);
  return last;
}

const PATIENCE_MS = 10_000;

/** What asking the server came to. */
type VersionAnswer =
  | { readonly kind: 'version'; readonly version: string }
  /** There is no such run. */
  | { readonly kind: 'gone' }
  /** The token of the link is needed again. */
  | { readonly kind: 'shut' }
  | { readonly kind: 'unreachable' };

/** The version of what this page shows, as the server that sent it wrote it in; null in a file on a disk. */
export function servedVersion(): string | null {
  if (!/^https?:$/.test(location.protocol)) return null;
  return document.querySelector<HTMLMetaElement>('meta[name="assay-version"]')?.content ?? null;
}

/** The version that the server has now. */
async function askVersion(): Promise<VersionAnswer> {
  try {
    const response = await fetch(`version${location.search}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status === 401) return { kind: 'shut' };
    if (response.status === 404) return { kind: 'gone' };
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null && 'version' in body && typeof body.version === 'string')
      return { kind: 'version', version: body.version };
  } catch {
    // Said once it has happened a few times.
  }
  return { kind: 'unreachable' };
}
