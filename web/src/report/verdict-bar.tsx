import { VERDICTS, type VerdictKind } from '../../../src/judge/verdict.ts';
import type { Counts } from './summary/slice-tables.ts';

export function VerdictBar(props: { readonly counts: Counts }) {
  const { counts } = props;
  return (
    <span class="verdict-bar" aria-hidden="true">
      {VERDICTS.map((verdict) =>
        counts[verdict] > 0 ? <span key={verdict} class={verdict} style={{ flexGrow: counts[verdict] }} /> : null,
      )}
    </span>
  );
}

export function VerdictName(props: { readonly verdict: VerdictKind }) {
  return (
    <span class="verdict-name">
      <span class="verdict-bar swatch" aria-hidden="true">
        <span class={props.verdict} style={{ flexGrow: 1 }} />
      </span>
      {props.verdict}
    </span>
  );
}
