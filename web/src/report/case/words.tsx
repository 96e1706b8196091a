import { shorten } from '../../../../src/data/visible.ts';
import { PlainText, type PlainTextProps } from '../../plain-text.tsx';
import type { VerdictName } from './case-items.ts';
import { VERDICT_SIGNS } from './verdict-words.ts';

/** Words of others, cut where they would fill the page. */
export function Words({ text, most = 400, ...rest }: PlainTextProps & { readonly most?: number }) {
  return <PlainText {...rest} text={shorten(text, most)} />;
}

export function Quote(props: { readonly text: string; readonly most?: number }) {
  return (
    <q class="quote">
      <Words {...props} />
    </q>
  );
}

export function VerdictChip(props: {
  readonly verdict: VerdictName;
  readonly children?: string;
  /** Its count is 0. */
  readonly none?: boolean;
}) {
  const { verdict, none = false } = props;
  return (
    <span class={`chip ${verdict}${none ? ' none' : ''}`}>
      <span aria-hidden="true">{VERDICT_SIGNS[verdict]}</span> {props.children ?? verdict}
    </span>
  );
}
