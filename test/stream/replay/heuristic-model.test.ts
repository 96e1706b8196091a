import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  clinicalWords,
  topicWords,
  heuristicModel,
  isAlert,
  sentencesOf,
} from '../../../src/stream/replay/heuristic-model.ts';
import { tooLong } from '../../../src/stream/replay/summary-answer.ts';
import { SUMMARY_FIELDS } from '../../../src/stream/run-log-records.ts';
import { decisionRequest, summaryRequest } from './requests.ts';

const THOUGHT =
  'The patient has had fever, cough and weight loss for three weeks after a stay in the tropics. ' +
  'This suggests tuberculosis, which is the most likely diagnosis because of the night sweats. ' +
  'A lymphoma remains possible, but the blood count is normal. ' +
  'I recommend a sputum culture and a chest scan before any treatment is started.';
const SEGMENT = `doctor0:\n${THOUGHT}`;

const model = heuristicModel();

describe('the stand-in', () => {
  it('says that it is one', () => {
    expect([model.id, model.kind]).toEqual(['heuristic-1', 'heuristic']);
    expect(model.note).toContain('not by a language model');
    expect(model.note).toContain('say nothing about a model');
  });

  it('measures no latency and has no tokens of a provider', async () => {
    for (const answer of [await model.decide(decisionRequest()), await model.summarize(summaryRequest())]) {
      expect(answer.latency_ms).toBeUndefined();
      expect(answer.llm_usage).toMatchObject({
        provider_prompt_tokens: null,
        provider_completion_tokens: null,
        model_id: 'heuristic-1',
      });
      expect(answer.llm_usage.prompt_ctu).toBeGreaterThan(100);
      expect(answer.llm_usage.completion_ctu).toBeGreaterThan(10);
    }
  });
});

describe('a decision of the stand-in', () => {
  it('is to summarise a whole, clinical, new thought', async () => {
    expect(await model.decide(decisionRequest({ segment: SEGMENT }))).toMatchObject({
      decision: 'summarize',
      filter_results: { completeness_passed: true, value_passed: true, novelty_passed: true },
    });
  });

  it('waits for the end of a sentence, unless much has gathered', async () => {
    const open = `${SEGMENT} And then`;
    expect(await model.decide(decisionRequest({ segment: open }))).toMatchObject({
      decision: 'buffer',
      filter_results: { completeness_passed: false },
    });
    const context = `doctor0:\n${'More was said of it. '.repeat(30)}`;
    expect(await model.decide(decisionRequest({ context, segment: open }))).toMatchObject({
      filter_results: { completeness_passed: true },
    });
  });

  it('waits for more than a few words', async () => {
    expect(await model.decide(decisionRequest({ segment: 'doctor0:\nFever, cough.' }))).toMatchObject({
      filter_results: { completeness_passed: false },
    });
  });

  it('lets talk without clinical words pass', async () => {
    const talk = `supervisor:\n${'Thank you all, let us hear what the others think of this now. '.repeat(5)}`;
    expect(await model.decide(decisionRequest({ segment: talk }))).toMatchObject({
      decision: 'buffer',
      filter_results: { value_passed: false },
    });
  });

  it('holds back what the summaries say already, unless novelty is left out', async () => {
    const { summary_content: content } = await model.summarize(summaryRequest({ newBuffer: SEGMENT }));
    const all = { ...content, key_findings: THOUGHT };
    expect(await model.decide(decisionRequest({ segment: SEGMENT, history: [all] }))).toMatchObject({
      decision: 'buffer',
      filter_results: { novelty_passed: false },
    });
    expect(await model.decide(decisionRequest({ segment: SEGMENT, history: [all], novelty: false }))).toMatchObject({
      decision: 'summarize',
      filter_results: { novelty_passed: null },
    });
  });

  it('does not wait at an alert', async () => {
    const alert = 'nurse:\nShe is unresponsive';
    expect(await model.decide(decisionRequest({ segment: alert }))).toMatchObject({
      decision: 'summarize',
      filter_results: { completeness_passed: false },
    });
  });
});

describe('a summary of the stand-in', () => {
  it('puts sentences of the text where their words point', async () => {
    const { summary_content: content } = await model.summarize(summaryRequest({ newBuffer: SEGMENT }));
    expect(content.differential_rationale).toMatch(/^This suggests tuberculosis, which is the most likely/);
    expect(content.recommendation_next_step).toMatch(/^I recommend a sputum culture/);
    expect(content.key_findings).toMatch(/^The patient has had fever, cough and weight loss/);
    expect(content.uncertainty_confidence).toMatch(/^A lymphoma remains possible/);
    expect(content.agent_contributions).toBe('doctor0: 4 sentences');
  });

  it('says what is not there', async () => {
    const { summary_content: content } = await model.summarize(
      summaryRequest({ newBuffer: 'doctor0:\nGood morning.' }),
    );
    expect(content).toEqual({
      status_action: 'doctor0: Good morning.',
      key_findings: 'Not stated.',
      differential_rationale: 'Not stated.',
      uncertainty_confidence: 'Not stated.',
      recommendation_next_step: 'Not stated.',
      agent_contributions: 'doctor0: 1 sentence',
    });
  });

  it('is shorter than its text, and never longer than the limits, whatever the text is', async () => {
    const twice = `${SEGMENT} ${THOUGHT}`;
    const { summary_content: content } = await model.summarize(summaryRequest({ newBuffer: twice }));
    const said = SUMMARY_FIELDS.slice(0, 5).map((field) => content[field].length);
    expect(said.reduce((a, b) => a + b)).toBeLessThanOrEqual(twice.length / 2);
    const words = fc.constantFrom(
      'should',
      'fever',
      'likely',
      'may',
      'the',
      '.',
      '!',
      '\n',
      'a:',
      '**',
      '🍵',
      ' ',
      '1. ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 300 }), async (parts) => {
        const answer = await model.summarize(summaryRequest({ newBuffer: parts.join(' ') }));
        expect(tooLong(answer.summary_content)).toEqual([]);
        expect(answer).toMatchObject({ schema_ok: true, limits_ok: true, failure_mode: null });
      }),
      { seed: 4, numRuns: 100 },
    );
  });
});

describe('the words of the stand-in', () => {
  it('tells content words from the others', () => {
    expect([...topicWords('The cough is a sign of the Cough, not of TB')]).toEqual(['cough', 'sign']);
  });

  it('knows clinical words by list and by ending', () => {
    expect(clinicalWords('Bronchitis, leukocytosis and fever in the program of my aroma')).toBe(3);
  });

  it.each([
    ['The patient is in septic shock.', true],
    ['There is no sign of septic shock.', false],
    ['Septic shock could follow.', false],
    ['A history of cardiac arrest is known.', false],
    ['He is well.', false],
  ])('an alert in %j: %s', (sentence, expected) => {
    expect(isAlert(sentence)).toBe(expected);
  });

  it('finds sentences and who said them, without Markdown and headings', () => {
    const text = [
      'doctor0:',
      '### Most likely diagnosis',
      '1. **Tuberculosis (TB)**: seen by Dr. Smith. It is common!',
      '',
      'Assessment:',
      'doctor1:',
      '- Agreed, e.g. after 3.5 weeks',
    ].join('\n');
    expect(sentencesOf(text)).toEqual([
      { agent: 'doctor0', text: 'Tuberculosis (TB): seen by Dr. Smith.' },
      { agent: 'doctor0', text: 'It is common!' },
      { agent: 'doctor0', text: 'Assessment:' },
      { agent: 'doctor1', text: 'Agreed, e.g. after 3.5 weeks' },
    ]);
  });
});
