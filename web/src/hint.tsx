import { PlainText } from './plain-text.tsx';

/** A quiet remark in words of others; nothing where there are none. */
export function Hint(props: { readonly text: string | null | undefined; readonly as?: 'span' | 'p' }) {
  const Tag = props.as ?? 'span';
  if (props.text == null || props.text === '') return null;
  return (
    <Tag class="hint">
      <PlainText text={props.text} />
    </Tag>
  );
}
