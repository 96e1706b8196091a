import { PlainText } from '../plain-text.tsx';

export function QuestionHead(props: {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly optional: boolean;
}) {
  return (
    <header class="question-head">
      <h4 id={props.id}>
        <PlainText text={props.title} />
        {props.optional ? <span class="optional"> optional</span> : null}
      </h4>
      {props.help === '' ? null : (
        <p class="hint">
          <PlainText text={props.help} />
        </p>
      )}
    </header>
  );
}
