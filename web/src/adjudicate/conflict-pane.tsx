import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import type { ConflictView } from '../../../src/review/api.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { Passage } from '../passage.tsx';
import { languageTag, PlainText } from '../plain-text.tsx';
import { ShownContent } from '../shown-content.tsx';
import { ThingWords } from '../thing-words.tsx';
import { useKeys } from '../use-keys.ts';
import { partTitle, valueWords } from '../value-words.ts';
import { Decided, type ShownDecision } from './decided.tsx';
import type { OtherValue } from './other-values.ts';
import { claimsOf, disputedPlaces, inAll } from './places.ts';

export function ConflictPane(props: {
  readonly view: ConflictView;
  /** Null while it is open. */
  readonly decision: ShownDecision | null;
  readonly other: OtherValue | null;
  readonly hasOthers: boolean;
  readonly reason: string;
  readonly onReason: (text: string) => void;
  readonly onTake: (index: number) => void;
  readonly onOther: () => void;
  readonly onDecideOther: () => void;
  readonly onDropOther: () => void;
  readonly onUndo: () => void;
}) {
  const { view, decision } = props;
  const spans = useMemo(
    () => disputedPlaces(view).map((place, index) => ({ id: `${view.id}/${index}`, ...place, tone: 0, kind: null })),
    [view],
  );
  const part = partTitle(view.question, view.part);
  const asked = useRef<HTMLHeadingElement>(null);

  // A decision leads to the next question: it begins at the top and is read out; a place further down comes after that.
  useLayoutEffect(() => {
    scrollTo({ top: 0 });
    asked.current?.focus({ preventScroll: true });
  }, [view.id]);

  return (
    <div class={view.question.type === 'items' ? 'conflict-pane of-things' : 'conflict-pane'}>
      <div class="conflict-head stack tight">
        <h2 class="conflict-asked" ref={asked} tabIndex={-1}>
          {view.question.title}
        </h2>
        {part === null ? null : <p class="conflict-part">{part}</p>}
        {view.question.help === '' ? null : <p class="hint">{view.question.help}</p>}
      </div>
      <div class="conflict-text stack loose">
        <ShownContent content={view.content} spans={spans} current={spans.slice(0, 1).map(({ id }) => id)} level={3} />
        <Passages view={view} />
      </div>
      <div class="conflict-answers stack">
        <DisputedWords view={view} />
        <div class={view.answers.some(({ value }) => Array.isArray(value)) ? 'answer-cards long' : 'answer-cards'}>
          {view.answers.map((answer, index) => (
            <AnswerCard
              key={index}
              view={view}
              index={index}
              taken={decision !== null && JSON.stringify(decision.value) === JSON.stringify(answer.value)}
              onTake={() => props.onTake(index)}
            />
          ))}
        </div>
        {props.hasOthers ? (
          <button type="button" class="quiet other" onClick={props.onOther}>
            <kbd aria-hidden="true">o</kbd> Another value…
          </button>
        ) : null}
        <Reason
          key={view.id}
          other={props.other}
          text={props.reason}
          onText={props.onReason}
          onDecide={props.onDecideOther}
          onDrop={props.onDropOther}
        />
        <Decided view={view} decision={decision} onUndo={props.onUndo} />
      </div>
    </div>
  );
}

function DisputedWords(props: { readonly view: ConflictView }) {
  const { content, field, part, question, answers } = props.view;
  if (question.type !== 'items' || part === null || answers.some(({ value }) => Array.isArray(value))) return null;
  const [place] = disputedPlaces(props.view);
  const under = content.blocks.find(({ name }) => name === content.under)?.text;
  const proposed = content.proposed[field]?.find((item) => isPart(item, part)) ?? null;
  const words = place === undefined || under === undefined ? proposed?.text : under.slice(place.start, place.end);
  if (words === undefined) return null;
  return (
    <blockquote class="disputed-words" lang={languageTag(content.language)}>
      <ThingWords text={words} proposed={proposed} language={content.language} />
    </blockquote>
  );
}

