import type { Overview } from '../../../src/review/api.ts';
import { Agreement } from '../owner/agreement.tsx';
import '../owner/owner.css';
import { Progress } from '../owner/progress.tsx';
import { usePolled } from '../use-polled.ts';
import { askOverview, EntryNeeded } from './live-api.ts';

const EVERY_MS = 10_000;

/** One review: how far each reviewer is, and how well they agree. Without a token it stays with its owner. */
export function ReviewPanel(props: { readonly name: string }) {
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
    <div class="row-more owner">
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
