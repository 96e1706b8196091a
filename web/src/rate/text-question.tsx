import { useId } from 'preact/hooks';

import type { TextField } from '../../../src/recipe/review-section.ts';
import { PlainText } from '../plain-text.tsx';
import type { Answering } from './answering.ts';
import { valueOf } from './cells.ts';
import { RowFault, rowAttributes } from './row-state.tsx';
import { stopKey } from './stops.ts';

const LONGEST = 20_000;

export function TextQuestion(props: {
  readonly name: string;
  readonly field: TextField;
  readonly answering: Answering;
}) {
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
