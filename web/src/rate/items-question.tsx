import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { ItemsField } from '../../../src/recipe/review-section.ts';
import type { ContentPassage, ReviewContent } from '../../../src/review/content.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { BoundaryButtons } from '../correct-item.tsx';
import { Passage } from '../passage.tsx';
import { languageTag } from '../plain-text.tsx';
import type { Answering } from './answering.ts';
import { labelledItems } from './cells.ts';
import type { ItemMode, ItemWork, PlaceEdit, WordsEdit } from './item-work.ts';
import { LabelledItem } from './labelled-item.tsx';
import { QuestionHead } from './question-head.tsx';
import { rowAttributes, RowFault } from './row-state.tsx';

export function ItemsQuestion(props: {
  readonly name: string;
  readonly field: ItemsField;
  readonly content: ReviewContent;
  readonly answering: Answering;
  readonly mode: ItemMode;
  readonly work: ItemWork;
  readonly passagesOpen: boolean;
}) {
  const { name, field, content, answering, mode, work } = props;
  const heading = useId();
  const list = labelledItems(content, answering.state.cells, name);
  const proposed = new Map((content.proposed[name] ?? []).map((item) => [item.id, item]));
  const labelled = list.filter(({ label }) => label !== null).length;
  const empty = { field: name, part: null };

  const editorOf = (item: ItemAnswer) => {
    if ((mode.kind !== 'edit' && mode.kind !== 'resize') || mode.field !== name || mode.id !== item.id) return null;
    if (mode.kind === 'resize') return <PlaceEditor edit={mode} words={item.text} work={work} />;
    return <WordsEditor edit={mode} language={answering.language} mayCut={field.allow.includes('split')} work={work} />;
  };

  return (
    <section class="question stack things" aria-labelledby={heading}>
      <QuestionHead id={heading} field={field} />
      <LabelHelp field={field} />
      <p class="hint count">
        {list.length === 0 ? 'Nothing was found to label.' : `${labelled} of ${list.length} labelled`}
      </p>
      {list.length === 0 ? (
        <div {...rowAttributes(answering, empty, 'thing')} tabIndex={-1}>
          <p class="hint">
            {field.allow.includes('add')
              ? 'Add what is missing, or go on if nothing is.'
              : 'There is nothing to do here.'}
          </p>
          <RowFault answering={answering} stop={empty} />
        </div>
      ) : (
        <ol class="thing-list stack tight">
          {list.map((item, index) => (
            <LabelledItem
              key={item.id}
              name={name}
              field={field}
              item={item}
              number={index + 1}
              proposed={proposed.get(item.id) ?? null}
              isLast={index === list.length - 1}
              hasText={content.under !== null}
              answering={answering}
              label={(id, label) => work.label(name, id, label, false)}
              tools={{
                edit: (id) => work.edit(name, id),
                split: (id) => work.setMode({ kind: 'split', field: name, id }),
                merge: (id) => work.merge(name, id),
                remove: (id) => work.remove(name, id),
                resize: (id) => work.resize(name, id),
                relabel: (id, kind) => work.relabel(name, id, kind),
                restore: (id) => work.restore(name, id),
              }}
              editor={editorOf(item)}
            >
              {field.passages > 0 ? (
                <Passages
                  key={item.id}
                  {...passagesOf(content, name, item)}
                  open={props.passagesOpen}
                  onToggle={work.togglePassages}
                />
              ) : null}
            </LabelledItem>
          ))}
        </ol>
      )}
      {field.allow.includes('add') ? (
        <button type="button" class="small" onClick={() => work.add(name)}>
          Add <kbd aria-hidden="true">a</kbd>
        </button>
      ) : null}
    </section>
  );
}

