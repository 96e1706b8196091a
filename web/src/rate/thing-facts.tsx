import type { ProposedItem } from '../../../src/review/content.ts';
import { PlainText } from '../plain-text.tsx';
import { readableName, relationOf } from '../relation.ts';

/** Model output on a thing besides its words: polarity, a bucket, a description. */
export function ThingFacts(props: { readonly proposed: ProposedItem | null; readonly hasText: boolean }) {
  const { proposed } = props;
  if (proposed === null) return null;
  const relation = relationOf(proposed);
  const facts = Object.entries(proposed.facts).filter(
    ([name]) => relation === null || (name !== 'source' && name !== 'target'),
  );
  const isNowhere = props.hasText && relation === null && proposed.start < 0;
  if (facts.length === 0 && !isNowhere) return null;
  return (
    <div class="facts">
      {facts.length === 0 ? null : (
        <dl>
          {facts.map(([name, words]) => (
            <div key={name}>
              <dt>
                <PlainText text={readableName(name)} />
              </dt>
              <dd>
                <PlainText text={words} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isNowhere ? <p>The text does not have these words.</p> : null}
    </div>
  );
}