/** The retrieved passages closest to the claim in question; all of them if it has none or the lists differ. */
function Passages(props: { readonly view: ConflictView }) {
  const { content, field, part, question } = props.view;
  if (question.type !== 'items' || content.passages.length === 0) return null;
  const claim = part === null ? undefined : content.proposed[field]?.find((item) => isPart(item, part));
  const near = claim?.passages ?? [];
  const shown = near.length === 0 ? content.passages : content.passages.filter(({ id }) => near.includes(id));
  return (
    <details class="conflict-passages" open={near.length > 0}>
      <summary>
        {near.length > 0 ? 'Retrieved passages closest to the claim' : `Retrieved passages (${shown.length})`}
      </summary>
      <ul class="stack">
        {shown.map(({ id, source, text }) => (
          <Passage key={id} source={source} words={text} />
        ))}
      </ul>
    </details>
  );
}

function isPart(item: { readonly id: string; readonly start: number; readonly end: number }, part: string): boolean {
  return item.id === part || `${item.start}-${item.end}` === part;
}

function AnswerCard(props: {
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
    <section class={props.taken ? 'answer-card card taken' : 'answer-card card'} aria-labelledby={heading}>
      <h3 id={heading} class="answer-said hint medium">
        {answer.said.join(', ')}
      </h3>
      <PlainText
        in="p"
        class="answer-value"
        text={words}
        language={view.question.type === 'text' ? view.content.language : null}
      />
      {Array.isArray(answer.value) ? <ClaimList view={view} claims={answer.value} /> : null}
      {answer.comment === null ? null : <PlainText in="blockquote" class="answer-comment" text={answer.comment} />}
      <button type="button" class="take" onClick={props.onTake} aria-pressed={props.taken}>
        {index < 9 ? <kbd aria-hidden="true">{index + 1}</kbd> : null}
        {props.taken ? 'Taken' : 'Take this answer'}
        <span class="unseen">: {words}</span>
      </button>
    </section>
  );
}

function ClaimList(props: { readonly view: ConflictView; readonly claims: readonly ItemAnswer[] }) {
  const { view, claims } = props;
  const lists = view.answers.map((answer) => claimsOf(answer.value));
  const proposed = new Map(view.content.proposed[view.field]?.map((one) => [one.id, one]));
  return (
    <ol class="claim-list stack">
      {claims.map((claim) => {
        const shared = inAll(claim, lists, proposed);
        return (
          <li key={claim.id} class={shared ? 'claim shared' : 'claim differs'}>
            <ThingWords
              text={claim.text}
              proposed={proposed.get(claim.from[0] ?? '') ?? null}
              kind={claim.kind}
              language={view.content.language}
            />{' '}
            <span class="claim-label">{valueWords(view.question, claim.label)}</span>
            {shared ? null : <span class="unseen"> (differs)</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** Why: may be left out where an answer is taken, and must be given for a value that nobody gave. */
function Reason(props: {
  readonly other: OtherValue | null;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onDecide: () => void;
  readonly onDrop: () => void;
}) {
  const { other } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const missing = other !== null && props.text.trim() === '';

  // After the dialog has given the focus back to where it was.
  useEffect(() => {
    if (other !== null) field.current?.focus();
  }, [other]);

  const decide = (): void => {
    if (missing) field.current?.focus();
    else props.onDecide();
  };
  useKeys([
    { keys: ['r'], does: 'Write the reason', run: () => field.current?.focus() },
    { keys: ['Escape'], does: 'Leave the reason, drop another value', run: leave, unlisted: true },
    ...(other === null
      ? []
      : [{ keys: ['Enter'], does: 'Decide for the other value', run: decide, whileTyping: true }]),
  ]);

  function leave(): void {
    if (document.activeElement === field.current) field.current?.blur();
    else props.onDrop();
  }

  return (
    <div class="reason stack tight">
      {other === null ? null : (
        <p class="other-chosen" role="status">
          Another value: <strong>{other.words}</strong>
        </p>
      )}
      <label for="because">
        {other === null ? 'Reason' : 'Reason for another value'}{' '}
        <span class="hint">{other === null ? 'if you want to give one' : 'needed'}</span>
      </label>
      <textarea
        id="because"
        ref={field}
        rows={2}
        maxLength={2000}
        dir="auto"
        value={props.text}
        required={other !== null}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      {other === null ? null : (
        <div class="reason-acts flow">
          <button type="button" class="primary" aria-disabled={missing} onClick={decide}>
            Decide: {other.words} <kbd aria-hidden="true">Enter</kbd>
          </button>
          <button type="button" class="quiet" onClick={props.onDrop}>
            Cancel
          </button>
        </div>
      )}
    </div>
  );
}
