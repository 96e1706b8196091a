import type { ReviewField } from '../../../src/recipe/review-section.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import { PlainText } from '../plain-text.tsx';
import type { Answering } from './answering.ts';
import { ChecklistQuestion } from './checklist-question.tsx';
import { ChoiceQuestion } from './choice-question.tsx';
import type { ItemMode, ItemWork } from './item-work.ts';
import { ItemsQuestion } from './items-question.tsx';
import { ScaleQuestion } from './scale-question.tsx';
import type { Form } from './stops.ts';
import { TextQuestion } from './text-question.tsx';

interface Shared {
  readonly content: ReviewContent;
  readonly answering: Answering;
  readonly mode: ItemMode;
  readonly work: ItemWork;
  readonly passagesOpen: boolean;
}

/** The form of an item, under the headings that it declares. */
export function Questions(props: Shared & { readonly form: Form; readonly fields: readonly string[] }) {
  const { form, fields, ...shared } = props;
  const asked = fields.flatMap((name) => (form[name] === undefined ? [] : [{ name, field: form[name] }]));
  if (asked.length === 0) return <p class="hint">Nothing is asked of you about this item. Go on to the next.</p>;
  return (
    <>
      {asked.map(({ name, field }, index) => {
        const isNew = field.section !== (asked[index - 1]?.field.section ?? '');
        return (
          <div key={name} class="asked">
            {isNew && field.section !== '' ? (
              <h3 class="section-title">
                <PlainText text={field.section} />
              </h3>
            ) : null}
            <Question name={name} field={field} {...shared} />
          </div>
        );
      })}
    </>
  );
}

function Question(props: Shared & { readonly name: string; readonly field: ReviewField }) {
  const { name, field, answering } = props;
  switch (field.type) {
    case 'scale':
      return <ScaleQuestion name={name} field={field} answering={answering} />;
    case 'choice':
      return <ChoiceQuestion name={name} field={field} answering={answering} />;
    case 'checklist':
      return <ChecklistQuestion name={name} field={field} answering={answering} />;
    case 'text':
      return <TextQuestion name={name} field={field} answering={answering} />;
    case 'items':
      return <ItemsQuestion {...props} field={field} />;
  }
}
