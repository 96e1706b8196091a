import { readFileSync } from 'node:fs';

import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';

import { configuredExtractor } from '../../src/stream/concepts/configured.ts';
import { settingsFromSpec } from '../../src/stream/concepts/extractor-from-spec.ts';
import { extractorKind } from '../../src/stream/concepts/extractor-settings.ts';
import {
  compareCodePoints,
  cutoffCount,
  statusOf,
  stopped,
  type StopReport,
  type StopRow,
} from '../../src/stream/concepts/stoplist.ts';
import { parseStopFile, readStopFiles, stopFilesIn, stoplistHash } from '../../src/stream/concepts/stoplist-files.ts';
import { pythonFloat, reportCsv, summaryLines } from '../../src/stream/concepts/stoplist-outputs.ts';
import { noReference, referencePath } from './reference-data.ts';

const text = (file: string): string => readFileSync(referencePath(`stream/configs/${file}`), 'utf8');

/** The rows of the published report, with the status left out: it is worked out again. */
function published(): { readonly rows: readonly (readonly string[])[]; readonly summary: readonly string[] } {
  const [table = '', summary = ''] = text('stoplist_df_report.csv').split('\n\n# SUMMARY');
  const rows = parse(`${table}\n`).slice(1);
  return { rows, summary: `# SUMMARY${summary}`.trimEnd().split('\n') };
}

function recomputed(): StopReport {
  const cutoff = cutoffCount(0.9, 40);
  const rows = published().rows.map(([concept, type, count]): StopRow => {
    const dfCount = Number(count);
    const own = { concept: concept!, dfCount, dfFraction: dfCount / 40, status: statusOf(dfCount, cutoff) };
    return { ...own, type: type === 'CUI' ? 'CUI' : 'SURFACE' };
  });
  return { cases: 40, threshold: 0.9, cutoff, rows, knowsSurfaces: true };
}

describe.skipIf(noReference)('the published extractor settings', () => {
  test('are understood as they are, and lead to the published lists', async () => {
    const { settings, folder, dfThreshold } = await settingsFromSpec(referencePath('stream/configs/extractor.yaml'));
    expect(extractorKind(settings)).toBe('scispacy');
    expect(dfThreshold).toBe(0.9);
    // With another extractor in scispaCy's place, the rest holds: thresholds, and the lists one folder up.
    const { identity } = await configuredExtractor({ ...settings, extractor: 'vocabulary' }, folder);
    expect(identity.settings).toMatchObject({ threshold: 0.7, maxK: 10, minEntityLength: 3 });
    const lists = await stopFilesIn(referencePath('stream/configs')).then(readStopFiles);
    expect([lists.concepts.size, lists.surfaces.size]).toEqual([129, 19]);
    expect(identity.stoplist).toBe(stoplistHash(lists));
  });
});

describe.skipIf(noReference)('the published stoplists', () => {
  test('status and share of all 11,357 rows follow from the counts', () => {
    const { rows } = published();
    expect(rows).toHaveLength(11_357);
    recomputed().rows.forEach((row, at) => {
      expect([pythonFloat(row.dfFraction), row.status], row.concept).toEqual(rows[at]!.slice(3));
    });
  });

  test('the lists follow from the report: 129 concepts and 19 surface forms', () => {
    const report = recomputed();
    const concepts = stopped(report, 'CUI').toSorted();
    const surfaces = stopped(report, 'SURFACE').toSorted();
    expect([concepts.length, surfaces.length]).toEqual([129, 19]);
    expect(concepts).toEqual(parseStopFile(text('stop_cuis.txt')));
    expect(surfaces).toEqual(parseStopFile(text('stop_entities.txt')));
  });

  test('the summary lines are the same', () => {
    expect(summaryLines(recomputed())).toEqual(published().summary);
  });

  test('the order is that of the report: most traces first, then by code point', () => {
    const { rows } = recomputed();
    const sorted = rows.toSorted((a, b) => b.dfCount - a.dfCount || compareCodePoints(a.concept, b.concept));
    expect(sorted.map(({ concept }) => concept)).toEqual(rows.map(({ concept }) => concept));
  });

  test('the file comes out byte for byte, but for the one surface that a spreadsheet would take for a formula', () => {
    const ours = reportCsv(recomputed());
    expect(ours.replace("\n'-i g m  syndrome,", '\n-i g m  syndrome,')).toBe(
      text('stoplist_df_report.csv').replace(/\n\n$/, '\n'),
    );
  });
});
