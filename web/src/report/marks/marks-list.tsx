import { useState } from 'preact/hooks';

import { shellWord } from '../../../../src/report/shell-word.ts';
import { plural } from '../../../../src/text/figures.ts';
import { CopiedLines } from '../../copied-lines.tsx';
import { Dialog } from '../../dialog.tsx';
import { PlainText } from '../../plain-text.tsx';
import { linkTo, useReport } from '../report-context.ts';
import { MarkWords } from './gold-mark.tsx';
import { useMarks } from './use-marks.ts';

/** How many marks the gold of the run has, and the list of them; nothing without a server, or without any. */
export function MarksList() {
  const { run, state } = useReport();
  const marks = useMarks(run);
  const [open, setOpen] = useState(false);
  if (marks === null || marks.review === null || (marks.marks.length === 0 && !open)) return null;
  const count = plural(marks.marks.length, 'gold mark');
  return (
    <>
      <button type="button" class="small" onClick={() => setOpen(true)}>
        {count}
      </button>
      {open ? (
        <Dialog title={`${count} of this run`} onClose={() => setOpen(false)} wide>
          <ul class="marks-list" role="list">
            {marks.marks.map((mark) => (
              <li key={`${mark.case} ${mark.item} ${mark.by}`}>
                <a
                  href={linkTo(state, { view: 'cases', case: mark.case, item: `${run}.${mark.item}` })}
                  onClick={() => setOpen(false)}
                >
                  <PlainText text={mark.case} />
                </a>{' '}
                <PlainText in="code" text={mark.was ?? ''} /> <PlainText text={mark.text} />
                <MarkWords mark={mark} marks={marks} />
              </li>
            ))}
          </ul>
          <p class="hint">They are kept as a review. Gold with these corrections:</p>
          <CopiedLines text={`assay review export ${shellWord(marks.review)} --gold gold.jsonl`} label="the command" />
        </Dialog>
      ) : null}
    </>
  );
}
