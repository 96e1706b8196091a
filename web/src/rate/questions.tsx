import { useId } from 'preact/hooks';

import type { ChecklistField, ChoiceField, ReviewField, TextField } from '../../../src/recipe/review-section.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import { PlainText } from '../plain-text.tsx';
import type { Answering } from './answering.ts';
import { valueOf } from './cells.ts';
import type { ItemMode, ItemWork } from './item-work.ts';
import { ItemsQuestion } from './items-question.tsx';
import { PartLegend } from './part-legend.tsx';
import { QuestionHead } from './question-head.tsx';
import { letterOf } from './row-keys.ts';
import { rowAttributes, RowFault } from './row-state.tsx';
import { ScaleQuestion } from './scale-question.tsx';
import { type Form, stopKey } from './stops.ts';

interface Shared {
  readonly content: ReviewContent;
  readonly answering: Answering;
  readonly mode: ItemMode;
  readonly work: ItemWork;
  readonly passagesOpen: boolean;
}

/** The form of an item, under the headings that it declares. */
export function Questions(props: Shared & { readonly form: Form; readonly fields: readonly string[] }) {
  const { form, fields, ...shared } = props;
  const asked = fields.flatMap((name) => (form[name] === undefined ? [] : [{ name, field: form[name] }]));
  if (asked.length === 0) return <p class="hint">Nothing is asked of you about this item. Go on to the next.</p>;
  return (
    <>
      {asked.map(({ name, field }, index) => {
        const isNew = field.section !== (asked[index - 1]?.field.section ?? '');
        return (
          <div key={name} class="asked">
            {isNew && field.section !== '' ? (
              <h3 class="section-title">
                <PlainText text={field.section} />
              </h3>
            ) : null}
            <Question name={name} field={field} {...shared} />
          </div>
        );
      })}
    </>
  );
}

function Question(props: Shared & { readonly name: string; readonly field: ReviewField }) {
  const { name, field, answering } = props;
  switch (field.type) {
    case 'scale':
      return <ScaleQuestion name={name} field={field} answering={answering} />;
    case 'choice':
      return <ChoiceQuestion name={name} field={field} answering={answering} />;
    case 'checklist':
      return <ChecklistQuestion name={name} field={field} answering={answering} />;
    case 'text':
      return <TextQuestion name={name} field={field} answering={answering} />;
    case 'items':
      return <ItemsQuestion {...props} field={field} />;
  }
}

const LONGEST = 20_000;

function TextQuestion(props: { readonly name: string; readonly field: TextField; readonly answering: Answering }) {
  const { name, field, answering } = props;
  const [box, help] = [useId(), useId()];
  const stop = { field: name, part: null };
  const value = valueOf(answering.state.cells, name, null);
  return (
    <div class="question">
      <div {...rowAttributes(answering, stop, 'text-row')} tabIndex={-1}>
        <label for={box} class="question-title">
          <PlainText text={field.title} />
          {field.optional ? <span class="optional"> optional</span> : null}
        </label>
        {field.help === '' ? null : (
          <p class="hint" id={help}>
            <PlainText text={field.help} />
          </p>
        )}
        <textarea
          id={box}
          dir="auto"
          maxLength={LONGEST}
          aria-describedby={field.help === '' ? undefined : help}
          value={typeof value === 'string' ? value : ''}
          onInput={({ currentTarget }) =>
            answering.answer(stop, currentTarget.value === '' ? null : currentTarget.value, stopKey(stop))
          }
        />
        <RowFault answering={answering} stop={stop} />
      </div>
    </div>
  );
}

function ChoiceQuestion(props: { readonly name: string; readonly field: ChoiceField; readonly answering: Answering }) {
  const { name, field, answering } = props;
  const group = useId();
  const stop = { field: name, part: null };
  const value = valueOf(answering.state.cells, name, null);
  return (
    <div class="question">
      <fieldset {...rowAttributes(answering, stop, 'choice')}>
        <legend class="question-head">
          <span class="question-title">
            <PlainText text={field.title} />
            {field.optional ? <span class="optional"> optional</span> : null}
          </span>
          {field.help === '' ? null : (
            <span class="hint">
              <PlainText text={field.help} />
            </span>
          )}
        </legend>
        <div class="options">
          {Object.entries(field.options).map(([option, { title, help }], index) => (
            <label key={option} class="option">
              <input
                type="radio"
                name={group}
                value={option}
                checked={value === option}
                onChange={() => answering.answer(stop, option)}
              />
              <span class="option-title">
                <PlainText text={title} />
                {help === '' ? null : (
                  <span class="hint">
                    <PlainText text={help} />
                  </span>
                )}
              </span>
              {letterOf(index) === null ? null : <kbd aria-hidden="true">{letterOf(index)}</kbd>}
            </label>
          ))}
        </div>
        <RowFault answering={answering} stop={stop} />
      </fieldset>
    </div>
  );
}

const TICKS = [
  { value: true, title: 'Yes', sign: 'y' },
  { value: false, title: 'No', sign: 'n' },
  { value: 'na', title: 'Not applicable', sign: 'x' },
] as const;

function ChecklistQuestion(props: {
  readonly name: string;
  readonly field: ChecklistField;
  readonly answering: Answering;
}) {
  const { name, field, answering } = props;
  const heading = useId();
  return (
    <section class="question checklist" aria-labelledby={heading}>
      <QuestionHead id={heading} title={field.title} help={field.help} optional={field.optional} />
      {Object.entries(field.items).map(([part, { title, help }]) => (
        <TickRow
          key={part}
          stop={{ field: name, part }}
          title={title}
          help={help}
          mayNotApply={field.notApplicable.includes(part)}
          answering={answering}
        />
      ))}
    </section>
  );
}

function TickRow(props: {
  readonly stop: { readonly field: string; readonly part: string };
  readonly title: string;
  readonly help: string;
  readonly mayNotApply: boolean;
  readonly answering: Answering;
}) {
  const { stop, answering } = props;
  const group = useId();
  const now = valueOf(answering.state.cells, stop.field, stop.part);
  return (
    <fieldset {...rowAttributes(answering, stop, 'tick-row')}>
      <PartLegend title={props.title} help={props.help} />
      <div class="ticks">
        {TICKS.filter(({ value }) => value !== 'na' || props.mayNotApply).map(({ value, title, sign }) => (
          <label key={title} class="tick">
            <input
              type="radio"
              name={group}
              value={String(value)}
              checked={now === value}
              onChange={() => answering.answer(stop, value)}
            />
            <span>
              <kbd class="key-hint" aria-hidden="true">
                {sign}
              </kbd>
              {title}
            </span>
          </label>
        ))}
      </div>
      <RowFault answering={answering} stop={stop} />
    </fieldset>
  );
}
