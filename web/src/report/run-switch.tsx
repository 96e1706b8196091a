import { ShortText } from './short-text.tsx';
import { useReport } from './report-context.ts';

/** Which of several runs is looked at; nothing where there is one. */
export function RunSwitch(props: { readonly link: (run: number) => string }) {
  const { head, run } = useReport();
  if (head.runs.length < 2) return null;
  return (
    <nav class="run-switch flow" aria-label="Runs">
      {head.runs.map(({ name }, place) => (
        <a key={name} class="chip" href={props.link(place)} aria-current={place === run ? 'true' : undefined}>
          <ShortText text={name} />
          {place === 0 ? <span class="hint"> baseline</span> : null}
        </a>
      ))}
    </nav>
  );
}
