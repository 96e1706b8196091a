import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { ReviewField } from '../../../src/recipe/review-section.ts';
import type { ItemView } from '../../../src/review/api.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import type { Api } from '../api.ts';
import { browserStore, keepWish } from '../browser-store.ts';
import { ShownContent } from '../shown-content.tsx';
import type { ShownSpan } from '../text-segments.ts';
import { AddDialog } from './add-dialog.tsx';
import { SelectedActs } from './selected-acts.tsx';
import type { AnswersOutbox } from './answers-outbox.ts';
import { labelledItems } from './cells.ts';
import { CommitBar } from './commit-bar.tsx';
import { type ItemMode, modeAt } from './item-work.ts';
import { Questions } from './questions.tsx';
import { RevealedPanel } from './revealed-panel.tsx';
import { shownSpans, spansAt } from './shown-spans.ts';
import { SourceTexts, type TextWish } from './source-texts.tsx';
import { SplitDialog } from './split-dialog.tsx';
import { firstOpen, type Form, missingStops, neededStops, stopsOf } from './stops.ts';
import { useItem } from './use-item.ts';
import { useItemKeys } from './use-item-keys.ts';
import { useItemWork } from './use-item-work.ts';
import { useRowFocus } from './use-row-focus.ts';

export function ItemScreen(props: {
  readonly api: Api;
  /** How many texts there are to look things up in. */
  readonly texts: number;
  readonly view: ItemView;
  readonly form: Form;
  readonly guidance: string;
  readonly number: number;
  readonly total: number;
  readonly outbox: AnswersOutbox;
  readonly goTo: (step: 1 | -1) => void;
  readonly goOn: () => void;
}) {
  const { view, form, outbox } = props;
  const { content, fields } = view;
  const item = useItem(view, form, outbox);
  const { state } = item;
  const questions = useRef<HTMLElement>(null);
  const text = useRef<HTMLElement>(null);
  const [wantedMode, setMode] = useState<ItemMode>({ kind: 'none' });
  const [passagesOpen, setPassagesOpen] = useState(true);
  // Null: the text under review is shown.
  const [wish, setWish] = useState<TextWish | null>(null);

  const stops = stopsOf(form, fields, content, state.cells);
  // Where to begin is decided once.
  const begin = useMemo(() => firstOpen(form, fields, content, state.cells), [view]);
  const { current, go } = useRowFocus(questions, stops, begin);
  const mode = modeAt(wantedMode, current);
  // Once left, words stay closed when the person comes back.
  useEffect(() => {
    if (mode !== wantedMode) setMode(mode);
  }, [mode, wantedMode]);
  const work = useItemWork({
    view,
    form,
    item,
    stops,
    go,
    mode,
    setMode,
    togglePassages: () => setPassagesOpen(!passagesOpen),
  });

  const [waiting, setWaiting] = useState(() => outbox.waiting(view.item).some(({ kind }) => kind === 'commit'));
  useEffect(
    () =>
      outbox.listen((outcome) => {
        if (outcome?.item === view.item && outcome.kind === 'refused') setWaiting(false);
      }),
    [outbox, view.item],
  );
  // A commit that the server refused shows what is missing: the first of it is where to go on.
  useEffect(() => {
    const [first] = state.missing;
    if (first === undefined) return;
    go(stops.find((stop) => stop.field === first.field && (first.part === null || stop.part === first.part)) ?? first);
  }, [state.missing]);

  const needed = neededStops(form, fields, content, state.cells);
  const stillOpen = missingStops(form, fields, content, state.cells);
  const missing = state.missing.length > 0 && stillOpen.length > 0 ? stillOpen : state.missing;

  const commit = () => {
    if (state.committed || (waiting && outbox.state === 'retrying')) {
      props.goOn();
      return;
    }
    if (waiting) return;
    if (mode.kind === 'edit') work.leaveMode();
    if (item.commit().length === 0) setWaiting(true);
  };
  const reopen = () => {
    setWaiting(false);
    item.reopen();
  };
  const mayReopen = state.committed && state.revealed === null;
  const isDone = state.committed || waiting;

  const under = content.blocks.find(({ name }) => name === content.under)?.text ?? '';
  // Words of the text can be added wherever the person is: to the list at hand, or else to the first that takes any.
  const addable = fields.filter((name) => mayAdd(form[name]));
  const addTo = addable.find((name) => name === current?.field) ?? addable[0] ?? null;

  const question = current === null ? undefined : form[current.field];
  const resized = question?.type === 'items' && question.allow.includes('resize') ? current : null;
  const selectedActs = [
    ...(addTo === null ? [] : [{ title: 'Add', sign: 'a', run: () => work.add(addTo) }]),
    ...(resized?.part == null
      ? []
      : [{ title: 'Boundaries', sign: 'b', run: () => work.resize(resized.field, resized.part ?? '') }]),
  ];

  const thing = current === null || form[current.field]?.type !== 'items' ? null : current;
  const claim = thing === null ? '' : wordsOf(labelledItems(content, state.cells, thing.field), thing.part);
  const seek = (query: string): void => setWish({ query, turn: (wish?.turn ?? 0) + 1 });

  useItemKeys({
    seekInTexts: props.texts === 0 ? null : () => seek(claim),
    form,
    current,
    addTo,
    text,
    stops,
    isDone,
    item,
    mode,
    work,
    questions,
    go,
    commit,
    reopen: mayReopen ? reopen : null,
  });

  const spans = useMemo((): readonly ShownSpan[] => shownSpans(form, fields, content, state.cells), [state.cells]);
  const split =
    mode.kind === 'split'
      ? labelledItems(content, state.cells, mode.field).find(({ id }) => id === mode.id)
      : undefined;

  return (
    <>
      <section class="pane content-pane stack" aria-label="Text under review" tabIndex={0} data-pane ref={text}>
        <h2 class="item-title">
          Item <span class="count">{props.number}</span> of <span class="count">{props.total}</span>
        </h2>
        <Guidance text={props.guidance} />
        {props.texts === 0 ? null : (
          <div class="segmented flow" role="group" aria-label="What is shown here">
            <button type="button" class="small" aria-pressed={wish === null} onClick={() => setWish(null)}>
              Under review
            </button>
            <button
              type="button"
              class="small"
              aria-pressed={wish !== null}
              onClick={() => {
                if (wish === null) seek('');
              }}
            >
              Source texts <span class="count">{props.texts}</span> <kbd aria-hidden="true">t</kbd>
            </button>
          </div>
        )}
        {wish !== null ? (
          <SourceTexts api={props.api} item={view.item} wish={wish} words={claim} />
        ) : content.blocks.length === 0 ? (
          <p class="notice warn">This item has no text. Say so to the person who sent you the link.</p>
        ) : (
          <ShownContent
            content={content}
            level={3}
            spans={spans}
            current={spansAt(form, content, state.cells, current)}
            onPick={(id) => {
              const stop = stops.find(({ field, part }) => part === id && form[field]?.type === 'items');
              if (stop !== undefined) go(stop);
            }}
          />
        )}
      </section>
      <section class="questions-pane stack" aria-label="Questions" ref={questions}>
        {state.revealed === null ? null : <RevealedPanel revealed={state.revealed} form={form} />}
        {isDone ? (
          <p class="notice done-note flow">
            {waiting && !state.committed
              ? 'This item goes to the server as soon as it answers. You can go on.'
              : 'This item is done.'}{' '}
            {mayReopen ? (
              <button type="button" class="small" onClick={reopen}>
                Open it again <kbd aria-hidden="true">o</kbd>
              </button>
            ) : null}
          </p>
        ) : null}
        {state.trouble === null ? null : (
          <p class="notice fault" role="alert">
            {state.trouble}
          </p>
        )}
        <fieldset class="questions stack loose" disabled={isDone}>
          <legend class="unseen">Your answers</legend>
          <Questions
            form={form}
            fields={fields}
            content={content}
            answering={{ state, current, missing, language: content.language, answer: item.answer }}
            mode={mode}
            work={work}
            passagesOpen={passagesOpen}
          />
        </fieldset>
        {/* Said once, when the person wanted to go on, and not again with every answer that follows. */}
        <p class="unseen" role="alert">
          {state.missing.length > 0 ? `Answers are missing: ${state.missing.length}` : ''}
        </p>
        <CommitBar
          form={form}
          answered={needed.length - stillOpen.length}
          asked={needed.length}
          missing={missing}
          isDone={isDone}
          commit={commit}
          goTo={props.goTo}
          go={go}
        />
      </section>
      {split === undefined || mode.kind !== 'split' ? null : (
        <SplitDialog
          text={split.text}
          language={content.language}
          onSplit={(at) => work.split(mode.field, mode.id, at)}
          onClose={work.leaveMode}
        />
      )}
      {mode.kind === 'add' ? (
        <AddDialog
          under={under}
          language={content.language}
          onAdd={(words) => work.addWords(mode.field, words)}
          onClose={work.leaveMode}
        />
      ) : null}
      {selectedActs.length === 0 || content.under === null || isDone ? null : (
        <SelectedActs block={content.under} under={under} acts={selectedActs} />
      )}
    </>
  );
}

function wordsOf(things: readonly ItemAnswer[], id: string | null): string {
  return things.find((thing) => thing.id === id)?.text ?? '';
}

function mayAdd(field: ReviewField | undefined): boolean {
  return field?.type === 'items' && field.allow.includes('add');
}

function Guidance(props: { readonly text: string }) {
  const [open, setOpen] = useState(() => browserStore.getItem('assay.guidance') !== 'closed');
  if (props.text === '') return null;
  return (
    <details
      class="guidance"
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        keepWish('assay.guidance', currentTarget.open ? 'open' : 'closed');
      }}
    >
      <summary>How to judge</summary>
      <p>{props.text}</p>
    </details>
  );
}
