export function ShareBar(props: {
  readonly parts: readonly number[];
  readonly whole: number;
  /** Class names of the parts. */
  readonly names: readonly string[];
}) {
  let from = 0;
  return (
    <svg class="share-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="all" width="100" height="8" />
      {props.parts.map((part, at) => {
        const width = props.whole === 0 ? 0 : Math.min(100 - from, (100 * Math.max(0, part)) / props.whole);
        from += width;
        return <rect key={props.names[at]} class={props.names[at] ?? ''} x={from - width} width={width} height="8" />;
      })}
    </svg>
  );
}
