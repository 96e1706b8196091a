import { useEffect, useRef } from 'preact/hooks';

import { count } from '../../../src/text/figures.ts';
import { taskTitle } from '../../../src/recipe/task-title.ts';
import { scoredText, tagTexts } from '../../../src/report/about.ts';
import type { ReportHead, RunView, Texts } from '../../../src/report/html/report-data.ts';
import { ShortText } from './short-text.tsx';
import { ThemeToggle } from '../theme-toggle.tsx';
import { casesText } from './cases-text.ts';
import { AllRuns } from './live-update.tsx';
import { MarksList } from './marks/marks-list.tsx';
import { acceptedFindings, openFindings } from './open-findings.ts';
import { linkTo, useReport } from './report-context.ts';
import { servedAbout } from './served-about.ts';
import { formatState, isList, type View, type ViewState } from './state.ts';

const TEXTS: Readonly<Record<Texts, string>> = {
  full: 'with texts',
  redacted: 'texts redacted',
  none: 'without texts',
};

const TITLES: Readonly<Record<View, string>> = {
  summary: 'Summary',
  cases: 'Cases',
  systems: 'By system',
  figures: 'Figures',
  audit: 'Audit',
  compare: 'Compare',
  recipe: 'Recipe',
};

export function Header(props: { readonly lastList: ViewState; readonly showKeys: () => void }) {
  const { head, state } = useReport();
  const [first] = head.runs;
  const recipe = recipeNames(head);
  const tabs = useRef<HTMLElement>(null);
  // If there is no room for all tabs, the open one is in view.
  useEffect(() => {
    const open = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    if (tabs.current !== null && open != null) tabs.current.scrollLeft = open.offsetLeft - tabs.current.offsetLeft - 48;
  }, [state.view]);
  return (
    <header class="report-head page-head">
      <div class="report-title">
        <AllRuns />
        <h1>
          {head.runs.map(({ name }, place) => (
            <span key={name}>
              {place === 0 ? '' : <span class="versus muted plain"> vs </span>}
              <ShortText text={name} />
            </span>
          ))}
        </h1>
        <ul class="facts hint" role="list">
          <ShortText in="li" text={taskTitle(first?.manifest.task ?? '')} />
          {recipe === first?.name ? null : <ShortText in="li" text={recipe} />}
          <li>{casesText(head)}</li>
          <li>{TEXTS[head.texts]}</li>
          {head.runs.length > 1 ? null : <Naming run={first} />}
          <Baseline />
        </ul>
        {head.runs.length > 1 || first?.naming?.note === undefined ? null : (
          <ShortText in="p" text={first.naming.note} />
        )}
      </div>
      <div class="tools">
        <MarksList />
        <ThemeToggle />
        <button type="button" class="quiet icon" aria-label="Keyboard" title="Keyboard (?)" onClick={props.showKeys}>
          <span aria-hidden="true">?</span>
        </button>
      </div>
      <nav class="tabs" aria-label="Views" ref={tabs}>
        {viewsOf(head).map((view) => (
          <a
            key={view}
            href={
              isList(view)
                ? formatState({ ...props.lastList, view, run: state.run, swap: state.swap })
                : linkTo(state, { view })
            }
            aria-current={view === state.view ? 'page' : undefined}
          >
            {TITLES[view]}
            {view === 'audit' ? <Badge head={head} /> : null}
          </a>
        ))}
      </nav>
    </header>
  );
}

/** The tags of a run and, where a server shows it, when it was scored. */
function Naming(props: { readonly run: RunView | undefined }) {
  const about = servedAbout();
  const scored = about === null ? '' : scoredText(about);
  return (
    <>
      {tagTexts(props.run?.naming?.tags ?? {}).map((tag) => (
        <ShortText key={tag} in="li" text={tag} />
      ))}
      {scored === '' ? null : <ShortText in="li" text={scored} />}
    </>
  );
}

/** What the others are compared with; of two runs either can be it. */
function Baseline() {
  const { head, state } = useReport();
  const [baseline] = head.runs;
  if (baseline === undefined || head.runs.length === 1) return null;
  const run = state.run === null ? null : 1 - state.run;
  return (
    <li>
      baseline <ShortText text={baseline.name} />
      {head.runs.length > 2 ? null : (
        <a class="swap" href={formatState({ ...state, run, item: null, swap: !state.swap })}>
          <span aria-hidden="true">⇄ </span>swap
        </a>
      )}
    </li>
  );
}

/** The first is the one that a report opens on. */
export function viewsOf(head: ReportHead): readonly View[] {
  const several = head.runs.length > 1;
  return several
    ? ['compare', 'summary', 'cases', 'systems', 'figures', 'audit', 'recipe']
    : ['summary', 'cases', 'figures', 'audit', 'recipe'];
}

function Badge(props: { readonly head: ReportHead }) {
  const findings = props.head.runs.flatMap(({ audit }) => openFindings(audit));
  const accepted = props.head.runs.flatMap(({ audit }) => acceptedFindings(audit)).length;
  if (findings.length === 0) return null;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const words = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(findings.length > errors
      ? [`${findings.length - errors} ${findings.length - errors === 1 ? 'warning' : 'warnings'}`]
      : []),
  ].join(', ');
  return (
    <span
      class={errors > 0 ? 'badge error' : 'badge warning'}
      title={accepted === 0 ? words : `${words}; ${count(accepted)} more accepted in the recipe`}
    >
      {findings.length}
      <span class="unseen"> open: {words}</span>
    </span>
  );
}

function recipeNames(head: ReportHead): string {
  return [...new Set(head.runs.map(({ manifest }) => manifest.recipe.name))].join(', ');
}
