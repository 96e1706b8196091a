import type { ComponentChildren } from 'preact';

import type { Live } from '../../../src/server/runs/live-data.ts';
import { PlainText } from '../plain-text.tsx';

/** Nothing here yet: what would put something here, as it is typed. */
export function Empty(props: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly commands: readonly string[];
}) {
  return (
    <div class="empty stack">
      <h2>{props.title}</h2>
      <p>{props.children}</p>
      {props.commands.map((command) => (
        <pre key={command} class="frame" tabIndex={0} aria-label="Command">
          <code>{command}</code>
        </pre>
      ))}
      <p class="hint">This page shows it as soon as it is there.</p>
    </div>
  );
}

export function NoRuns(props: { readonly live: Live }) {
  const { folder, exists } = props.live;
  const place = /^[\w.-]+$/.test(folder) ? folder : 'runs';
  return (
    <Empty
      title={exists ? 'No runs yet' : 'The folder is not there yet'}
      commands={[
        `assay score journal/ashwam --cases cases.jsonl --gold gold.jsonl --predictions predictions.jsonl --out ${place}/first`,
        `assay demo --out ${place}/demo`,
        'assay serve --runs ANOTHER-FOLDER',
      ]}
    >
      {exists ? (
        <>
          Nothing was scored into <PlainText text={folder} />. Score answers into it, or the bundled examples, or serve
          the folder where your runs are:
        </>
      ) : (
        <>
          The folder <PlainText text={folder} /> does not exist where <code>assay serve</code> was started. Create it by
          scoring answers or the bundled examples into it, or serve the folder that has your runs:
        </>
      )}
    </Empty>
  );
}
