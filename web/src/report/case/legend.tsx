import type { VerdictName } from './case-items.ts';
import type { Shown } from './marks.ts';
import { VERDICT_SIGNS } from './verdict-words.ts';

/** What the bars mean, and which of them are drawn. */
export function Legend(props: {
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  readonly several: boolean;
}) {
  const { shown, onShown, several } = props;
  const toggle = (what: keyof Shown, name: string, verdict: VerdictName | null) => (
    <label class="legend-entry">
      <input
        type="checkbox"
        checked={shown[what]}
        onChange={(event) => onShown({ ...shown, [what]: event.currentTarget.checked })}
      />
      {verdict === null ? name : <Sample verdict={verdict} name={name} />}
    </label>
  );
  return (
    <div class="legend" role="group" aria-label="What the bars mean, and which are drawn">
      {toggle('gold', 'gold above', null)}
      {toggle('predicted', several ? 'runs below' : 'system below', null)}
      {toggle('hits', 'hit', 'hit')}
      <span class="legend-entry">
        <Sample verdict="missed" name="missed" />
      </span>
      <span class="legend-entry">
        <Sample verdict="spurious" name="spurious" />
      </span>
      {toggle('excused', 'excused', 'excused')}
    </div>
  );
}

function Sample(props: { readonly verdict: VerdictName; readonly name: string }) {
  const { verdict, name } = props;
  return (
    <>
      <span class={`sample ${verdict}`} aria-hidden="true" />
      <span class={`${verdict}-ink`}>
        {VERDICT_SIGNS[verdict]} {name}
      </span>
    </>
  );
}
