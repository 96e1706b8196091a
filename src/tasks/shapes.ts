import { z } from 'zod';

import { comparisonShape } from '../compare/comparison.ts';
import { caseShape } from '../measure/results.ts';
import { ledgerLine } from '../score/ledger.ts';
import { manifestFile, measuresFile } from '../score/run.ts';
import { manifestRecord } from '../stream/manifest-records.ts';
import { aggregateMetricsRecord, caseMetricsRecord } from '../stream/measure/metric-records.ts';
import { streamEvent } from '../stream/record/stream-event.ts';
import { runLogRecord } from '../stream/run-log-records.ts';
import { traceRecord } from '../stream/trace-records.ts';

/** The shapes of records that Assay reads, for `assay schema` and for those who write such files. Extra fields are welcome. */

const polarity = z.enum(['present', 'absent', 'uncertain']);
const bucket = z.enum(['low', 'medium', 'high', 'unknown']);
const caseId = z.union([z.string().min(1), z.number()]);

const journalCase = z.looseObject({
  journal_id: caseId,
  text: z.string(),
  created_at: z.string().optional(),
  lang_hint: z.string().optional(),
});

const journalItems = z.looseObject({
  journal_id: caseId,
  items: z.array(
    z.looseObject({
      domain: z.enum(['symptom', 'food', 'emotion', 'mind']),
      evidence_span: z.string().meta({ description: 'verbatim quote from the entry' }),
      polarity,
      time_bucket: z.enum(['today', 'last_night', 'past_week', 'unknown']).optional(),
      intensity_bucket: bucket.optional().meta({ description: 'symptom, food, mind' }),
      arousal_bucket: bucket.optional().meta({ description: 'emotion' }),
    }),
  ),
});

const span = z.looseObject({
  start: z.int().min(0),
  end: z.int().min(1).meta({ description: 'exclusive' }),
  label: z.string().min(1),
  text: z.string().optional().meta({ description: 'must be the slice of the text' }),
});

const spans = z.looseObject({
  id: caseId,
  text: z.string().optional(),
  spans: z.array(span).optional(),
  gold: z.array(span).optional(),
  predicted: z.array(span).optional(),
});

const annotatedDocument = z
  .looseObject({
    doc_id: caseId,
    text: z.string(),
    annotations: z.array(
      z.looseObject({
        annotator: z.string().optional(),
        span_text: z.string().optional(),
        start_offset: z.int().min(0),
        end_offset: z.int().min(1),
        entity_type: z.string().min(1),
        identifier_type: z.string().optional(),
        entity_id: z.string().optional(),
      }),
    ),
  })
  .meta({ description: 'a system’s spans are in <system>_detected_pii: [{label, text, start, end, score?}]' });

const graphItem = z.looseObject({
  id: caseId,
  input: z.looseObject({ document_text: z.string().optional() }).optional(),
  expected_output: z.looseObject({
    entities: z.array(
      z.looseObject({
        name: z.string(),
        type: z.string().optional(),
        acceptable_types: z.array(z.string()).optional(),
      }),
    ),
    relationships: z.array(
      z.looseObject({ source_name: z.string(), target_name: z.string(), relationship_type: z.string() }),
    ),
  }),
  metadata: z.looseObject({}).optional(),
});

const graphOutput = z.looseObject({
  id: caseId,
  output: z
    .looseObject({
      entities: z.array(
        z.looseObject({ temp_id: z.string().optional(), name: z.string(), type: z.string().optional() }),
      ),
      relationships: z.array(z.looseObject({ source_ref: z.string(), target_ref: z.string(), type: z.string() })),
    })
    .optional(),
  error: z.string().optional().meta({ description: 'why there is no output: the item counts as failed' }),
});

const plainValue = z.union([z.string(), z.number(), z.boolean()]);

const consultCase = z
  .looseObject({
    id: caseId,
    scenario: z.string().min(1).meta({ description: 'what the person wrote' }),
    ground_truth_prakriti: z
      .string()
      .optional()
      .meta({ description: 'the given class; Unknown and Multiple leave the denominator' }),
  })
  .meta({ description: 'a row of a CSV file, or a JSON record; every other column can group cases' });

