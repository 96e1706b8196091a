import type { ProposedItem } from '../../src/review/content.ts';
import { PlainText } from './plain-text.tsx';
import { readableText } from './readable-pieces.ts';
import { readableName, relationOf } from './relation.ts';

/** The words of a thing under review, after what the system called it; a link between two things as `Ann —works for→ Acme`. */
export function ThingWords(props: {
  readonly text: string;
  readonly proposed: ProposedItem | null;
  /** What a reviewer calls it instead. */
  readonly kind?: string | undefined;
  readonly language: string | null;
}) {
  const { text, proposed, language } = props;
  // Words that a person wrote in its place are shown as they are.
  const kind = props.kind ?? proposed?.kind ?? null;
  const relation = proposed?.text === text ? relationOf({ ...proposed, kind }) : null;
  if (relation !== null) {
    return (
      <span class="relation">
        <PlainText text={relation.source} language={language} />{' '}
        <span class="link">
          <span aria-hidden="true">—</span>
          <PlainText text={readableName(relation.kind)} />
          <span aria-hidden="true">→</span>
        </span>{' '}
        <PlainText text={relation.target} language={language} />
      </span>
    );
  }
  return (
    <>
      {kind === null ? null : <span class="kind">{readableText(kind)}</span>}
      <PlainText text={text} language={language} />
    </>
  );
}
