import { useId, useState } from 'preact/hooks';

import { figure } from '../../../../src/text/figures.ts';
import { textAt } from '../../../../src/text/pieces.ts';
import type { CaseDetail, ReportHead, ViewRecord } from '../../../../src/report/html/report-data.ts';
import { CopiedLines } from '../../copied-lines.tsx';
import { GoldMark } from '../marks/gold-mark.tsx';
import { judgedAttributes } from './attribute-rows.ts';
import type { CaseItem, CaseItems, CaseLine, Chosen } from './case-items.ts';
import { FieldTable } from './field-table.tsx';
import { itemHref } from './item-link.ts';
import { errorWords, ruleWords, verdictSentence } from './verdict-words.ts';
import { Quote, VerdictChip, Words } from './words.tsx';

export function DetailsPanel(props: {
  readonly head: ReportHead;
  readonly detail: CaseDetail;
  readonly items: CaseItems;
  readonly chosen: Chosen | null;
  /** A key that nothing in the case answers to. */
  readonly unknown: string | null;
  readonly onSelect: (key: string | null) => void;
}) {
  const { chosen, unknown, onSelect } = props;
  const heading = useId();
  if (chosen === null) {
    return (
      <aside class="details card stack empty" aria-label="The selected item">
        {unknown === null ? (
          <p class="hint">
            Click a bar, a row or a node to see why it got its verdict. <kbd>←</kbd> <kbd>→</kbd> walk through the
            items, <kbd>Esc</kbd> lets go.
          </p>
        ) : (
          <p class="hint">
            This case has no item <Words text={unknown} most={80} />: the link may be of another report.
          </p>
        )}
      </aside>
    );
  }
  const several = props.head.runs.length > 1;
  return (
    <aside class="details card stack" aria-labelledby={heading}>
      <header class="details-head">
        <h3 id={heading}>
          <span class="details-kind muted medium">{chosen.item.record.kind}</span>{' '}
          <Words text={chosen.item.record.label} most={60} />
        </h3>
        <a class="details-link" href={itemHref(location.hash, chosen.item.key)} title="A link to this item">
          <span aria-hidden="true">#</span>
          <span class="unseen">Link to this item</span>
        </a>
        <button type="button" class="quiet small" aria-label="Close the details" onClick={() => onSelect(null)}>
          <span aria-hidden="true">✕</span>
        </button>
      </header>
      {/* Told to those who cannot see that the panel changed. */}
      <p class="unseen" role="status">
        {verdictSentence(chosen.item.record)}
      </p>
      {chosen.lines.map((line) => (
        <LineDetails key={`${line.run}.${line.at}`} {...props} line={line} several={several} />
      ))}
    </aside>
  );
}

