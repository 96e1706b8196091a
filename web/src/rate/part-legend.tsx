import { PlainText } from '../plain-text.tsx';

/** What a row of a question is about, and the sentence that explains it. */
export function PartLegend(props: { readonly title: string; readonly help: string; readonly unseen?: boolean }) {
  return (
    <legend class={props.unseen === true ? 'unseen' : ''}>
      <span class="part-title">
        <PlainText text={props.title} />
      </span>
      {props.help === '' ? null : (
        <span class="hint">
          <PlainText text={props.help} />
        </span>
      )}
    </legend>
  );
}
