import { PlainText } from './plain-text.tsx';

/** A quiet remark in words of others; nothing where there are none. */
export function Hint(props: { readonly text: string | null | undefined; readonly in?: 'span' | 'p' }) {
  if (props.text == null || props.text === '') return null;
  return <PlainText in={props.in ?? 'span'} class="hint" text={props.text} />;
}
