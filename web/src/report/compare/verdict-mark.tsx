import { COMPARISON_LOOKS } from '../../../../src/report/comparison-words.ts';
import type { ComparisonVerdict } from '../../../../src/compare/comparison.ts';

/** A verdict by its word and its sign, and only then by a colour. */
export function VerdictMark(props: { readonly verdict: ComparisonVerdict; readonly n?: number }) {
  const { verdict, n } = props;
  return (
    <span class={`verdict ${verdict.replaceAll(' ', '-')}`}>
      <span class="verdict-sign" aria-hidden="true">
        {COMPARISON_LOOKS[verdict].symbol}
      </span>
      {n === undefined ? '' : `${n} `}
      {verdict}
    </span>
  );
}
