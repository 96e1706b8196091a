import type { ReviewField } from '../../../src/recipe/review-section.ts';
import { Hint } from '../hint.tsx';
import { PlainText } from '../plain-text.tsx';

export function QuestionHead(props: { readonly id: string; readonly field: ReviewField }) {
  const { title, help, optional } = props.field;
  return (
    <header class="question-head stack tight">
      <h4 id={props.id}>
        <PlainText text={title} />
        {optional ? <span class="optional muted fine plain"> optional</span> : null}
      </h4>
      <Hint text={help} in="p" />
    </header>
  );
}

export function PartLegend(props: { readonly title: string; readonly help: string; readonly unseen?: boolean }) {
  return (
    <legend class={props.unseen === true ? 'unseen' : ''}>
      <PlainText in="span" class="part-title medium" text={props.title} />
      <Hint text={props.help} />
    </legend>
  );
}
