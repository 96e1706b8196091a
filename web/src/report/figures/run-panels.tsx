import type { ComponentChildren } from 'preact';

import type { RunView } from '../../../../src/report/html/report-data.ts';
import { ShortText } from '../short-text.tsx';
import { linkTo, useReport } from '../report-context.ts';
import { RunSwitch } from '../run-switch.tsx';
import type { View } from '../state.ts';

/** One run at a time. All are there, so that paper can have them one after the other. */
export function RunPanels(props: {
  readonly view: View;
  readonly children: (run: RunView, place: number) => ComponentChildren;
}) {
  const { head, run, state } = useReport();
  return (
    <>
      <RunSwitch link={(place) => linkTo(state, { view: props.view, run: place })} />
      {head.runs.map((own, place) => (
        <div key={own.name} class="run-panel stack loose" hidden={place !== run}>
          {head.runs.length < 2 ? null : <ShortText in="h2" class="only-print" text={own.name} />}
          {props.children(own, place)}
        </div>
      ))}
    </>
  );
}
