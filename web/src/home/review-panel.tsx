import { Agreement } from '../owner/agreement.tsx';
import '../owner/owner.css';
import { Progress } from '../owner/progress.tsx';
import { usePolled } from '../use-polled.ts';
import { askOverview } from './live-api.ts';

const EVERY_MS = 10_000;

/** One review: how far each person is, and how well they agree. */
export function ReviewPanel(props: { readonly name: string }) {
  const { value, at, trouble } = usePolled(async () => await askOverview(props.name), EVERY_MS);
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
