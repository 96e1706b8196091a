import type { ComponentChildren } from 'preact';

/** One of the answers of a row. It looks like the answer; the button itself stays in reach of screen readers. */
export function Radio(props: {
  readonly class: 'point' | 'option' | 'tick' | 'label';
  readonly group: string;
  readonly value: string | number | boolean;
  /** The answer of the row. */
  readonly now: unknown;
  readonly onPick: () => void;
  /** The key that gives this answer. */
  readonly sign?: string | number | undefined;
  readonly title?: string | undefined;
  readonly style?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}) {
  const { group, value, sign } = props;
  return (
    <label class={props.class} title={props.title} style={props.style ?? {}}>
      <input type="radio" name={group} value={String(value)} checked={props.now === value} onChange={props.onPick} />
      {sign === undefined ? (
        props.children
      ) : (
        <span>
          <kbd class="key-hint" aria-hidden="true">
            {sign}
          </kbd>
          {props.children}
        </span>
      )}
    </label>
  );
}
