import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { PAIRED_KINDS } from '../../../../src/data/item.ts';
import type { CaseDetail } from '../../../../src/report/html/report-data.ts';
import { MARK_LABELS } from '../../../../src/review/corrections.ts';
import type { GoldMark as Mark } from '../../../../src/review/gold-marks.ts';
import { moveEdge, type Stretch } from '../../boundaries.ts';
import { BoundaryButtons, KindChoice } from '../../correct-item.tsx';
import { PlaceShown } from '../../place-shown.tsx';
import { PlainText } from '../../plain-text.tsx';
import { useKeys } from '../../use-keys.ts';
import type { CaseLine } from '../case/case-items.ts';
import './marks.css';
import { keepReviewerName, type Marks, marksOn, reviewerName, useMarks } from './use-marks.ts';

const TITLES: Readonly<Record<string, { readonly title: string }>> = { ...MARK_LABELS.gold, ...MARK_LABELS.missing };

/** What somebody said about the gold of a line, and a way to say it; nothing in a file, which has no server. */
export function GoldMark(props: { readonly line: CaseLine; readonly detail: CaseDetail; readonly hasText: boolean }) {
  const { line, detail } = props;
  const marks = useMarks(line.run);
  const [open, setOpen] = useState(false);
  const target = line.gold ?? line.predicted;
  const { kind } = line.record;
  const isMarkable = target !== null && target.item.index >= 0 && PAIRED_KINDS.some((known) => known === kind);
  useKeys(
    marks === null || !isMarkable ? [] : [{ keys: ['g'], does: 'mark the gold as wrong', run: () => setOpen(true) }],
  );
  if (marks === null || !isMarkable) return null;
  const item = `${target.side}.${kind}.${target.item.index}`;
  const made = marksOn(marks, detail.case, item);
  const own = made.find(isOwn) ?? null;
  return (
    <div class="gold-mark stack tight">
      {made.map((mark) => (
        <MarkWords key={mark.by} mark={mark} marks={marks} />
      ))}
      {open ? (
        <MarkForm {...props} item={item} marks={marks} own={own} onClose={() => setOpen(false)} />
      ) : (
        <button type="button" class="small" onClick={() => setOpen(true)}>
          {own !== null ? 'Change the mark…' : target.side === 'gold' ? 'Gold is wrong…' : 'Gold misses this…'}{' '}
          <kbd aria-hidden="true">g</kbd>
        </button>
      )}
    </div>
  );
}

function isOwn({ by }: Mark): boolean {
  return by.toLowerCase() === reviewerName().toLowerCase();
}

/** A mark in a line; the person who made it can take it back. */
export function MarkWords(props: { readonly mark: Mark; readonly marks: Marks }) {
  const { mark, marks } = props;
  const [fault, setFault] = useState<string | null>(null);
  const undo = async (): Promise<void> => setFault(await marks.save({ case: mark.case, item: mark.item, label: null }));
  return (
    <p class="mark-words flow">
      <b>{TITLES[mark.label ?? '']?.title ?? mark.label}</b>
      {mark.kind === null ? null : (
        <span>
          <s>
            <PlainText text={mark.was ?? ''} />
          </s>{' '}
          <PlainText in="code" text={mark.kind} />
        </span>
      )}
      {mark.words === null || mark.words === '' ? null : (
        <span>
          “<PlainText text={mark.words} />”
        </span>
      )}
      {mark.note === '' ? null : <PlainText class="muted" text={mark.note} />}
      <span class="hint">
        by <PlainText text={mark.by} />
      </span>
      {isOwn(mark) ? (
        <button type="button" class="quiet small" onClick={() => void undo()}>
          Undo
        </button>
      ) : null}
      {fault === null ? null : (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </p>
  );
}

function MarkForm(props: {
  readonly line: CaseLine;
  readonly detail: CaseDetail;
  readonly hasText: boolean;
  readonly item: string;
  readonly marks: Marks;
  /** What the person said before. */
  readonly own: Mark | null;
  readonly onClose: () => void;
}) {
  const { line, detail, item, marks, own } = props;
  const target = line.gold ?? line.predicted;
  const other = line.gold === null ? null : line.predicted;
  const labels = Object.entries(line.gold === null ? MARK_LABELS.missing : MARK_LABELS.gold);
  const group = useId();
  const [label, setLabel] = useState<string>(own?.label ?? labels[0]?.[0] ?? '');
  const [kind, setKind] = useState(own?.kind ?? target?.item.label ?? '');
  const [place, setPlace] = useState<Stretch | null>(own !== null && own.start >= 0 ? own : (target?.place ?? null));
  const [note, setNote] = useState(own?.note ?? '');
  const [name, setName] = useState(reviewerName());
  const [asksName] = useState(name === '');
  const [fault, setFault] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const text = props.hasText && line.record.kind !== 'relationship' ? detail.text : null;
  const mayRelabel = label === 'wrong_label' || label === 'missing';
  const mayMove = (label === 'wrong_boundary' || label === 'missing') && text !== null && place !== null;

  const choose = (chosen: string): void => {
    setLabel(chosen);
    // What the prediction has is the likeliest correction.
    if (chosen === 'wrong_label' && other !== null) setKind(other.item.label);
    if (chosen === 'wrong_boundary' && other?.place != null) setPlace(other.place);
  };
  const save = async (): Promise<void> => {
    keepReviewerName(name);
    const isMoved = mayMove && (place.start !== target?.place?.start || place.end !== target.place.end);
    const answer = await marks.save({
      case: detail.case,
      item,
      label,
      ...(mayRelabel && kind !== '' ? { kind } : {}),
      ...(isMoved ? { start: place.start, end: place.end } : {}),
      ...(note.trim() === '' ? {} : { note }),
    });
    if (answer === null) props.onClose();
    else setFault(answer);
  };
  return (
    <form
      class="mark-form stack card"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        props.onClose();
      }}
    >
      <fieldset class="stack tight">
        <legend class="medium">What is wrong with the gold?</legend>
        {labels.map(([value, { title }], at) => (
          <label key={value} class="flow">
            <input
              type="radio"
              name={group}
              value={value}
              checked={label === value}
              ref={at === 0 ? first : null}
              onChange={() => choose(value)}
            />
            {title}
          </label>
        ))}
      </fieldset>
      {mayRelabel ? <KindChoice key={kind} kind={kind} kinds={marks.kinds} mayType onChange={setKind} /> : null}
      {mayMove ? (
        <>
          <PlaceShown under={text} start={place.start} end={place.end} language={null} />
          <BoundaryButtons onMove={(edge, by, step) => setPlace(moveEdge(text, place, edge, by, step))} />
        </>
      ) : null}
      <label class="stack tight">
        <span class="muted fine">Comment</span>
        <input
          type="text"
          maxLength={2000}
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </label>
      {asksName ? (
        <label class="stack tight">
          <span class="muted fine">Your name, kept with your marks</span>
          <input
            type="text"
            required
            maxLength={80}
            autocomplete="name"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
      ) : null}
      {fault === null ? null : (
        <p class="notice fault" role="alert">
          {fault}
        </p>
      )}
      <p class="flow">
        <button type="submit" class="primary small">
          Mark
        </button>
        <button type="button" class="quiet small" onClick={props.onClose}>
          Cancel
        </button>
      </p>
    </form>
  );
}
