import type { Me, Overview } from '../../../src/review/api.ts';
import { questionWords, valueWords } from '../value-words.ts';
import { PlainText } from '../plain-text.tsx';

const SHOWN = 10;

/** Items that divide people most, with how many said what. */
export function Divided(props: { readonly me: Me; readonly divided: Overview['divided'] }) {
  const { me, divided } = props;
  if (divided.length === 0) return <p class="hint">Nobody differs so far.</p>;
  return (
    <>
      <Rows me={me} divided={divided.slice(0, SHOWN)} />
      {divided.length <= SHOWN ? null : (
        <details class="figure-numbers">
          <summary>{divided.length - SHOWN} more</summary>
          <Rows me={me} divided={divided.slice(SHOWN)} />
        </details>
      )}
    </>
  );
}

function Rows(props: { readonly me: Me; readonly divided: Overview['divided'] }) {
  return (
    <ul class="divided-list" role="list">
      {props.divided.map((entry) => {
        const question = props.me.form[entry.field];
        return (
          <li key={JSON.stringify([entry.item, entry.field, entry.part])} class="divided-row">
            <div class="divided-what">
              <strong>
                <PlainText text={entry.caseId} />
              </strong>{' '}
              <span class="hint">
                <PlainText text={entry.title} />
              </span>
            </div>
            <div class="divided-question">{questionWords(question, entry.field, entry.part)}</div>
            <ul class="divided-values" role="list">
              {entry.values.map(({ value, count }, index) => (
                <li key={index}>
                  <span class="count">{count} ×</span> <PlainText text={valueWords(question, value)} />
                </li>
              ))}
            </ul>
            <div class="divided-apart hint count">{Math.round(entry.apart * 100)}% apart</div>
          </li>
        );
      })}
    </ul>
  );
}
