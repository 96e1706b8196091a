import type { Overview } from '../../../src/review/api.ts';
import type { Live, LiveReview } from '../../../src/server/runs/live-data.ts';
import { count, plural } from '../../../src/text/figures.ts';
import { Agreement } from '../owner/agreement.tsx';
import '../owner/owner.css';
import { Progress } from '../owner/progress.tsx';
import { PlainText } from '../plain-text.tsx';
import { usePolled } from '../use-polled.ts';
import { Empty } from './empty.tsx';
import type { HomeState } from './home-state.ts';
import { askOverview, EntryNeeded } from './live-api.ts';
import './rows.css';
import { ShareBar } from '../share-bar.tsx';
import type { Go } from './use-home-state.ts';

export function ReviewsView(props: { readonly live: Live; readonly state: HomeState; readonly go: Go }) {
  const { live, state, go } = props;
  if (live.reviews.length === 0)
    return (
      <Empty
        title="No reviews yet"
        commands={['assay review create towns --recipe graph/review --run runs/first --reviewer Ann --reviewer Ben']}
      >
        In a review people judge answers or annotate cases, and this page shows how far they are and how well they
        agree:
      </Empty>
    );
  return (
    <section class="part stack" aria-label="Reviews">
      <p class="hint">
        The answers themselves, and the questions, are in <code>assay review serve</code>.
      </p>
      <ul class="rows frame" role="list">
        {live.reviews.map((review) => (
          <Review
            key={review.name}
            review={review}
            open={review.name === state.review}
            turn={() => go({ review: review.name === state.review ? null : review.name })}
          />
        ))}
      </ul>
    </section>
  );
}

function Review(props: { readonly review: LiveReview; readonly open: boolean; readonly turn: () => void }) {
  const { review, open } = props;
  const { name, task, items, people, assigned, begun, finished, decided } = review;
  return (
    <li class="row review">
      <div class="row-what">
        <PlainText in="h2" text={name} />
        <p class="hint">
          <PlainText text={task} /> · {plural(items, 'item')} · {plural(people, 'person', 'people')}
        </p>
      </div>
      <div class="row-far fine stack tight">
        <ShareBar parts={[finished, begun]} whole={assigned} names={['done', 'begun']} />
        <p class="count">
          {count(finished)} of {count(assigned)} assigned pieces finished
          {begun > 0 ? <span class="hint">, {count(begun)} begun</span> : null}
        </p>
      </div>
      <div class="row-state fine">
        <p class="hint">{plural(decided, 'conflict')} decided</p>
      </div>
      <div class="row-ways flow">
        <button type="button" class="small" aria-expanded={open} onClick={props.turn}>
          Agreement
        </button>
      </div>
      {open ? <ReviewPanel name={name} /> : null}
    </li>
  );
}

const EVERY_MS = 10_000;

/** One review: how far each reviewer is, and how well they agree. Without a token it stays with its owner. */
function ReviewPanel(props: { readonly name: string }) {
  const { value, at, trouble } = usePolled(async () => await overviewOrNone(props.name), EVERY_MS);
  if (value === 'owner')
    return (
      <p class="hint row-more">
        How far each reviewer is, and how well they agree, is shown to the owner of the review: on the page of their
        link, or with <code>assay review status</code>.
      </p>
    );
  if (value === null) return <p class="hint row-more">{trouble ?? 'Working it out…'}</p>;
  return (
    <div class="row-more owner stack loose">
      <Progress people={value.people} now={at} />
      <section aria-label="Agreement">
        <h2>Agreement between people</h2>
        {value.agreement.length === 0 ? (
          <p class="hint">Nothing to compare yet: no question has been answered by two people.</p>
        ) : (
          <Agreement figures={value.agreement} of="agreement between people" />
        )}
      </section>
      {value.judge.length === 0 ? null : (
        <section aria-label="The model judge">
          <h2>The model judge, against people</h2>
          <Agreement figures={value.judge} of="the model judge" />
        </section>
      )}
      {trouble === null ? null : <p class="fault">{trouble}</p>}
    </div>
  );
}

async function overviewOrNone(name: string): Promise<Overview | 'owner'> {
  try {
    return await askOverview(name);
  } catch (error) {
    if (error instanceof EntryNeeded) return 'owner';
    throw error;
  }
}
