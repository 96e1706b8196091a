import { useMemo } from 'preact/hooks';

import { figure } from '../../../../src/text/figures.ts';
import { readableName } from '../../relation.ts';
import { type CaseLine, lineKey } from './case-items.ts';
import { answerMarks, consultOf, type ConsultRun } from './consult-model.ts';
import { type Picking, Pill } from './picking.tsx';
import { MarkedText } from './marked-text.tsx';
import { VerdictChip, Words } from './words.tsx';

const CAPTIONS = ['parts', 'claims'] as const;

export function ConsultView(props: Picking & { readonly lines: readonly CaseLine[]; readonly marked: boolean }) {
  const consult = useMemo(() => consultOf(props.lines), [props.lines]);
  const marks = useMemo(() => (props.marked ? answerMarks(consult) : []), [consult, props.marked]);
  const { answer, language, classes, components, claims, ticks, readability } = consult;
  return (
    <>
      {classes.length === 0 ? null : (
        <section class="case-section stack">
          <h3>Class</h3>
          <ul role="list" class="class-list">
            {classes.map((line) => (
              <ClassLine key={lineKey(line)} {...props} line={line} />
            ))}
          </ul>
        </section>
      )}
      <section class="case-section stack">
        <h3>Answer</h3>
        {answer === null || answer === '' ? (
          <p class="hint">
            {answer === null ? 'There is no answer.' : 'The words of the answer are not in this report.'}
          </p>
        ) : (
          <MarkedText
            text={answer}
            marks={marks}
            captions={CAPTIONS}
            label="The answer, with the parts found in it above its lines and its claims below"
            selected={props.selected}
            stressed={props.stressed}
            onSelect={props.onSelect}
            language={language}
          />
        )}
        {readability.map((line) => (
          <Readability key={lineKey(line)} line={line} />
        ))}
      </section>
      {components.length === 0 ? null : (
        <section class="case-section stack">
          <h3>Parts of a good answer</h3>
          <ul role="list" class="pill-list flow">
            {components.map((line) => (
              <NotedPill key={lineKey(line)} {...props} line={line} note={line.predicted?.item.fields?.['found']} />
            ))}
          </ul>
        </section>
      )}
      {claims.length === 0 ? null : (
        <section class="case-section stack">
          <h3>Claims</h3>
          <ul role="list" class="claim-list">
            {claims.map((line) => (
              <Claim key={lineKey(line)} {...props} line={line} />
            ))}
          </ul>
        </section>
      )}
      {consult.ratings.length === 0 ? null : <Ratings {...props} consult={consult} />}
      {ticks.length === 0 ? null : (
        <section class="case-section stack">
          <h3>Ticks of the experts</h3>
          <ul role="list" class="pill-list flow">
            {ticks.map((line) => (
              <NotedPill
                key={lineKey(line)}
                {...props}
                line={line}
                note={tickWords(line.predicted?.item.fields?.['value'])}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function tickWords(value: unknown): string {
  return value === true ? 'yes' : value === false ? 'no' : typeof value === 'string' ? value : 'open';
}

type LineProps = Picking & { readonly line: CaseLine };

function ClassLine({ line, isSelected, onSelect }: LineProps) {
  const { record, gold, predicted } = line;
  const key = lineKey(line) ?? '';
  const label = (side: typeof gold) =>
    side === null ? <span class="hint">none</span> : <Words text={readableName(side.item.label)} most={80} />;
  return (
    <li>
      <button type="button" class="class-line" aria-pressed={isSelected(key)} onClick={() => onSelect(key)}>
        <VerdictChip verdict={record.verdict} />
        <span>
          <span class="hint">gold</span> <b>{label(gold)}</b>
        </span>
        <span>
          <span class="hint">answered</span> <b>{label(predicted)}</b>
        </span>
        {record.because === undefined ? null : <Words in="span" class="hint" text={record.because} most={160} />}
      </button>
    </li>
  );
}

function NotedPill(props: LineProps & { readonly note: unknown }) {
  const { line, note } = props;
  return (
    <Pill {...props} item={lineKey(line) ?? ''} verdict={line.record.verdict}>
      <Words text={readableName(line.record.label)} most={60} />
      {typeof note === 'string' && note !== '' ? <Words in="span" class="hint" text={note} most={40} /> : null}
    </Pill>
  );
}

function Claim({ line, isSelected, onSelect }: LineProps) {
  const { record, predicted } = line;
  const key = lineKey(line) ?? '';
  return (
    <li>
      <button
        type="button"
        class={`claim ${record.verdict}`}
        aria-pressed={isSelected(key)}
        onClick={() => onSelect(key)}
      >
        <VerdictChip verdict={record.verdict}>{readableName(record.label)}</VerdictChip>
        <span class="claim-words">
          <Words text={predicted?.item.text ?? ''} most={600} />
          {record.because === undefined ? null : <Words in="span" class="hint" text={record.because} most={300} />}
        </span>
      </button>
    </li>
  );
}

/** A row of dots for each person: the distance between people is seen before any figure is read. */
function Ratings(props: Picking & { readonly consult: ConsultRun }) {
  const { consult, isSelected, onSelect } = props;
  const { people, ratings, best } = consult;
  return (
    <section class="case-section stack">
      <h3>Ratings</h3>
      <div class="table-frame frame">
        <table class="ratings-table">
          <thead>
            <tr>
              <th scope="col">Asked</th>
              {people.map((person) => (
                <th key={person} scope="col">
                  <Words text={person} most={40} />
                </th>
              ))}
              <th scope="col">Mean</th>
            </tr>
          </thead>
          <tbody>
            {ratings.map((row) => (
              <tr key={`${row.question} ${row.dimension}`}>
                <th scope="row">
                  <Words text={readableName(row.dimension)} most={60} />
                  {row.question === row.dimension || row.question === '' ? null : (
                    <span class="hint">
                      {' '}
                      <Words text={readableName(row.question)} most={60} />
                    </span>
                  )}
                </th>
                {people.map((person) => {
                  const own = row.ratings.filter((rating) => rating.person === person);
                  return (
                    <td key={person} class={own.length === 0 ? 'absent muted' : ''}>
                      {own.length === 0
                        ? '–'
                        : own.map(({ key, value }) => (
                            <button
                              key={key}
                              type="button"
                              class="bare row-button"
                              aria-pressed={isSelected(key)}
                              onClick={() => onSelect(key)}
                            >
                              <Dots value={value} best={best} />
                            </button>
                          ))}
                    </td>
                  );
                })}
                <td class="count">
                  {figure(row.ratings.reduce((sum, { value }) => sum + value, 0) / row.ratings.length)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const MOST_DOTS = 10;

function Dots(props: { readonly value: number; readonly best: number }) {
  const { value, best } = props;
  if (best > MOST_DOTS) return <>{figure(value)}</>;
  const full = Math.min(best, Math.max(0, Math.round(value)));
  return (
    <>
      <span class="dots" aria-hidden="true">
        {'●'.repeat(full)}
        <span class="dots-empty">{'●'.repeat(best - full)}</span>
      </span>{' '}
      <span class="count">{Number.isInteger(value) ? value : figure(value)}</span>
    </>
  );
}

function Readability(props: { readonly line: CaseLine }) {
  const { predicted, record } = props.line;
  const facts = Object.entries(predicted?.item.fields ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [`${readableName(name)} ${Number.isInteger(value) ? value : figure(value)}`] : [],
  );
  return (
    <p class="hint">
      Readability: <Words text={facts.join(', ')} most={400} />
      {record.because === undefined ? null : (
        <>
          {'; '}
          <Words text={record.because} most={160} />
        </>
      )}
    </p>
  );
}
