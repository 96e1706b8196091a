import { useId } from 'preact/hooks';

import type { ChoiceField } from '../../../src/recipe/review-section.ts';
import { PlainText } from '../plain-text.tsx';
import type { Answering } from './answering.ts';
import { valueOf } from './cells.ts';
import { RowFault, rowAttributes } from './row-state.tsx';
import { letterOf } from './row-keys.ts';

export function ChoiceQuestion(props: {
  readonly name: string;
  readonly field: ChoiceField;
  readonly answering: Answering;
}) {
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
