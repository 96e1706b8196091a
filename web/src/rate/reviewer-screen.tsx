import type { VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import type { ItemView, Me, QueueEntry } from '../../../src/review/api.ts';
import { openItem } from '../tab-address.ts';
import type { Api } from '../api.ts';
import { browserStore, keepWish } from '../browser-store.ts';
import { Dialog } from '../dialog.tsx';
import { LoadFault, NoEntry } from '../lone-page.tsx';
import { ownerOf, useOutbox } from '../outbox/use-outbox.ts';
import { Refusal, Unreachable } from '../refusal.ts';
import { RANK, useKeys } from '../use-keys.ts';
import { useLoaded } from '../use-loaded.ts';
import { useWide } from '../use-wide.ts';
import { type AnswersOutbox, answersParts } from './answers-outbox.ts';
import { DonePage } from './done-page.tsx';
import { ItemScreen } from './item-screen.tsx';
import { type Durations, NO_DURATIONS, paceWords, withDuration } from './pace.ts';
import { QueueList } from './queue-list.tsx';
import { doneCount, neighbour, nextOpen, withState } from './queue.ts';
import './rate.css';
import { ReviewerHeader } from './reviewer-header.tsx';

export function ReviewerScreen(props: {
  readonly api: Api;
  readonly me: Me;
  readonly token: string;
  readonly first: string | null;
  readonly showKeys: () => void;
}) {
  const { api, me, token } = props;
  const { outbox, saveState } = useOutbox(me, answersParts(api, me));
  const [queue, setQueue] = useState(me.queue);
  const [current, setCurrent] = useState(() => {
    const kept = me.queue.find(({ item, state }) => item === props.first && state !== 'done');
    return kept?.item ?? nextOpen(me.queue, null);
  });
  const isWide = useWide();
  const [paneOpen, setPaneOpen] = useState(() => browserStore.getItem('assay.queue') !== 'closed');
  const [dialogOpen, setDialogOpen] = useState(false);
  const queueOpen = isWide ? paneOpen : dialogOpen;
  const [ended, setEnded] = useState(false);
  const entry = queue.find(({ item }) => item === current) ?? null;
  const durations = usePace(ownerOf(me), entry, outbox);
  const left = queue.filter(({ state }) => state !== 'done').map(({ kind }) => kind);
  const pace = paceWords(durations, left);

  const open = useCallback(
    (item: string | null) => {
      setCurrent(item);
      openItem({ token }, item);
      scrollTo({ top: 0 });
    },
    [token],
  );

  const latest = useRef({ queue, current });
  latest.current = { queue, current };
  useEffect(
    () =>
      outbox.listen((outcome) => {
        if (outcome === null) return;
        const { item } = outcome;
        if (outcome.kind === 'saved') {
          const state = outcome.answer.committed ? 'done' : 'begun';
          const after = withState(latest.current.queue, item, state);
          setQueue(after);
          // What is revealed is looked at first; otherwise the work goes on.
          const isDone = outcome.acts.some(({ kind }) => kind === 'commit') && outcome.answer.revealed === null;
          if (isDone && item === latest.current.current) open(nextOpen(after, item));
        } else if (outcome.kind === 'waiting') {
          const isDone = outbox.waiting(item).findLast(({ kind }) => kind !== 'answer')?.kind === 'commit';
          if (isDone) setQueue((before) => withState(before, item, 'done'));
        } else if (outcome.act.kind !== 'answer') {
          setQueue((before) => withState(before, item, outcome.act.kind === 'commit' ? 'begun' : 'done'));
        }
      }),
    [outbox, open],
  );
  useEffect(() => {
    document.title = `${doneCount(queue)} of ${queue.length} · ${me.review.title}`;
  }, [queue, me]);

  const step = (by: 1 | -1) => {
    const item = current === null ? null : neighbour(queue, current, by);
    if (item !== null) open(item);
  };
  const toggleQueue = () => {
    if (!isWide) {
      setDialogOpen(!dialogOpen);
      return;
    }
    keepWish('assay.queue', paneOpen ? 'closed' : 'open');
    setPaneOpen(!paneOpen);
  };
  useKeys(
    [
      { keys: ['n', 'Shift+N'], does: 'next item', run: () => step(1) },
      { keys: ['p', 'Shift+P'], does: 'previous item', run: () => step(-1) },
      { keys: ['i'], does: 'list of items', run: toggleQueue },
    ],
    RANK.page,
  );

  if (saveState === 'shut' || ended) return <NoEntry />;
  const pick = (item: string) => {
    setDialogOpen(false);
    open(item);
  };
  const number = queue.findIndex(({ item }) => item === current) + 1;
  return (
    <div class={queueOpen ? 'screen with-queue' : 'screen'}>
      <ReviewerHeader
        me={me}
        queue={queue}
        pace={pace}
        saveState={saveState}
        queueOpen={queueOpen}
        onQueue={toggleQueue}
        onHelp={props.showKeys}
      />
      {queueOpen ? (
        <QueuePane isWide={isWide} queue={queue} current={current} onPick={pick} onClose={toggleQueue} />
      ) : null}
      <main class={current === null ? 'end' : 'item'}>
        {current === null ? (
          <DonePage queue={queue} unsent={outbox.unsent.length} onPick={pick} />
        ) : (
          <LoadedItem
            key={current}
            api={api}
            item={current}
            upcoming={nextOpen(queue, current)}
            onEnd={() => setEnded(true)}
          >
            {(view) => (
              <ItemScreen
                api={api}
                texts={me.review.texts}
                view={view}
                form={me.form}
                guidance={me.review.guidance}
                number={number}
                total={queue.length}
                outbox={outbox}
                goTo={step}
                goOn={() => open(nextOpen(queue, current))}
              />
            )}
          </LoadedItem>
        )}
      </main>
    </div>
  );
}

function QueuePane(
  props: Parameters<typeof QueueList>[0] & { readonly isWide: boolean; readonly onClose: () => void },
) {
  const { isWide, onClose, ...list } = props;
  if (isWide) {
    return (
      <nav class="queue-pane" aria-label="Items" data-pane>
        <QueueList {...list} />
      </nav>
    );
  }
  return (
    <Dialog title="Items" onClose={onClose}>
      <nav aria-label="Items">
        <QueueList {...list} />
      </nav>
    </Dialog>
  );
}

/** The next open item is fetched while the person is at this one, for the case that the server is away by then. */
const fetchedAhead = new Map<string, ItemView>();

function LoadedItem(props: {
  readonly api: Api;
  readonly item: string;
  readonly upcoming: string | null;
  /** The link is not worth anything any more. */
  readonly onEnd: () => void;
  readonly children: (view: ItemView) => VNode;
}) {
  const { api, item, upcoming } = props;
  const { state, retry } = useLoaded(item, async () => {
    try {
      return await api.item(item);
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) props.onEnd();
      const ahead = fetchedAhead.get(item);
      if (ahead === undefined || !(error instanceof Unreachable)) throw error;
      return ahead;
    }
  });
  const isReady = state.kind === 'ready';
  useEffect(() => {
    if (!isReady || upcoming === null || upcoming === item) return undefined;
    let live = true;
    api.item(upcoming).then(
      (view) => {
        if (!live) return;
        fetchedAhead.clear();
        fetchedAhead.set(upcoming, view);
      },
      () => {
        // It is asked for again when it is wanted.
      },
    );
    return () => {
      live = false;
    };
  }, [api, isReady, item, upcoming]);

  switch (state.kind) {
    case 'loading':
      return (
        <p class="lone stack hint" aria-busy="true">
          Opening the item…
        </p>
      );
    case 'fault':
      return <LoadFault fault={state.fault} retry={retry} />;
    case 'ready':
      return props.children(state.value);
  }
}

