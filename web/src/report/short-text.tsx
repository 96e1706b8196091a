import { shorten } from '../../../src/data/visible.ts';
import { PlainText, type PlainTextProps } from '../plain-text.tsx';
import { lengthOf, LONGEST_NAME, longTitle } from './short-name.ts';

/** A name from the data, cut if it would fill the page; its tooltip shows more of it. */
export function ShortText({ text, most = LONGEST_NAME, ...rest }: PlainTextProps & { readonly most?: number }) {
  if (text.length <= most) return <PlainText {...rest} text={text} />;
  const cut = (
    <span title={longTitle(text)}>
      <PlainText text={shorten(text, most)} /> <span class="hint">({lengthOf(text)})</span>
    </span>
  );
  return rest.in === undefined ? cut : <rest.in class={rest.class}>{cut}</rest.in>;
}
