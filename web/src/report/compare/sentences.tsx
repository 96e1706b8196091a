import { ShortText } from '../short-text.tsx';

/** What must not be misread, one thought each. */
export function Sentences(props: { readonly sentences: readonly string[] }) {
  if (props.sentences.length === 0) return null;
  return (
    <ul class="sentences stack tight">
      {props.sentences.map((sentence) => (
        <ShortText key={sentence} in="li" text={sentence} most={1000} />
      ))}
    </ul>
  );
}
