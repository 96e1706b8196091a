import type { MeasureValue } from '../../measure/results.ts';
import { count, counted, figure, isCount } from '../../text/figures.ts';
import { findingNotices } from '../audit.ts';
import { intervalText } from '../value-text.ts';
import { element, type Markup } from '../svg/markup.ts';
import type { ReportHead, RunView } from './report-data.ts';

/** The overall measures as plain HTML, for a browser that runs no script. */
export function plainSummary({ runs }: Pick<ReportHead, 'runs'>): string {
  return runs
    .flatMap(runParts)
    .map(({ markup }) => markup)
    .join('');
}

function runParts({ name, manifest, measures, notices, audit }: RunView): Markup[] {
  const overall = measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
  const head = ['measure', 'value', 'n', 'interval'].map((title) => element('th', {}, [title]));
  return [
    element('h1', {}, [`${name}: ${manifest.recipe.name}`]),
    element('p', {}, [
      `${counted(measures.cases.total, 'case')}. The cases, the figures and the audit need JavaScript.`,
    ]),
    ...[...(audit === null ? [] : findingNotices(audit)), ...notices].map((notice) => element('p', {}, [notice])),
    element('table', {}, [element('tr', {}, head), ...overall.map(measureRow)]),
  ];
}

function measureRow(measure: MeasureValue): Markup {
  const { name, value, n, undefined: reason } = measure;
  return element('tr', {}, [
    element('th', { scope: 'row' }, [name]),
    element('td', {}, [
      value === null ? `– (${reason ?? 'no reason given'})` : (isCount(measure, value) ? count : figure)(value),
    ]),
    element('td', {}, [count(n)]),
    element('td', {}, [intervalText(measure)]),
  ]);
}