/** How long the items took that were done in this browser. */
function usePace(owner: string, current: QueueEntry | null, outbox: AnswersOutbox): Durations {
  const key = `assay.pace/${encodeURIComponent(owner)}`;
  const [durations, setDurations] = useState(() => keptDurations(key));
  const [item, kind] = [current?.item, current?.kind];
  useEffect(() => {
    if (item === undefined || kind === undefined) return undefined;
    const begun = Date.now();
    return outbox.listen((outcome) => {
      if (outcome?.kind !== 'saved' || outcome.item !== item) return;
      if (!outcome.acts.some((act) => act.kind === 'commit')) return;
      setDurations((before) => {
        const after = withDuration(before, kind, Date.now() - begun);
        keepWish(key, JSON.stringify(after));
        return after;
      });
    });
  }, [item, kind, key, outbox]);
  return durations;
}

function keptDurations(key: string): Durations {
  try {
    const kept: unknown = JSON.parse(browserStore.getItem(key) ?? 'null');
    return isDurations(kept) ? kept : NO_DURATIONS;
  } catch {
    return NO_DURATIONS;
  }
}

function isDurations(value: unknown): value is Durations {
  if (typeof value !== 'object' || value === null || !('case' in value) || !('answer' in value)) return false;
  return [value.case, value.answer].every(
    (list) => Array.isArray(list) && list.every((ms) => typeof ms === 'number' && Number.isFinite(ms)),
  );
}
