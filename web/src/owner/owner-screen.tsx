import { faultText } from '../fault-text.ts';
import { useState } from 'preact/hooks';

import type { Me, Overview } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';
import { PlainText } from '../plain-text.tsx';
import { saveFile } from '../save-file.ts';
import { ThemeToggle } from '../theme-toggle.tsx';
import { usePolled } from '../use-polled.ts';
import { questionWords, valueWords } from '../value-words.ts';
import { Agreement } from './agreement.tsx';
import './owner.css';
import { Progress } from './progress.tsx';

const REFRESH_MS = 5000;

export function OwnerScreen(props: { api: Api; me: Me }) {
  const { api, me } = props;
  const { value: overview, at, trouble } = usePolled(async () => await api.overview(), REFRESH_MS);
  return (
    <div class="owner">
      <header class="screen-head page-head flow">
        <h1>{me.review.title}</h1>
        <p class="hint">{me.review.name}</p>
        <p class={trouble === null ? 'screen-state hint' : 'screen-state trouble'} role="status">
          {trouble === null ? '' : `${trouble} ${at === 0 ? '' : `This is how it stood at ${clock(at)}.`}`}
        </p>
        <ThemeToggle />
      </header>
      <main class="owner-main stack loose" aria-busy={overview === null}>
        {overview === null ? <p class="hint">Loading…</p> : <Whole api={api} me={me} overview={overview} now={at} />}
      </main>
    </div>
  );
}

function Whole(props: { readonly api: Api; readonly me: Me; readonly overview: Overview; readonly now: number }) {
  const { api, me, overview, now } = props;
  return (
    <>
      <dl class="owner-counts">
        <Count name="Items done" value={`${overview.items.done} of ${overview.items.total}`} />
        <Count name="Open conflicts" value={String(overview.conflicts.open)} />
        <Count name="Decided conflicts" value={String(overview.conflicts.decided)} />
      </dl>
      <Downloads api={api} me={me} />
      <Progress people={overview.people} now={now} />
      <section aria-labelledby="agreement">
        <h2 id="agreement">Agreement between people</h2>
        {overview.agreement.length === 0 ? (
          <p class="hint">Nothing to compare yet: no question has been answered by two people.</p>
        ) : (
          <Agreement figures={overview.agreement} of="agreement between people" />
        )}
      </section>
      <section aria-labelledby="divided">
        <h2 id="divided">What divides people most</h2>
        <Divided me={me} divided={overview.divided} />
      </section>
      {overview.judge.length === 0 ? null : (
        <section aria-labelledby="judge">
          <h2 id="judge">The model judge, against people</h2>
          <p class="hint">Its labels enter no figure above. An agreement expires when its prompt or model changes.</p>
          <Agreement figures={overview.judge} of="the model judge" />
        </section>
      )}
    </>
  );
}

function Count(props: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt class="hint">{props.name}</dt>
      <dd class="count">{props.value}</dd>
    </div>
  );
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { timeStyle: 'short' });
}

function Downloads(props: { readonly api: Api; readonly me: Me }) {
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);

  const fetchFile = async (format: 'csv' | 'jsonl'): Promise<void> => {
    setBusy(format);
    setFault(null);
    try {
      saveFile(`${props.me.review.name}-reviews.${format}`, await props.api.exported(format));
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(null);
    }
  };

  return (
    <div class="downloads flow">
      <span class="hint">All answers so far:</span>
      {(['csv', 'jsonl'] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="small"
          aria-busy={busy === format}
          onClick={() => void fetchFile(format)}
        >
          Download {format.toUpperCase()}
        </button>
      ))}
      <span class="fault" role="status">
        {fault}
      </span>
    </div>
  );
}

const SHOWN = 10;

function Divided(props: { readonly me: Me; readonly divided: Overview['divided'] }) {
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
              <PlainText in="strong" text={entry.caseId} /> <PlainText in="span" class="hint" text={entry.title} />
            </div>
            <div class="divided-question">{questionWords(question, entry.field, entry.part)}</div>
            <ul class="divided-values flow" role="list">
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
