import { faultText } from '../fault-text.ts';
import { plural } from '../../../src/text/figures.ts';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import type { ConflictView, Me } from '../../../src/review/api.ts';
import type { CellValue } from '../../../src/store/review-records.ts';
import { currentAddress, openItem } from '../tab-address.ts';
import type { Api } from '../api.ts';
import { NoEntry } from '../lone-page.tsx';
import type { KeptEntry } from '../outbox/kept-entries.ts';
import { ThemeToggle } from '../theme-toggle.tsx';
import { useKeys } from '../use-keys.ts';
import { usePolled } from '../use-polled.ts';
import './adjudicate.css';
import { ConflictList } from './conflict-list.tsx';
import { beside, nextOpen, withPending } from './conflict-order.ts';
import { ConflictPane } from './conflict-pane.tsx';
import type { ShownDecision } from './decided.tsx';
import { OtherValueDialog } from './other-value-dialog.tsx';
import { type OtherValue, otherValues } from './other-values.ts';
import { type Decision, useDecisions } from './use-decisions.ts';

const REFRESH_MS = 10_000;

export function AdjudicatorScreen(props: { api: Api; me: Me }) {
  const { api, me } = props;
  // Conflicts appear while people commit their work.
  const conflicts = usePolled(async () => (await api.conflicts()).conflicts, REFRESH_MS);
  const [current, setCurrent] = useState<string | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [other, setOther] = useState<OtherValue | null>(null);
  const reasons = useReasonDrafts(me.review.name);
  const ahead = nextOpen(conflicts.value ?? [], current)?.id ?? null;
  const { view, trouble, reload } = useConflictView(api, current, ahead);
  const decisions = useDecisions(api, me, (list, conflict) => {
    conflicts.set(list.conflicts);
    if (conflict === current) void reload();
  });
  const pending = decisions.pending.map(({ item, act }) => ({ conflict: item, takenBack: act.value === null }));
  const list = withPending(conflicts.value ?? [], pending);
  const parted = view?.answers.every(({ value }) => !Array.isArray(value)) ?? false;
  const others = view === null ? [] : otherValues(view.question, view.part, parted);
  const decision = view === null ? null : decisionOf(view.decision, decisions.pending, view.id);

  // After a reload, the one that was at hand; otherwise the first that is open.
  useEffect(() => {
    if (current !== null || conflicts.value === null) return;
    const kept = currentAddress()?.item;
    setCurrent(list.find(({ id }) => id === kept)?.id ?? nextOpen(list, null)?.id ?? null);
  }, [conflicts.value]);

  function go(id: string | null): void {
    const address = currentAddress();
    if (address !== null) openItem(address, id);
    setCurrent(id);
    setOther(null);
    setChoosing(false);
  }

  function decide(id: string, value: CellValue, because: string): void {
    decisions.forget();
    decisions.put(id, { value, because });
    setOther(null);
  }

  function settle(value: CellValue): void {
    if (view === null) return;
    decide(view.id, value, reasons.of(view.id).trim());
    setLast(view.id);
    reasons.write(view.id, '');
    go(nextOpen(list, view.id)?.id ?? null);
  }

  function take(index: number): void {
    const answer = view?.answers[index];
    if (answer !== undefined) settle(answer.value);
  }

  function undo(): void {
    const id = list.find((entry) => entry.id === current)?.decided === true ? current : last;
    if (id === null || list.find((entry) => entry.id === id)?.decided !== true) return;
    decide(id, null, '');
    setLast(null);
    if (id !== current) go(id);
  }

  function choose(value: OtherValue): void {
    setChoosing(false);
    setOther(value);
  }

  const answerKeys = (view?.answers ?? []).slice(0, 9).map((_, index) => ({
    keys: [String(index + 1)],
    does: `Take answer ${index + 1}`,
    run: () => take(index),
  }));
  const valueKeys = others.map((value) => ({ keys: [value.key], does: value.words, run: () => choose(value) }));
  const otherKeys = [{ keys: ['o'], does: 'Choose another value (needs a reason)', run: () => setChoosing(true) }];
  const pageKeys = [
    ...answerKeys,
    ...(others.length === 0 ? [] : otherKeys),
    { keys: ['u'], does: 'Take the decision back', run: undo },
    { keys: ['j'], does: 'Next conflict', run: () => go(beside(list, current, 1)) },
    { keys: ['k'], does: 'Conflict before', run: () => go(beside(list, current, -1)) },
  ];
  // Until the dialog is on the screen a quick second key must not take an answer; until the reason has the focus its first
  // letters must not either.
  useKeys(choosing ? valueKeys : other === null ? pageKeys : []);

  if (decisions.saveState === 'shut') return <NoEntry />;
  const open = list.filter((entry) => !entry.decided).length;
  return (
    <div class="adjudicate">
      <header class="screen-head page-head flow">
        <h1>{me.review.title}</h1>
        <p class="hint count">
          {open} of {list.length} conflicts open
        </p>
        <SaveState waiting={decisions.pending.length} trouble={decisions.trouble ?? conflicts.trouble} />
        <span class="hint keys-hint">
          <kbd>?</kbd> keys
        </span>
        <ThemeToggle />
      </header>
      <ConflictList me={me} conflicts={list} current={current} onPick={go} />
      <main class="adjudicate-main stack" aria-busy={conflicts.value === null || (current !== null && view === null)}>
        {decisions.refusal === null ? null : (
          <div class="notice fault" role="alert">
            <p>The last decision was not taken: {decisions.refusal}</p>
            <button type="button" class="quiet small" onClick={decisions.forget}>
              Close
            </button>
          </div>
        )}
        {trouble === null ? null : (
          <div class="notice warn" role="alert">
            <p>{trouble}</p>
            <button type="button" class="small" onClick={() => void reload()}>
              Try again
            </button>
          </div>
        )}
        {view === null ? (
          <Nothing loaded={conflicts.value !== null} current={current} count={list.length} />
        ) : (
          <ConflictPane
            view={view}
            decision={decision}
            other={other}
            hasOthers={others.length > 0}
            reason={reasons.of(view.id)}
            onReason={(text) => reasons.write(view.id, text)}
            onTake={take}
            onOther={() => setChoosing(true)}
            onDecideOther={() => other !== null && settle(other.value)}
            onDropOther={() => setOther(null)}
            onUndo={undo}
          />
        )}
      </main>
      {choosing && view !== null ? (
        <OtherValueDialog
          question={view.question.title}
          values={others}
          onClose={() => setChoosing(false)}
          onChoose={choose}
        />
      ) : null}
    </div>
  );
}

