import { PlainText } from '../plain-text.tsx';
import { ThemeToggle } from '../theme-toggle.tsx';
import { formatHome, type HomeState, type Part, PARTS } from './home-state.ts';
import { LastLooked } from './last-looked.tsx';
import type { Go } from './use-home-state.ts';
import type { Looking } from './use-live.ts';

const TITLES: Readonly<Record<Part, string>> = { runs: 'Runs', experiments: 'Experiments', reviews: 'Reviews' };

/** What is looked at, the ways into it, and whether it is as it stands now. */
export function HomeHeader(props: {
  readonly looking: Looking;
  readonly state: HomeState;
  readonly go: Go;
  readonly showKeys: () => void;
}) {
  const { looking, state } = props;
  const { live } = looking;
  return (
    <header class="home-head">
      <h1>
        <span class="brand">Assay</span> <PlainText text={live?.folder ?? ''} />
      </h1>
      <LastLooked at={looking.at} trouble={looking.trouble} />
      <div class="tools">
        <ThemeToggle />
        <button type="button" class="quiet icon" aria-label="Keyboard" title="Keyboard (?)" onClick={props.showKeys}>
          <span aria-hidden="true">?</span>
        </button>
      </div>
      <nav class="tabs" aria-label="Parts">
        {PARTS.map((part) => (
          <a
            key={part}
            href={formatHome({ ...state, part })}
            aria-current={part === state.part ? 'page' : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
              event.preventDefault();
              props.go({ part });
            }}
          >
            {TITLES[part]}
            {live === null ? null : <span class="badge">{live[part].length}</span>}
          </a>
        ))}
      </nav>
    </header>
  );
}
