import { useId } from 'preact/hooks';

import type { ChecklistField } from '../../../src/recipe/review-section.ts';
import type { Answering } from './answering.ts';
import { valueOf } from './cells.ts';
import { PartLegend } from './part-legend.tsx';
import { QuestionHead } from './question-head.tsx';
import { RowFault, rowAttributes } from './row-state.tsx';

const TICKS = [
  { value: true, title: 'Yes', sign: 'y' },
  { value: false, title: 'No', sign: 'n' },
  { value: 'na', title: 'Not applicable', sign: 'x' },
] as const;

export function ChecklistQuestion(props: {
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
