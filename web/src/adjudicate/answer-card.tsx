import type { ConflictView } from '../../../src/review/api.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { PlainText } from '../plain-text.tsx';
import { claimsOf, inAll } from './places.ts';
import { valueWords } from '../value-words.ts';

/** One of the answers that differ, with those who gave it and the key that takes it. */
export function AnswerCard(props: {
  readonly view: ConflictView;
  readonly index: number;
  readonly taken: boolean;
  readonly onTake: () => void;
}) {
  const { view, index } = props;
  const answer = view.answers[index];
  if (answer === undefined) return null;
  const words = valueWords(view.question, answer.value);
  const heading = `answer-${index}`;
  return (
    <section class={props.taken ? 'answer-card taken' : 'answer-card'} aria-labelledby={heading}>
      <h3 id={heading} class="answer-said">
        {answer.said.join(', ')}
      </h3>
      <p class="answer-value">
        <PlainText text={words} language={view.question.type === 'text' ? view.content.language : null} />
      </p>
      {Array.isArray(answer.value) ? <ClaimList view={view} claims={answer.value} /> : null}
      {answer.comment === null ? null : (
        <blockquote class="answer-comment">
          <PlainText text={answer.comment} />
        </blockquote>
      )}
      <button type="button" class="take" onClick={props.onTake} aria-pressed={props.taken}>
        {index < 9 ? <kbd aria-hidden="true">{index + 1}</kbd> : null}
        {props.taken ? 'Taken' : 'Take this answer'}
        <span class="unseen">: {words}</span>
      </button>
    </section>
  );
}

/** A whole segmentation: what the others do not have just so is marked. */
function ClaimList(props: { readonly view: ConflictView; readonly claims: readonly ItemAnswer[] }) {
  const { view, claims } = props;
  const lists = view.answers.map((answer) => claimsOf(answer.value));
  return (
    <ol class="claim-list">
      {claims.map((claim) => {
        const shared = inAll(claim, lists);
        return (
          <li key={claim.id} class={shared ? 'claim shared' : 'claim differs'}>
            <PlainText text={claim.text} language={view.content.language} />{' '}
            <span class="claim-label">{valueWords(view.question, claim.label)}</span>
            {shared ? null : <span class="unseen"> (differs)</span>}
          </li>
        );
      })}
    </ol>
  );
}
