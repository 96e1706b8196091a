import { useId } from 'preact/hooks';

import type { ScaleField } from '../../../src/recipe/review-section.ts';
import { PlainText } from '../plain-text.tsx';
import type { QuestionProps } from './answering.ts';
import { valueOf } from './cells.ts';
import { PartLegend, QuestionHead } from './question-head.tsx';
import { Radio } from './radio.tsx';
import { RowFault, rowAttributes } from './row-state.tsx';
import { scalePoints } from './scale-points.ts';

/** More anchors than this have no room beside each other. */
const MOST_COLUMNS = 7;

/**
 * A scale with what each point means. Where there is room the anchors stand once above all rows; on a narrow screen each
 * point has its own beside it. Screen readers hear them with every point.
 */
export function ScaleQuestion(props: QuestionProps<ScaleField>) {
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
            <span class="unseen">
              <PlainText text={anchor} />
            </span>
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
