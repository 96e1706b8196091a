/**
 * Makes the traces and the recorded answers of this example from cases/ and answers-source/. In a checkout, after npm ci:
 *   node tools/runtime/run.js examples/stream/make/make-example.ts
 * With the word `windows` it writes nothing, and shows what the variants ask for, in the order in which they ask.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { configProvenance } from '../../../src/stream/concepts/extractor-provenance.ts';
import { datasetHashOf } from '../../../src/stream/dataset-hash.ts';
import { readTrace, traceFiles } from '../../../src/stream/read-trace.ts';
import { freeze } from '../../../src/stream/record/freeze.ts';
import { Recording } from '../../../src/stream/record/recording.ts';
import type { StreamModel } from '../../../src/stream/replay/model.ts';
import { readVariant, variantNames } from '../../../src/stream/replay/read-variant.ts';
import { replayCase } from '../../../src/stream/replay/replay-case.ts';
import { replayFolder } from '../../../src/stream/replay/replay-folder.ts';
import { caseEvents, type Event } from './case-events.ts';
import { readCaseScript } from './case-script.ts';
import { readWrittenAnswers, type WrittenAnswers } from './written-answers.ts';
import { writtenModel } from './written-model.ts';

const place = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** The case whose events ship too, to try `assay stream record` on. */
const WITH_EVENTS = 'case-03';

const variants = variantNames(null).map((name) => readVariant(name, null));

async function makeTraces(): Promise<void> {
  for (const folder of ['traces', 'events']) {
    rmSync(place(folder), { recursive: true, force: true });
    mkdirSync(place(folder));
  }
  for (const file of readdirSync(place('cases')).sort()) {
    const script = readCaseScript(readFileSync(place(`cases/${file}`), 'utf8'), file);
    const events = caseEvents(script);
    await record(script.id, events);
    if (script.id === WITH_EVENTS) writeFileSync(place(`events/${script.id}.events.jsonl`), eventLines(events));
  }
  await freeze({ folder: place('traces'), dataset: 'example', masRunId: null, force: false });
}

async function record(caseId: string, events: readonly Event[]): Promise<void> {
  const recording = new Recording({
    caseId,
    folder: place('traces'),
    masRunId: 'mas_example',
    model: 'written-by-hand',
    macCommit: null,
    arrival: false,
    gapMs: 20,
    startMs: 0,
    live: false,
    force: false,
    now: () => 0,
  });
  await recording.take(oneChunk(eventLines(events)), `the events of ${caseId}`, ({ message }) => {
    throw new Error(`${caseId}: ${message}`);
  });
  await recording.finish();
}

async function* oneChunk(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function eventLines(events: readonly Event[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** The variants that ship, as files to change. */
function copyVariants(): void {
  const shipped = fileURLToPath(new URL('../../../src/stream/variants/', import.meta.url));
  for (const { id } of variants) cpSync(join(shipped, `${id}.yaml`), place(`config/variants/${id}.yaml`));
}

const answers = new Map<string, WrittenAnswers>();

function answersTo(caseId: string): WrittenAnswers {
  const known = answers.get(caseId) ?? readWrittenAnswers(place(`answers-source/${caseId}.yaml`));
  answers.set(caseId, known);
  return known;
}

async function makeAnswers(): Promise<void> {
  const traces = traceFiles(place('traces'));
  const model = writtenModel(answersTo);
  rmSync(place('answers'), { recursive: true, force: true });
  const { stopFiles: _, ...provenance } = await configProvenance(place('config'), {});
  const setting = { model, datasetHash: (await datasetHashOf(traces)).hash, provenance };
  const totals = await replayFolder({ traces, variants, model, setting, out: place('answers') });
  for (const { variant, decisions, summaries } of totals)
    console.log(`${variant}: ${decisions} decisions, ${summaries} summaries`);
  for (const [caseId, written] of answers)
    for (const line of written.unused()) console.log(`${caseId}: nobody asked for ${line}`);
}

async function showWindows(): Promise<void> {
  const model = writtenModel(answersTo);
  const shown: StreamModel = {
    ...model,
    decide(request) {
      console.log(`\n? ${request.variant} ${request.index}: ${request.segment}`);
      return model.decide(request);
    },
    summarize(request) {
      console.log(
        `\n> ${request.variant} ${request.index}, ${request.startSeq}-${request.endSeq}: ${request.newBuffer}`,
      );
      return model.summarize(request);
    },
  };
  for (const file of traceFiles(place('traces'))) {
    const trace = await readTrace(file);
    console.log(`\n=== ${trace.meta.case_id}`);
    for (const variant of variants) await replayCase(trace, variant, shown);
  }
}

if (process.argv[2] === 'windows') await showWindows();
else {
  await makeTraces();
  copyVariants();
  await makeAnswers();
}
