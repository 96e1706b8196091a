import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import type { ItemsField } from '../../../src/recipe/review-section.ts';
import type { ProposedItem } from '../../../src/review/content.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { lacksKind } from '../../../src/review/corrections.ts';
import { KindChoice } from '../correct-item.tsx';
import { languageTag, PlainText } from '../plain-text.tsx';
import { readableName, relationOf } from '../relation.ts';
import { toneStyle } from '../tone-style.ts';
import { ThingWords } from '../thing-words.tsx';
import type { Answering } from './answering.ts';
import { Radio } from './radio.tsx';
import { rowAttributes, RowFault } from './row-state.tsx';

/** What can be done with one thing besides labelling it. */
export interface ItemTools {
  readonly edit: (id: string) => void;
  readonly split: (id: string) => void;
  readonly merge: (id: string) => void;
  readonly remove: (id: string) => void;
  readonly resize: (id: string) => void;
  readonly relabel: (id: string, kind: string) => void;
  readonly restore: (id: string) => void;
}

export function LabelledItem(props: {
  readonly name: string;
  readonly field: ItemsField;
  readonly item: ItemAnswer;
  readonly number: number;
  readonly proposed: ProposedItem | null;
  readonly isLast: boolean;
  /** Whether there is a text in which it should be found. */
  readonly hasText: boolean;
  readonly answering: Answering;
  readonly label: (id: string, label: string) => void;
  readonly tools: ItemTools;
  readonly editor: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { name, field, item, answering } = props;
  const group = useId();
  const stop = { field: name, part: item.id };
  const labels = Object.entries(field.labels);
  const tone = labels.findIndex(([label]) => label === item.label);
  const { class: classes, ...row } = rowAttributes(answering, stop, 'thing');
  const isCurrent = classes.includes('current');
  return (
    <li>
      <fieldset {...row} class={classes} style={toneStyle(tone)}>
        <legend>
          <span class="thing-number count" aria-hidden="true">
            {props.number}
          </span>
          <span class="thing-words pre" lang={languageTag(answering.language)}>
            <ThingWords text={item.text} proposed={props.proposed} kind={item.kind} language={answering.language} />
            {item.from.length === 0 ? <span class="optional muted fine plain"> added by you</span> : null}
          </span>
        </legend>
        <Correction item={item} proposed={props.proposed} onRestore={() => props.tools.restore(item.id)} />
        <ThingFacts proposed={props.proposed} hasText={props.hasText} />
        {props.editor}
        <div class="labels">
          {labels.map(([label, { title, help }], index) => (
            <Radio
              key={label}
              class="label"
              {...{ group }}
              value={label}
              now={item.label}
              onPick={() => props.label(item.id, label)}
              sign={index < 9 ? index + 1 : undefined}
              title={help === '' ? undefined : help}
              style={toneStyle(index)}
            >
              <PlainText text={title} />
            </Radio>
          ))}
        </div>
        <RowFault answering={answering} stop={stop} />
        {isCurrent && props.editor === null ? (
          <>
            {field.allow.includes('relabel') ? (
              <KindChoice
                key={item.kind}
                kind={item.kind ?? props.proposed?.kind ?? null}
                kinds={field.kinds ?? []}
                mayType={field.otherKinds === true}
                focused={lacksKind(field.allow, item)}
                sign="l"
                onChange={(kind) => props.tools.relabel(item.id, kind)}
              />
            ) : null}
            <Tools {...props} allow={field.allow} />
            {props.children}
          </>
        ) : null}
      </fieldset>
    </li>
  );
}

function Tools(props: {
  readonly allow: ItemsField['allow'];
  readonly item: ItemAnswer;
  readonly proposed: ProposedItem | null;
  readonly isLast: boolean;
  readonly hasText: boolean;
  readonly tools: ItemTools;
}) {
  const { allow, item, tools } = props;
  const isLink = props.proposed !== null && relationOf(props.proposed) !== null;
  const all = [
    { may: allow.includes('edit'), title: 'Edit', sign: 'e', run: tools.edit },
    { may: allow.includes('split'), title: 'Split', sign: 's', run: tools.split },
    { may: allow.includes('merge') && !props.isLast, title: 'Merge with next', sign: 'm', run: tools.merge },
    {
      may: allow.includes('resize') && props.hasText && item.start >= 0 && !isLink,
      title: 'Boundaries',
      sign: 'b',
      run: tools.resize,
    },
    { may: allow.includes('remove'), title: 'Remove', sign: 'Del', run: tools.remove },
  ].filter(({ may }) => may);
  if (all.length === 0) return null;
  return (
    <div class="tools">
      {all.map(({ title, sign, run }) => (
        <button key={title} type="button" class="quiet small" onClick={() => run(item.id)}>
          {title} <kbd aria-hidden="true">{sign}</kbd>
        </button>
      ))}
    </div>
  );
}

/** What a reviewer corrected was this before. */
function Correction(props: {
  readonly item: ItemAnswer;
  readonly proposed: ProposedItem | null;
  readonly onRestore: () => void;
}) {
  const { item, proposed } = props;
  const isMoved = proposed !== null && (item.start !== proposed.start || item.end !== proposed.end);
  if (proposed === null || (item.kind === undefined && !isMoved)) return null;
  return (
    <p class="corrected hint">
      Was{' '}
      {item.kind === undefined ? null : (
        <>
          <s>
            <PlainText text={proposed.kind ?? 'without a label'} />
          </s>{' '}
        </>
      )}
      {isMoved ? (
        <s>
          <PlainText text={proposed.text} />
        </s>
      ) : null}
      <button type="button" class="quiet small" onClick={props.onRestore}>
        Put it back
      </button>
    </p>
  );
}

function ThingFacts(props: { readonly proposed: ProposedItem | null; readonly hasText: boolean }) {
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
              <PlainText in="dt" text={readableName(name)} />
              <PlainText in="dd" text={words} />
            </div>
          ))}
        </dl>
      )}
      {isNowhere ? <p>The text does not have these words.</p> : null}
    </div>
  );
}