function LineDetails(props: {
  readonly head: ReportHead;
  readonly detail: CaseDetail;
  readonly items: CaseItems;
  readonly line: CaseLine;
  readonly several: boolean;
  readonly onSelect: (key: string | null) => void;
}) {
  const { line, head, detail } = props;
  const { record } = line;
  const attributes = judgedAttributes(record, head.runs[line.run]?.attributes ?? {});
  return (
    <section class="line-details stack">
      {props.several ? <Words in="h4" class="run-name" text={head.runs[line.run]?.name ?? ''} most={60} /> : null}
      <div class="line-why stack">
        <p class="verdict-line">
          <VerdictChip verdict={record.verdict} /> {verdictSentence(record)}
        </p>
        <Reasons {...props} />
        {[line.gold, line.predicted].map((side) =>
          side === null ? null : (
            <PlaceNote key={side.side} side={side} detail={detail} redacted={head.texts !== 'full'} />
          ),
        )}
        {attributes.length === 0 ? null : (
          <table class="attribute-list">
            <caption>Attributes</caption>
            <thead class="unseen">
              <tr>
                <th scope="col">Attribute</th>
                <th scope="col">Gold</th>
                <th scope="col">Predicted</th>
              </tr>
            </thead>
            <tbody>
              {attributes.map(({ name, right, gold, predicted }) => (
                <tr key={name} class={right ? 'hit' : 'spurious'}>
                  <th scope="row">
                    <span class="sign">{right ? '✓' : '✗'}</span>
                    <span class="unseen">{right ? 'right: ' : 'wrong: '}</span> <Words text={name} most={60} />
                  </th>
                  <td>{gold === null ? <span class="hint">none</span> : <Words text={gold} most={120} />}</td>
                  <td>{predicted === null ? <span class="hint">none</span> : <Words text={predicted} most={120} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <GoldMark
          key={`${detail.case} ${line.run} ${line.at}`}
          line={line}
          detail={detail}
          hasText={head.texts === 'full'}
        />
      </div>
      <div class="line-facts stack">
        <FieldTable gold={record.gold} predicted={record.predicted} />
        <LedgerLine record={record} />
      </div>
    </section>
  );
}

function LedgerLine(props: { readonly record: ViewRecord }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="ledger-line" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Line of the ledger</summary>
      {open ? <CopiedLines text={JSON.stringify(props.record, null, 2)} label="the line of the ledger" long /> : null}
      <p class="hint">Places are in UTF-16 units of the text.</p>
    </details>
  );
}

function Reasons(props: {
  readonly items: CaseItems;
  readonly line: CaseLine;
  readonly onSelect: (key: string | null) => void;
}) {
  const { record } = props.line;
  const { rule, because, similarity, credit = 1, weight = 1, match, error } = record;
  const meaning = ruleWords(rule);
  return (
    <dl class="reasons">
      <dt>Rule</dt>
      <dd>
        <Words in="code" text={rule} most={80} />
        {because !== undefined ? (
          <>
            {': '}
            <Words text={because} />
          </>
        ) : meaning === null ? null : (
          `: ${meaning}`
        )}
      </dd>
      {error === undefined ? null : (
        <>
          <dt>Error</dt>
          <dd>
            <b>{error}</b>: {errorWords(error)}
          </dd>
        </>
      )}
      {similarity === undefined ? null : (
        <>
          <dt>Similarity</dt>
          <dd>
            {figure(similarity)}{' '}
            {record.gold !== undefined && record.predicted !== undefined ? 'of gold and prediction' : ''}
            {match === undefined ? null : (
              <>
                , <Words text={match} most={60} /> match
              </>
            )}
          </dd>
        </>
      )}
      {credit === 1 ? null : (
        <>
          <dt>Worth</dt>
          <dd>{figure(credit)} of a hit</dd>
        </>
      )}
      {weight === 1 ? null : (
        <>
          <dt>Weight</dt>
          <dd>stands for {figure(weight)}</dd>
        </>
      )}
      <Rejected {...props} />
    </dl>
  );
}

function Rejected(props: {
  readonly items: CaseItems;
  readonly line: CaseLine;
  readonly onSelect: (key: string | null) => void;
}) {
  const { items, line, onSelect } = props;
  const { rejected, gold, kind } = line.record;
  if (rejected === undefined) return null;
  // The candidate of a gold item is a predicted one, and the other way round.
  const side = gold === undefined ? 'gold' : 'predicted';
  const key = `${line.run}.${side}.${kind}.${rejected.index}`;
  const words = (
    <>
      <Words text={rejected.label} most={60} /> <Quote text={rejected.text} most={160} />
    </>
  );
  return (
    <>
      <dt>Closest candidate</dt>
      <dd>
        {side}{' '}
        {items.byKey.has(key) ? (
          <a
            href={itemHref(location.hash, key)}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              onSelect(key);
            }}
          >
            {words}
          </a>
        ) : (
          words
        )}
        {rejected.similarity === 0 ? '' : `, similarity ${figure(rejected.similarity)}`}; not taken:{' '}
        <Words text={rejected.why} />
      </dd>
    </>
  );
}

/** Whatever is odd about where it stands. */
function PlaceNote(props: { readonly side: CaseItem; readonly detail: CaseDetail; readonly redacted: boolean }) {
  const { side, detail, redacted } = props;
  const { place, astray, item } = side;
  const note = (words: string) => (
    <p class="place-note">
      {side.side === 'gold' ? 'Gold' : 'Prediction'}: {words}
    </p>
  );
  if (astray !== null) return note(`${astray}, so that it is not marked.`);
  if (place === null || detail.text === null) return null;
  if (place.by === 'words') return note('it has no given place and is shown where its words first occur.');
  const there = textAt(detail.text, place.pieces === undefined ? place : { ...place, fragments: place.pieces });
  if (redacted || item.text === '' || there === item.text) return null;
  return (
    <p class="place-note">
      {side.side === 'gold' ? 'Gold' : 'Prediction'}: the text at its place is <Quote text={there} most={120} />.
    </p>
  );
}
