import type { CaseDetail } from '../../../../src/report/html/report-data.ts';
import type { ItemCall } from '../../../../src/server/runs/live-data.ts';
import { count, plural, significant } from '../../../../src/text/figures.ts';
import { CopiedLines } from '../../copied-lines.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { useReport } from '../report-context.ts';
import { servedPaths } from '../served-path.ts';
import { runLetter } from './run-letter.ts';
import { Words } from './words.tsx';

/** Where `assay run` puts its scores: other runs have no calls to show. */
const OF_EXPERIMENT = /(?:^|\/)score(?:-\d+)?$/;
const NONE: readonly (ItemCall | null)[] = [];

/** What was sent to the model for this case and what came back, where a server shows the run of an experiment. */
export function CallSection(props: { readonly detail: CaseDetail }) {
  const { head, state } = useReport();
  const { result } = props.detail.runs.find((run) => run !== null) ?? {};
  const paths = /^https?:$/.test(location.protocol) ? servedPaths(location) : [];
  const query = new URLSearchParams(paths.map((path) => ['run', path]));
  query.append('case', result?.from ?? props.detail.case);
  const isAsked = paths.some((path) => OF_EXPERIMENT.test(path));
  const { state: loaded } = useLoaded(`${isAsked} ${query.toString()}`, () =>
    isAsked ? askCalls(query) : Promise.resolve(NONE),
  );
  if (loaded.kind !== 'ready') return null;
  const calls = state.swap ? loaded.value.toReversed() : loaded.value;
  if (calls.every((call) => call === null)) return null;
  return (
    <section class="case-section stack calls">
      <h3>Prompt and answer</h3>
      {calls.map((call, run) =>
        call === null ? null : (
          <div key={run} class="stack tight">
            {head.runs.length === 1 ? null : (
              <h4 class="run-name">
                <span class="tag-run">{runLetter(run)}</span> <Words text={head.runs[run]?.name ?? ''} most={80} />
              </h4>
            )}
            <Call call={call} />
          </div>
        ),
      )}
    </section>
  );
}

async function askCalls(query: URLSearchParams): Promise<readonly (ItemCall | null)[]> {
  const response = await fetch(`/live/calls?${query.toString()}`);
  const body: unknown = response.ok ? await response.json() : null;
  return areCalls(body) ? body : NONE;
}

/** The server is of the same release as the page. */
function areCalls(body: unknown): body is readonly (ItemCall | null)[] {
  return Array.isArray(body) && body.every((one) => one === null || (typeof one === 'object' && 'attempts' in one));
}

function Call(props: { readonly call: ItemCall }) {
  const { prompt, answer, failed, ...call } = props.call;
  return (
    <>
      <p class="hint">
        <Words text={factsOf(call).join(' · ')} most={1000} />
      </p>
      {failed === null ? null : (
        <p class="notice fault">
          {failed.kind}
          {failed.message === '' ? '' : ': '}
          <Words text={failed.message} />
        </p>
      )}
      {answer === null ? null : (
        <details open={failed !== null}>
          <summary>{answer.isRaw ? 'Raw answer' : 'Answer'}</summary>
          <CopiedLines text={answer.text} label="the answer" />
        </details>
      )}
      {prompt === null ? null : (
        <details>
          <summary>{prompt.isTemplate ? 'Prompt, as its template' : 'Prompt'}</summary>
          {prompt.turns.map(({ role, content }, at) => (
            <div key={at}>
              <Words in="h4" class="hint" text={role} most={40} />
              <CopiedLines text={content} label={`the ${role} message`} />
            </div>
          ))}
        </details>
      )}
    </>
  );
}

function factsOf(call: Omit<ItemCall, 'prompt' | 'answer' | 'failed'>): readonly string[] {
  const { model, target, inputTokens, outputTokens, cost, latencyMs, attempts, date } = call;
  return [
    model ?? target,
    ...(latencyMs === null ? [] : [durationText(latencyMs)]),
    ...(inputTokens === null ? [] : [`${count(inputTokens)} tokens in`]),
    ...(outputTokens === null ? [] : [`${count(outputTokens)} tokens out`]),
    ...(cost === null ? [] : [`cost ${significant(cost, 3)}`]),
    ...(attempts > 1 ? [plural(attempts, 'attempt')] : []),
    ...(call.isCached ? ['from the cache'] : []),
    ...(call.isBatched ? ['from a batch'] : []),
    ...(date === null ? [] : [new Date(date).toLocaleString()]),
  ].filter((fact) => fact !== '');
}

function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${significant(ms / 1000, 3)} s`;
}