const consultAnswer = z
  .looseObject({
    case_id: caseId,
    response: z.string().optional().meta({ description: 'the words of the answer' }),
    predicted_prakriti: z.string().nullish().meta({ description: 'else the class is read from the answer' }),
    language: z.string().nullish().meta({ description: 'such as hi; without it the first of consult.languages' }),
    retrieved_context: z
      .union([z.string(), z.array(z.union([z.string(), z.looseObject({ text: z.string() })]))])
      .nullish()
      .meta({ description: 'passages that were retrieved: shown beside the claims' }),
    sources: z.array(z.unknown()).nullish(),
    processing_time: z.number().nullish().meta({ description: 'seconds' }),
    error: z.string().optional().meta({ description: 'why there is no answer: the case counts as failed' }),
  })
  .meta({ description: 'one record for each case and language' });

const reviewLine = z.looseObject({
  case_id: caseId,
  system: z.string().nullish().meta({ description: 'whose answer; none for what is asked of the case' }),
  language: z.string().nullish(),
  reviewer: z.string().min(1),
  role: z.enum(['reviewer', 'adjudicator']).default('reviewer'),
  field: z.string().min(1).meta({ description: 'a question of the form' }),
  part: z
    .union([z.string(), z.number()])
    .nullish()
    .meta({ description: 'the dimension of a scale, the item of a checklist, the place start-end of a claim' }),
  value: plainValue.meta({ description: 'a rating, a class, a tick (na where it does not apply), a label, a comment' }),
  text: z.string().nullish().meta({ description: 'the words of a claim or span' }),
  because: z.string().nullish().meta({ description: 'why an adjudicator decided so' }),
  at: z.string().nullish().meta({ description: 'ISO time' }),
});

export const INPUT_SHAPES: Readonly<Record<string, { readonly about: string; readonly schema: z.ZodType }>> = {
  'journal-case': { about: 'a diary entry (journals.jsonl)', schema: journalCase },
  'journal-items': { about: 'objects of an entry, gold or predicted', schema: journalItems },
  spans: { about: 'labelled spans of a case, one side or both', schema: spans },
  'annotated-document': { about: 'a document with annotations and a system’s detections', schema: annotatedDocument },
  'graph-item': { about: 'a dataset item with expected entities and relationships', schema: graphItem },
  'graph-output': { about: 'what a pipeline extracted for an item', schema: graphOutput },
  'consult-case': { about: 'a consultation: what a person wrote, and the class that is given', schema: consultCase },
  'consult-answer': { about: 'what an advisory system answered', schema: consultAnswer },
  'review-line': { about: 'one person’s answer about one thing: reviews as they leave and enter', schema: reviewLine },
  trace: { about: 'a record of a trace: a recorded conversation, delta by delta', schema: traceRecord },
  'run-log': { about: 'a record of a run log: what middleware did with a trace', schema: runLogRecord },
  'stream-manifest': { about: 'a record of a manifest: a frozen set of traces', schema: manifestRecord },
  'stream-event': { about: 'an event of a running conversation, for assay stream record', schema: streamEvent },
};

/** The shapes of what is written. */
export const OUTPUT_SHAPES: Readonly<Record<string, { readonly about: string; readonly schema: z.ZodType }>> = {
  ledger: { about: 'one line of ledger.jsonl: a verdict', schema: ledgerLine },
  cases: { about: 'one line of cases.jsonl: a case’s counts and measures', schema: caseShape },
  measures: { about: 'measures.json', schema: measuresFile },
  manifest: { about: 'manifest.json', schema: manifestFile },
  comparison: { about: 'what compare --json prints', schema: comparisonShape },
  'stream-case-metrics': { about: 'one line of per_case.metrics.jsonl of stream measure', schema: caseMetricsRecord },
  'stream-metrics': { about: 'aggregate.metrics.json of stream measure', schema: aggregateMetricsRecord },
};
