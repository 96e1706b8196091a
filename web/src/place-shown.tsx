import './correct-item.css';
import { PlainText } from './plain-text.tsx';
import { around } from './rate/places-of.ts';

/** A place in a text with what stands around it. */
export function PlaceShown(props: {
  readonly under: string;
  readonly start: number;
  readonly end: number;
  readonly language: string | null;
}) {
  const { under, start, end, language } = props;
  const { before, after } = around(under, start, end);
  return (
    <p class="place-shown" dir="auto">
      <PlainText text={before} language={language} />
      <mark>
        <PlainText text={under.slice(start, end)} language={language} />
      </mark>
      <PlainText text={after} language={language} />
    </p>
  );
}
