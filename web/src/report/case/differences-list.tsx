import { count } from '../../../../src/text/figures.ts';
import { useShown } from '../../use-shown.tsx';
import type { CaseLine } from './case-items.ts';
import type { Difference } from './differences.ts';
import { itemWords } from './item-words.ts';
import { runLetter } from './run-letter.ts';
import { VerdictChip, Words } from './words.tsx';

const MOST = 6;

/** What the runs do not agree on, before all else: it is what two runs are compared for. */
export function DifferencesList(props: {
  readonly found: readonly Difference[];
  readonly baseline: string;
  readonly selected: (key: string) => boolean;
  readonly onSelect: (key: string) => void;
}) {
  const { found, baseline, onSelect } = props;
  const [shown, more] = useShown(found, MOST);
  return (
    <section class="case-section stack differences">
      <h3>
        Differs from <Words text={baseline} most={60} /> <span class="hint count">{count(found.length)}</span>
      </h3>
      {found.length === 0 ? <p class="hint">All runs have the same verdicts here.</p> : null}
      <ul role="list">
        {shown.map(({ key, line, verdicts, change }) => (
          <li key={key}>
            <button type="button" class="difference" aria-pressed={props.selected(key)} onClick={() => onSelect(key)}>
              <span class={`change ${change}`}>{change}</span>
              <span class="difference-words">
                <b>
                  <Words text={line.record.label} most={40} />
                </b>{' '}
                <Words text={wordsOf(line)} most={100} />
              </span>
              <span class="difference-runs">
                {verdicts.map((verdict, run) => (
                  <span key={run}>
                    {run === 0 ? null : <span aria-hidden="true"> → </span>}
                    <span class="tag-run">{runLetter(run)}</span>{' '}
                    {verdict === null ? <span class="hint">not given</span> : <VerdictChip verdict={verdict} />}
                  </span>
                ))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

function wordsOf({ gold, predicted }: CaseLine): string {
  const item = (gold ?? predicted)?.item;
  return item === undefined ? '' : itemWords(item).words;
}
