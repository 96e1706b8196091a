import type { ComponentChildren } from 'preact';

/** A part that the reader opens; the style sheet opens it on paper. */
export function Fold(props: {
  readonly title: ComponentChildren;
  readonly open?: boolean;
  readonly id?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="fold" id={props.id} open={props.open ?? false}>
      <summary>{props.title}</summary>
      <div class="fold-content stack">{props.children}</div>
    </details>
  );
}

/** Opens a part and scrolls it into view; does nothing if no part has that id. */
export function openFold(id: string): void {
  const fold = document.querySelector(`#${CSS.escape(id)}`);
  if (!(fold instanceof HTMLDetailsElement)) return;
  fold.open = true;
  fold.scrollIntoView({ block: 'nearest' });
  fold.querySelector('summary')?.focus({ preventScroll: true });
}
