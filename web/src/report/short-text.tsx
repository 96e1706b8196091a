import { shorten } from '../../../src/data/visible.ts';
import { PlainText } from '../plain-text.tsx';
import { lengthOf, LONGEST_NAME, longTitle } from './short-name.ts';

/** A name from the data, cut if it would fill the page; its tooltip shows more of it. */
export function ShortText(props: { readonly text: string; readonly most?: number }) {
  const { text, most = LONGEST_NAME } = props;
  if (text.length <= most) return <PlainText text={text} />;
  return (
    <span title={longTitle(text)}>
      <PlainText text={shorten(text, most)} /> <span class="hint">({lengthOf(text)})</span>
    </span>
  );
}