/** The last decision that is on its way, or else the one the server holds. */
function decisionOf(
  held: { readonly value: CellValue; readonly because: string } | null,
  pending: readonly KeptEntry<Decision>[],
  conflict: string,
): ShownDecision | null {
  const sent = pending.findLast(({ item }) => item === conflict);
  if (sent === undefined) return held === null ? null : { ...held, saving: false };
  const { value, because } = sent.act;
  return value === null ? null : { value, because, saving: true };
}

function Nothing(props: { readonly loaded: boolean; readonly current: string | null; readonly count: number }) {
  if (!props.loaded || props.current !== null) return <p class="hint">Loading…</p>;
  return (
    <div class="all-decided stack" role="status">
      <h2>{props.count === 0 ? 'No conflicts so far' : 'All conflicts are decided'}</h2>
      <p class="hint">
        {props.count === 0
          ? 'One appears here as soon as two people have committed different answers to the same question.'
          : 'Press u to take the last decision back, or open one in the list. New conflicts appear here by themselves.'}
      </p>
    </div>
  );
}

function SaveState(props: { readonly waiting: number; readonly trouble: string | null }) {
  const { waiting, trouble } = props;
  const kept = `${plural(waiting, 'decision')} kept here until the server answers`;
  return (
    <p class={trouble === null ? 'screen-state hint' : 'screen-state trouble'} role="status">
      {trouble === null ? (waiting === 0 ? 'Saved' : 'Saving…') : waiting === 0 ? trouble : `${trouble} ${kept}.`}
    </p>
  );
}

/** Reasons that were begun, by conflict: kept over a reload, gone with the tab. */
function useReasonDrafts(review: string) {
  const key = `assay.reasons/${encodeURIComponent(review)}`;
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(() => read(key));
  const write = (conflict: string, text: string): void => {
    const next = new Map(drafts);
    if (text === '') next.delete(conflict);
    else next.set(conflict, text);
    setDrafts(next);
    try {
      sessionStorage.setItem(key, JSON.stringify([...next]));
    } catch {
      // A browser that forbids storage keeps it in memory.
    }
  };
  return { of: (conflict: string): string => drafts.get(conflict) ?? '', write };
}

function read(key: string): ReadonlyMap<string, string> {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return new Map(Array.isArray(found) ? found.filter(isDraft) : []);
  } catch {
    return new Map();
  }
}

function isDraft(found: unknown): found is [string, string] {
  return Array.isArray(found) && found.length === 2 && found.every((part) => typeof part === 'string');
}

/**
 * The conflict at hand, and `reload` to ask for it again, as after a decision. `ahead` is fetched while the person reads, so
 * that a decision leads to the next one at once.
 */
function useConflictView(api: Api, id: string | null, ahead: string | null) {
  const [known, setKnown] = useState<ReadonlyMap<string, ConflictView>>(new Map());
  const [trouble, setTrouble] = useState<string | null>(null);
  const wanted = useRef(id);
  wanted.current = id;

  const load = useCallback(
    async (which: string): Promise<void> => {
      try {
        const found = await api.conflict(which);
        setKnown((before) => new Map(before).set(which, found));
        if (wanted.current === which) setTrouble(null);
      } catch (error) {
        if (wanted.current === which) setTrouble(faultText(error));
      }
    },
    [api],
  );
  const reload = useCallback(async () => (id === null ? undefined : await load(id)), [load, id]);

  useEffect(() => {
    setTrouble(null);
    void reload();
  }, [reload]);
  useEffect(() => {
    if (ahead !== null) void load(ahead);
  }, [load, ahead]);
  return { view: id === null ? null : (known.get(id) ?? null), trouble, reload };
}
