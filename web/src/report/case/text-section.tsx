import { useMemo, useState } from 'preact/hooks';

import type { CaseDetail, ReportHead } from '../../../../src/report/html/report-data.ts';
import { count } from '../../../../src/text/figures.ts';
import type { CaseItems, VerdictName } from './case-items.ts';
import { MarkedText } from './marked-text.tsx';
import { ALL_SHOWN, marksOf, type Shown } from './marks.ts';
import { notShown } from './not-shown.ts';
import { type Picking, Pill } from './picking.tsx';
import { runLetter } from './run-letter.ts';
import { VERDICT_SIGNS } from './verdict-words.ts';
import { Words } from './words.tsx';

/** More of a text than this is shown when asked for. */
const LONGEST_TEXT = 200_000;
const MOST_LISTED = 60;
/** Kinds that have a place in a text; others have a separate view. */
const PLACED_KINDS: ReadonlySet<string> = new Set(['span', 'object']);
const NO_MARKS: readonly never[] = [];

export function TextSection(
  props: Picking & {
    readonly head: ReportHead;
    readonly detail: CaseDetail;
    readonly items: CaseItems;
  },
) {
  const { head, detail, items, onSelect } = props;
  const [shown, setShown] = useState(ALL_SHOWN);
  const [whole, setWhole] = useState(false);
  const names = useMemo(() => head.runs.map(({ name }) => name), [head.runs]);
  const several = names.length > 1;
  const captions = useMemo(
    () => ['gold', ...(several ? names.map((_, run) => runLetter(run)) : ['system'])],
    [names, several],
  );
  const marks = useMemo(() => marksOf(items, shown, names), [items, shown, names]);
  const placed = useMemo(() => items.all.some(({ place }) => place !== null), [items]);
  const byWords = useMemo(() => items.all.some(({ place }) => place?.by === 'words'), [items]);
  const placeless = useMemo(
    () => items.all.filter(({ place, record }) => place === null && PLACED_KINDS.has(record.kind)),
    [items],
  );
  const { text } = detail;
  if (text === null) {
    if (head.runs.every(({ manifest }) => manifest.task === 'stream')) return null;
    return (
      <section class="case-section stack">
        <h3>Text</h3>
        <p class="hint">
          <Words text={notShown(detail.noText)} />
          {items.all.some(({ item }) => item.start !== undefined) ? ' The items below say where in it they stand.' : ''}
        </p>
      </section>
    );
  }
  const cut = !whole && text.length > LONGEST_TEXT;
  const title = head.runs.some(({ manifest }) => manifest.task === 'consult') ? 'Question' : 'Text';
  return (
    <section class="case-section stack text-section">
      <div class="section-head">
        <h3>
          {title}
          {head.texts === 'redacted' ? <span class="hint"> with its letters hidden</span> : null}
        </h3>
        {placed ? <Legend shown={shown} onShown={setShown} several={several} /> : null}
      </div>
      <MarkedText
        text={cut ? text.slice(0, LONGEST_TEXT) : text}
        marks={placed ? marks : NO_MARKS}
        captions={captions}
        several={several}
        label={`${title} with ${count(marks.length)} places marked; arrow keys walk through them`}
        selected={props.selected}
        stressed={props.stressed}
        onSelect={onSelect}
      />
      {cut ? (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show the remaining {count(text.length - LONGEST_TEXT)} characters
        </button>
      ) : null}
      {byWords ? <p class="hint">Items without a given place are shown where their words first occur.</p> : null}
      {placeless.length === 0 ? null : (
        <div class="placeless">
          <h4>
            Not in the text <span class="hint count">{count(placeless.length)}</span>
          </h4>
          <ul role="list" class="pill-list flow">
            {placeless.slice(0, MOST_LISTED).map(({ key, run, side, record, item }) => (
              <Pill key={key} {...props} item={key} verdict={record.verdict}>
                {several && side === 'predicted' ? <span class="tag-run">{runLetter(run)}</span> : null}
                <span class="hint">{side}</span>
                <Words in="b" text={item.label} most={40} />
                <Words text={item.text} most={100} />
              </Pill>
            ))}
            {placeless.length > MOST_LISTED ? <li class="hint">The table below has the others.</li> : null}
          </ul>
        </div>
      )}
    </section>
  );
}

function Legend(props: { readonly shown: Shown; readonly onShown: (shown: Shown) => void; readonly several: boolean }) {
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
    <div class="legend flow" role="group" aria-label="What the bars mean, and which are drawn">
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
      <span class={`${verdict} ink`}>
        {VERDICT_SIGNS[verdict]} {name}
      </span>
    </>
  );
}
