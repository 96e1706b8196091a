import { useId } from 'preact/hooks';

import type { ScaleField } from '../../../src/recipe/review-section.ts';
import { PlainText } from '../plain-text.tsx';
import type { Answering } from './answering.ts';
import { valueOf } from './cells.ts';
import { PartLegend } from './part-legend.tsx';
import { QuestionHead } from './question-head.tsx';
import { RowFault, rowAttributes } from './row-state.tsx';
import { scalePoints } from './scale-points.ts';

/** More anchors than this have no room beside each other. */
const MOST_COLUMNS = 7;

/**
 * A scale with what each point means. Where there is room the anchors stand once above all rows; on a narrow screen each
 * point has its own beside it. Screen readers hear them with every point.
 */
export function ScaleQuestion(props: {
  readonly name: string;
  readonly field: ScaleField;
  readonly answering: Answering;
}) {
  const { name, field, answering } = props;
  const heading = useId();
  const points = scalePoints(field);
  const dimensions = Object.entries(field.dimensions);
  return (
    <section class={points.length > MOST_COLUMNS ? 'question scale many' : 'question scale'} aria-labelledby={heading}>
      <QuestionHead id={heading} title={field.title} help={field.help} optional={field.optional} />
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
          <ScaleRow key={part} name={name} field={field} answering={answering} part={part} title={title} help={help} />
        ))
      )}
    </section>
  );
}

function ScaleRow(props: {
  readonly name: string;
  readonly field: ScaleField;
  readonly answering: Answering;
  readonly part: string | null;
  readonly title: string;
  readonly help: string;
}) {
  const { name, field, answering, part } = props;
  const group = useId();
  const stop = { field: name, part };
  const value = valueOf(answering.state.cells, name, part);
  return (
    <fieldset {...rowAttributes(answering, stop, 'scale-row')}>
      <PartLegend title={props.title} help={props.help} unseen={part === null} />
      <div class="points">
        {scalePoints(field).map(({ point, anchor }) => (
          <label key={point} class="point">
            <input
              type="radio"
              name={group}
              value={point}
              checked={value === point}
              onChange={() => answering.answer(stop, point)}
            />
            <span class="point-number">{point}</span>
            <span class="point-anchor">
              <PlainText text={anchor} />
            </span>
          </label>
        ))}
      </div>
      {typeof value === 'number' && field.anchors[String(value)] !== undefined ? (
        <p class="chosen-anchor" aria-hidden="true">
          <PlainText text={field.anchors[String(value)] ?? ''} />
        </p>
      ) : null}
      <RowFault answering={answering} stop={stop} />
    </fieldset>
  );
}
