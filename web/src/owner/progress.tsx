import type { Overview } from '../../../src/review/api.ts';
import { ShareBar } from '../share-bar.tsx';
import { since } from './since.ts';

export function Progress(props: { readonly people: Overview['people']; readonly now: number }) {
  const reviewers = props.people.filter(({ role }) => role === 'reviewer');
  return (
    <section aria-labelledby="progress">
      <h2 id="progress">Reviewers</h2>
      {reviewers.length === 0 ? <p class="hint">This review has no reviewers.</p> : null}
      <ul class="progress-list" role="list">
        {reviewers.map((person) => (
          <li key={person.name} class="progress-row">
            <span class="progress-name">
              {person.name}
              {person.groups.length === 0 ? null : <span class="hint"> {person.groups.join(', ')}</span>}
            </span>
            <ShareBar parts={[person.done, person.begun]} whole={person.total} names={['done', 'begun']} />
            <span class="progress-count count">
              {person.done} of {person.total} done
              {person.begun === 0 ? null : <span class="hint">, {person.begun} begun</span>}
            </span>
            {/* Who may be a reviewer is not told when the others were here. */}
            {person.lastAt === null && person.done + person.begun > 0 ? null : (
              <span class="progress-last hint">
                <span class="unseen">last activity </span>
                {since(person.lastAt, props.now)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
