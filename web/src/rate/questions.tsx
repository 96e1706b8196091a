import { useId } from 'preact/hooks';

import type {
  ChecklistField,
  ChoiceField,
  ReviewField,
  ScaleField,
  TextField,
} from '../../../src/recipe/review-section.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import { Hint } from '../hint.tsx';
import { PlainText } from '../plain-text.tsx';
import type { Answering, QuestionProps } from './answering.ts';
import { valueOf } from './cells.ts';
import type { ItemMode, ItemWork } from './item-work.ts';
import { ItemsQuestion } from './items-question.tsx';
import { PartLegend, QuestionHead } from './question-head.tsx';
import { Radio } from './radio.tsx';
import { letterOf } from './row-keys.ts';
import { rowAttributes, RowFault } from './row-state.tsx';
import { scalePoints } from './scale-points.ts';
import { type Form, stopKey } from './stops.ts';

interface Shared {
  readonly content: ReviewContent;
  readonly answering: Answering;
  readonly mode: ItemMode;
  readonly work: ItemWork;
  readonly passagesOpen: boolean;
}

export function Questions(props: Shared & { readonly form: Form; readonly fields: readonly string[] }) {
  const { form, fields, ...shared } = props;
  const asked = fields.flatMap((name) => (form[name] === undefined ? [] : [{ name, field: form[name] }]));
  if (asked.length === 0) return <p class="hint">Nothing is asked of you about this item. Go on to the next.</p>;
  return (
    <>
      {asked.map(({ name, field }, index) => {
        const isNew = field.section !== (asked[index - 1]?.field.section ?? '');
        return (
          <div key={name} class="asked stack">
            {isNew && field.section !== '' ? <PlainText in="h3" class="section-title" text={field.section} /> : null}
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

function TextQuestion({ name, field, answering }: QuestionProps<TextField>) {
  const [box, help] = [useId(), useId()];
  const stop = { field: name, part: null };
  const value = valueOf(answering.state.cells, name, null);
  return (
    <div class="question stack">
      <div {...rowAttributes(answering, stop, 'text-row')} tabIndex={-1}>
        <label for={box} class="question-title">
          <PlainText text={field.title} />
          {field.optional ? <span class="optional muted fine plain"> optional</span> : null}
        </label>
        <div id={help}>
          <Hint text={field.help} in="p" />
        </div>
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

function ChoiceQuestion({ name, field, answering }: QuestionProps<ChoiceField>) {
  const group = useId();
  const stop = { field: name, part: null };
  const now = valueOf(answering.state.cells, name, null);
  return (
    <div class="question stack">
      <fieldset {...rowAttributes(answering, stop, 'choice')}>
        <legend class="question-head stack tight">
          <span class="question-title">
            <PlainText text={field.title} />
            {field.optional ? <span class="optional muted fine plain"> optional</span> : null}
          </span>
          <Hint text={field.help} />
        </legend>
        <div class="options">
          {Object.entries(field.options).map(([option, { title, help }], index) => (
            <Radio
              key={option}
              class="option"
              {...{ group, now }}
              value={option}
              onPick={() => answering.answer(stop, option)}
            >
              <span class="option-title">
                <PlainText text={title} />
                <Hint text={help} />
              </span>
              {letterOf(index) === null ? null : <kbd aria-hidden="true">{letterOf(index)}</kbd>}
            </Radio>
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

function ChecklistQuestion({ name, field, answering }: QuestionProps<ChecklistField>) {
  const heading = useId();
  return (
    <section class="question stack checklist" aria-labelledby={heading}>
      <QuestionHead id={heading} field={field} />
      {Object.entries(field.items).map(([part, { title, help }]) => (
        <TickRow
          key={part}
          {...{ title, help, answering }}
          stop={{ field: name, part }}
          mayNotApply={field.notApplicable.includes(part)}
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
    <fieldset {...rowAttributes(answering, stop, 'tick-row flow')}>
      <PartLegend title={props.title} help={props.help} />
      <div class="ticks">
        {TICKS.filter(({ value }) => value !== 'na' || props.mayNotApply).map(({ value, title, sign }) => (
          <Radio key={title} class="tick" {...{ group, now, value, sign }} onPick={() => answering.answer(stop, value)}>
            {title}
          </Radio>
        ))}
      </div>
      <RowFault answering={answering} stop={stop} />
    </fieldset>
  );
}

/** More anchors than this have no room beside each other. */
const MOST_COLUMNS = 7;

/**
 * A scale with what each point means. Where there is room the anchors stand once above all rows; on a narrow screen each
 * point has its own beside it. Screen readers hear them with every point.
 */
function ScaleQuestion(props: QuestionProps<ScaleField>) {
  const { field } = props;
  const heading = useId();
  const points = scalePoints(field);
  const dimensions = Object.entries(field.dimensions);
  return (
    <section
      class={points.length > MOST_COLUMNS ? 'question stack scale many' : 'question stack scale'}
      aria-labelledby={heading}
    >
      <QuestionHead id={heading} field={field} />
      <div class="anchors" aria-hidden="true">
        {points.map(({ point, anchor }) => (
          <span key={point} class={anchor === '' ? 'blank' : ''}>
            <span class="anchor-number">{point}</span>
            <PlainText text={anchor} />
          </span>
        ))}
      </div>
      {dimensions.length === 0 ? (
        <ScaleRow {...props} part={null} title={field.title} help="" />
      ) : (
        dimensions.map(([part, { title, help }]) => (
          <ScaleRow key={part} {...props} part={part} title={title} help={help} />
        ))
      )}
    </section>
  );
}

function ScaleRow(
  props: QuestionProps<ScaleField> & {
    readonly part: string | null;
    readonly title: string;
    readonly help: string;
  },
) {
  const { name, field, answering, part } = props;
  const group = useId();
  const stop = { field: name, part };
  const now = valueOf(answering.state.cells, name, part);
  return (
    <fieldset {...rowAttributes(answering, stop, 'scale-row')}>
      <PartLegend title={props.title} help={props.help} unseen={part === null} />
      <div class="points">
        {scalePoints(field).map(({ point, anchor }) => (
          <Radio
            key={point}
            class="point"
            {...{ group, now }}
            value={point}
            onPick={() => answering.answer(stop, point)}
          >
            <span class="point-number">{point}</span>
            <PlainText in="span" class="unseen" text={anchor} />
          </Radio>
        ))}
      </div>
      {typeof now === 'number' && field.anchors[String(now)] !== undefined ? (
        <p class="chosen-anchor" aria-hidden="true">
          <PlainText text={field.anchors[String(now)] ?? ''} />
        </p>
      ) : null}
      <RowFault answering={answering} stop={stop} />
    </fieldset>
  );
}
