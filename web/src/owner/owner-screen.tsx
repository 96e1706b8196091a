import type { Me, Overview } from '../../../src/review/api.ts';
import type { Api } from '../api.ts';
import { ThemeToggle } from '../theme-toggle.tsx';
import { usePolled } from '../use-polled.ts';
import { Agreement } from './agreement.tsx';
import { Divided } from './divided.tsx';
import { Downloads } from './downloads.tsx';
import './owner.css';
import { Progress } from './progress.tsx';

const REFRESH_MS = 5000;

/** How far the review is, how well people agree, and what divides them. */
export function OwnerScreen(props: { api: Api; me: Me }) {
  const { api, me } = props;
  const { value: overview, at, trouble } = usePolled(async () => await api.overview(), REFRESH_MS);
  return (
    <div class="owner">
      <header class="screen-head">
        <h1>{me.review.title}</h1>
        <p class="hint">{me.review.name}</p>
        <p class={trouble === null ? 'screen-state hint' : 'screen-state trouble'} role="status">
          {trouble === null ? '' : `${trouble} ${at === 0 ? '' : `This is how it stood at ${clock(at)}.`}`}
        </p>
        <ThemeToggle />
      </header>
      <main class="owner-main" aria-busy={overview === null}>
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