function LabelHelp(props: { readonly field: ItemsField }) {
  const helped = Object.values(props.field.labels).filter(({ help }) => help !== '');
  if (helped.length === 0) return null;
  return (
    <details class="label-help">
      <summary>What the labels mean</summary>
      <dl>
        {helped.map(({ title, help }) => (
          <div key={title}>
            <dt class="medium">{title}</dt>
            <dd class="muted">{help}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Those suggested for what the thing was made of, best first, and all others. */
function passagesOf(content: ReviewContent, name: string, item: ItemAnswer) {
  const sources = new Set([item.id, ...item.from]);
  const ids = new Set(
    (content.proposed[name] ?? []).filter(({ id }) => sources.has(id)).flatMap(({ passages }) => passages),
  );
  const byId = new Map(content.passages.map((passage) => [passage.id, passage]));
  return {
    near: [...ids].flatMap((id) => byId.get(id) ?? []),
    others: content.passages.filter(({ id }) => !ids.has(id)),
  };
}

/** What was retrieved, those with most words in common first: a suggestion where to look, never a label. */
function Passages(props: {
  readonly near: readonly ContentPassage[];
  readonly others: readonly ContentPassage[];
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const [all, setAll] = useState(props.near.length === 0);
  if (props.near.length + props.others.length === 0) return null;
  return (
    <div class="passages stack tight">
      <button type="button" class="quiet small" aria-expanded={props.open} onClick={props.onToggle}>
        <span aria-hidden="true">{props.open ? '▾' : '▸'}</span>
        {props.near.length === 0 ? 'Nothing retrieved has words in common' : 'Retrieved passages closest to it'}
        <kbd aria-hidden="true">v</kbd>
      </button>
      {props.open ? (
        <>
          <PassageList passages={props.near} />
          {props.others.length === 0 ? null : (
            <button type="button" class="quiet small" aria-expanded={all} onClick={() => setAll(!all)}>
              <span aria-hidden="true">{all ? '▾' : '▸'}</span>
              {props.others.length === 1 ? 'The other passage' : `The other ${props.others.length} passages`}
            </button>
          )}
          {all ? <PassageList passages={props.others} /> : null}
        </>
      ) : null}
    </div>
  );
}

function PassageList(props: { readonly passages: readonly ContentPassage[] }) {
  if (props.passages.length === 0) return null;
  return (
    <ol class="passage-list stack">
      {props.passages.map(({ id, source, text }) => (
        <Passage key={id} source={source} words={text} />
      ))}
    </ol>
  );
}

/** The boundaries of a thing while they are moved: the text shows where they are. */
function PlaceEditor(props: {
  readonly edit: PlaceEdit;
  readonly words: string;
  readonly work: Pick<ItemWork, 'moveEdge' | 'closeEdit' | 'dropEdit'>;
}) {
  const { edit, work } = props;
  return (
    <div class="words-editor stack tight">
      <BoundaryButtons edge={edit.edge} onMove={(edge, by, step) => work.moveEdge(edit, edge, by, step)} />
      <p class="hint">
        <kbd>←</kbd> <kbd>→</kbd> move the {edit.edge}, with <kbd>Shift</kbd> by a word; <kbd>b</kbd> the other
        boundary. Or select the words in the text and press <kbd>b</kbd>.
      </p>
      <p class="unseen" role="status">
        {props.words}
      </p>
      <div class="tools">
        <button type="button" class="small" onClick={() => work.closeEdit(edit)}>
          Keep <kbd aria-hidden="true">Enter</kbd>
        </button>
        <button type="button" class="quiet small" onClick={() => work.dropEdit(edit)}>
          Leave as it was <kbd aria-hidden="true">Esc</kbd>
        </button>
      </div>
    </div>
  );
}

/**
 * The words of a claim while they are changed. What is typed is kept as it is typed; Enter closes, Escape puts back what
 * was there before (both are keys of the row), Shift+Enter cuts at the cursor.
 */
function WordsEditor(props: {
  readonly edit: WordsEdit;
  readonly language: string | null;
  readonly mayCut: boolean;
  readonly work: Pick<ItemWork, 'type' | 'closeEdit' | 'dropEdit' | 'cut' | 'send'>;
}) {
  const { edit, work } = props;
  // The text field keeps a space at the end, which the claim does not.
  const [text, setText] = useState(edit.before);
  const box = useRef<HTMLTextAreaElement>(null);
  // Before the next key, which would be a shortcut otherwise.
  useLayoutEffect(() => box.current?.focus(), [edit]);
  return (
    <div class="words-editor stack tight">
      <textarea
        ref={box}
        aria-label="Words of the claim"
        dir="auto"
        lang={languageTag(props.language)}
        maxLength={20_000}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          work.type(edit, currentTarget.value);
        }}
        onBlur={work.send}
        onKeyDown={(event) => {
          if (event.isComposing || event.key !== 'Enter' || !event.shiftKey) return;
          event.preventDefault();
          if (props.mayCut) work.cut(edit, text, event.currentTarget.selectionStart);
          else work.closeEdit(edit);
        }}
      />
      <p class="hint" role="status">
        {text.trim() === '' ? 'A claim without words is not kept: it stays as it was.' : ''}
      </p>
      <div class="tools">
        <button type="button" class="small" onClick={() => work.closeEdit(edit)}>
          Keep <kbd aria-hidden="true">Enter</kbd>
        </button>
        {props.mayCut ? (
          <button
            type="button"
            class="quiet small"
            onClick={() => work.cut(edit, text, box.current?.selectionStart ?? text.length)}
          >
            Split at the cursor <kbd aria-hidden="true">Shift + Enter</kbd>
          </button>
        ) : null}
        <button type="button" class="quiet small" onClick={() => work.dropEdit(edit)}>
          Leave as it was <kbd aria-hidden="true">Esc</kbd>
        </button>
      </div>
    </div>
  );
}
