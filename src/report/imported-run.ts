import { count, plural, significant } from '../text/figures.ts';
import type { ImportedRun } from './import-log.ts';
import type { Document, Table } from './document.ts';

/** What was read of a log, what of it is only assumed, and whether its own numbers agree with its samples. */
export function importedDocument(imported: ImportedRun): Document {
  const { tool, version, task, model, run, notices, leftOut, assumed, folder } = imported;
  const { total, failed } = run.measures.cases;
  const of = [task === null ? null : `task ${task}`, model === null ? null : `model ${model}`].filter(
    (word) => word !== null,
  );
  const samples = `${plural(total, 'sample')}${failed === 0 ? '' : `, ${count(failed)} failed`}`;
  return {
    title: `Imported from ${[tool, version].filter((word) => word !== null).join(' ')}: ${folder}`,
    about: [...of, samples].join(', '),
    sections: [
      { blocks: [{ list: notices, mark: 'warning' }] },
      { title: 'Scores left out', blocks: [{ list: leftOut.map(([name, why]) => `${name}: ${why}`) }] },
      { blocks: [assumed.length === 0 ? null : { text: assumedText(assumed) }] },
      { title: 'Means that the log states', blocks: [reportedTable(imported)] },
    ],
  };
}

function assumedText(names: readonly string[]): string {
  return `The log does not say which way is better for ${names.join(', ')}: higher is assumed. --lower NAME turns it round.`;
}

function reportedTable({ reported }: ImportedRun): Table {
  return {
    columns: [
      { title: 'score', shrinks: true },
      { title: 'called', shrinks: true },
      { title: 'log', align: 'right' },
      { title: 'samples', align: 'right' },
      { title: '' },
    ],
    rows: reported.map(({ score, metric, slice, reported: stated, value, agrees }) => [
      [score, ...Object.values(slice)].join(' '),
      metric,
      significant(stated, 4),
      value === null ? 'none' : significant(value, 4),
      agrees ? 'agrees' : 'differs',
    ]),
  };
}
