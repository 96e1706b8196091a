import type { Overview } from '../../../src/review/api.ts';
import type { Live, LiveReview } from '../../../src/server/runs/live-data.ts';
import { runAddress } from '../../../src/server/runs/run-address.ts';
import { count } from '../../../src/text/figures.ts';
import { Agreement } from '../owner/agreement.tsx';
import '../owner/owner.css';
import { Progress } from '../owner/progress.tsx';
import { PlainText } from '../plain-text.tsx';
import { type DataColumn, DataTable } from '../report/figures/data-table.tsx';
import { ShareBar } from '../share-bar.tsx';
import { usePolled } from '../use-polled.ts';
import { Empty } from './empty.tsx';
import type { HomeState } from './home-state.ts';
import { askOverview, EntryNeeded } from './live-api.ts';
import { timeText } from './time-text.ts';
import './tables.css';
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
  const open = live.reviews.find(({ name }) => name === state.review);
  const columns: readonly DataColumn<LiveReview>[] = [
    ...COLUMNS,
    {
      title: 'Results',
      cell: ({ name, runs }) => (
        <span class="flow">
          <button
            type="button"
            class="small"
            aria-expanded={name === state.review}
            onClick={() => go({ review: name === state.review ? null : name })}
          >
            Agreement
          </button>
          {runs.map((run) => (
            <a key={run} href={runAddress(run)} title="A run scored with the answers of its reviewers">
              <PlainText text={run} />
            </a>
          ))}
        </span>
      ),
    },
  ];
  return (
    <section class="part stack" aria-label="Reviews">
      <p class="hint">
        The answers themselves, and the questions, are in <code>assay review serve</code>.
      </p>
      <DataTable label="Reviews" columns={columns} rows={live.reviews} keyOf={({ name }) => name} />
      {open === undefined ? null : <ReviewPanel key={open.name} name={open.name} />}
    </section>
  );
}

const number = true;
const COLUMNS: readonly DataColumn<LiveReview>[] = [
  { title: 'Review', sortBy: ({ name }) => name, cell: ({ name }) => <PlainText text={name} /> },
  { title: 'State', sortBy: stateOf, cell: stateOf },
  { title: 'Task', sortBy: ({ task }) => task, cell: ({ task }) => <PlainText text={task} /> },
  { title: 'Recipe', sortBy: ({ recipe }) => recipe, cell: ({ recipe }) => <PlainText text={recipe ?? '–'} /> },
  { title: 'Items', number, sortBy: ({ items }) => items, cell: ({ items }) => count(items) },
  { title: 'People', number, sortBy: ({ people }) => people, cell: ({ people }) => count(people) },
  {
    title: 'Finished',
    about: 'Assigned pieces that their reviewers have finished',
    sortBy: ({ finished, assigned }) => (assigned === 0 ? null : finished / assigned),
    cell: ({ finished, begun, assigned }) => (
      <span class="far stack tight">
        <ShareBar parts={[finished, begun]} whole={assigned} names={['done', 'begun']} />
        <span class="count nowrap">
          {count(finished)} of {count(assigned)}
          {begun > 0 ? <span class="hint">, {count(begun)} begun</span> : null}
        </span>
      </span>
    ),
  },
  {
    title: 'Decided',
    about: 'Conflicts that an adjudicator has decided',
    number,
    sortBy: ({ decided }) => decided,
    cell: ({ decided }) => count(decided),
  },
  {
    title: 'Created',
    sortBy: ({ created }) => created,
    cell: ({ created }) => <span class="nowrap">{timeText(created)}</span>,
  },
];

function stateOf({ finished, begun, assigned }: LiveReview): string {
  if (assigned > 0 && finished === assigned) return 'finished';
  return finished + begun > 0 ? 'going on' : 'not begun';
}

const EVERY_MS = 10_000;

/** One review: how far each reviewer is, and how well they agree. Without a token it stays with its owner. */
function ReviewPanel(props: { readonly name: string }) {
  const { value, at, trouble } = usePolled(async () => await overviewOrNone(props.name), EVERY_MS);
  if (value === 'owner')
    return (
      <p class="hint">
        How far each reviewer is, and how well they agree, is shown to the owner of the review: on the page of their
        link, or with <code>assay review status</code>.
      </p>
    );
  if (value === null) return <p class="hint">{trouble ?? 'Working it out…'}</p>;
  return (
    <div class="owner stack loose">
      <h2>
        <PlainText text={props.name} />
      </h2>
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
