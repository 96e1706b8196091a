import { useId } from 'preact/hooks';

import type { ItemsField } from '../../../src/recipe/review-section.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import type { Answering } from './answering.ts';
import { labelledItems } from './cells.ts';
import type { ItemMode, ItemWork } from './item-work.ts';
import { LabelledItem } from './labelled-item.tsx';
import { Passages } from './passages.tsx';
import { QuestionHead } from './question-head.tsx';
import { RowFault, rowAttributes } from './row-state.tsx';
import { WordsEditor } from './words-editor.tsx';

/** A list of things to label one by one. */
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

  const editorOf = (item: ItemAnswer) =>
    mode.kind === 'edit' && mode.field === name && mode.id === item.id ? (
      <WordsEditor edit={mode} language={answering.language} mayCut={field.allow.includes('split')} work={work} />
    ) : null;

  return (
    <section class="question things" aria-labelledby={heading}>
      <QuestionHead id={heading} title={field.title} help={field.help} optional={field.optional} />
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
        <ol class="thing-list">
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
            <dt>{title}</dt>
            <dd>{help}</dd>
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
