import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { InputError } from '../../src/data/problems.ts';
import { memorySource } from '../../src/data/source.ts';
import { reviewSection } from '../../src/recipe/review-section.ts';
import { readReviewLines } from '../../src/review/read-review-lines.ts';
import { lineForm, type ReviewLineOptions } from '../../src/review/review-line-layout.ts';
import { type ReviewLine, writeReviewLines } from '../../src/review/review-lines.ts';
import { FORM } from './sheets/sheet-review.ts';

function read(text: string | Uint8Array, options: ReviewLineOptions = {}): Promise<ReviewLine[]> {
  return readReviewLines([memorySource('r.csv', text)], options);
}

async function refused(text: string, options: ReviewLineOptions = {}): Promise<string[]> {
  const error: unknown = await read(text, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  return error instanceof InputError ? error.message.split('\n') : [];
}

function line(own: Partial<ReviewLine>): ReviewLine {
  return {
    case_id: 'C1',
    system: null,
    language: null,
    reviewer: 'asha',
    role: 'reviewer',
    field: 'f',
    part: null,
    value: 1,
    text: null,
    because: null,
    at: null,
    ...own,
  };
}

/** What a CSV file makes of NUL, which no program survives in one. */
function withoutNul(one: ReviewLine): ReviewLine {
  return JSON.parse(JSON.stringify(one).replaceAll(String.raw`\u0000`, '\ufffd')) as ReviewLine;
}

const LONG = [
  line({ system: 'rag', language: 'hi', field: 'treatment_relevance', part: 'safety', value: 4 }),
  line({ reviewer: 'dev', role: 'adjudicator', field: 'prakriti', value: 'vata', because: 'two of three' }),
  line({ field: 'components', part: 'diet', value: true, at: '2026-03-04T05:06:07.000Z' }),
  line({ field: 'claims', part: '0-14', value: 'grounded', text: '=Eat; "warm",\nfood 🍵' }),
];

describe('long review lines', () => {
  it.each(['csv', 'jsonl'] as const)('come back as they were written: %s', async (format) => {
    expect(await read(writeReviewLines(LONG, format))).toEqual(LONG);
  });

  it('are written safely and always in the same order', () => {
    const csv = writeReviewLines(LONG, 'csv');
    expect(csv.slice(0, 80)).toBe(
      '\ufeffcase_id,system,language,reviewer,role,field,part,value,text,because,at\r\nC1,rag,',
    );
    expect(csv).toContain(`"'=Eat; ""warm"",\nfood 🍵"`);
    expect(writeReviewLines([line({})], 'jsonl')).toBe(
      '{"case_id":"C1","system":null,"language":null,"reviewer":"asha","role":"reviewer","field":"f","part":null,"value":1,"text":null,"because":null,"at":null}\n',
    );
    expect(writeReviewLines([], 'jsonl')).toBe('');
  });

  it('come back whatever is in them', async () => {
    const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map((text) => `a${text}z`);
    const kept = fc.option(
      fc.string({ unit: 'binary', maxLength: 12 }).map((text) => (text.trim() === '' ? null : text)),
    );
    const any = fc.record<ReviewLine>({
      case_id: word,
      system: fc.option(word),
      language: fc.option(word),
      reviewer: word,
      role: fc.constantFrom('reviewer', 'adjudicator'),
      field: word,
      part: fc.option(word),
      value: fc.oneof(word, fc.integer(), fc.boolean()),
      text: kept,
      because: kept,
      at: fc.constant(null),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 4 }), async (lines) => {
        const own = lines.map((one, at) => ({ ...one, case_id: `${at}${one.case_id}` }));
        expect(await read(writeReviewLines(own, 'csv'))).toEqual(own.map(withoutNul));
        expect(await read(writeReviewLines(own, 'jsonl'))).toEqual(own);
      }),
      { numRuns: 100, seed: 6 },
    );
  });

  const SHORT = 'Case;Rater;Question;Dimension;Rating;claim text\nC1;asha;tr;safety;4;\nC1;bram;tr;safety; 3,0 ;x\n';
  const EXPECTED = [
    line({ field: 'tr', part: 'safety', value: 4 }),
    line({ reviewer: 'bram', field: 'tr', part: 'safety', value: 3, text: 'x' }),
  ];

  it.each([
    ['semicolons and other names', SHORT],
    ['tabs and a mark', `\ufeff${SHORT.replaceAll(';', '\t')}`],
    ['UTF-16', Buffer.from(`\ufeff${SHORT}`, 'utf16le')],
    ['gzip', gzipSync(SHORT)],
    ['sep= and CR LF', `sep=;\r\n${SHORT.replaceAll('\n', '\r\n')};;;;;\r\n`],
    [
      'a JSON array',
      '[{"id":"C1","expert":"asha","measure":"tr","part":"safety","score":4},\n {"id":"C1","expert":"bram","measure":"tr","part":"safety","score":3,"text":"x"}]',
    ],
  ])('are read with %s', async (_, text) => {
    expect(await read(text)).toEqual(EXPECTED);
  });

  it('have numbers and ticks where a table has them; JSON means what it says', async () => {
    const csv = 'case_id,reviewer,field,value\n1,a,f,TRUE\n2,a,f,false\n3,a,f,4.5\n4,a,f, vata \n5,a,f,007\n6,a,f,na\n';
    expect((await read(csv)).map(({ value }) => value)).toEqual([true, false, 4.5, 'vata', '007', 'na']);
    const json = '{"case":1,"reviewer":"a","field":"f","value":"4"}\n{"case":2,"reviewer":"a","field":"f","value":4}\n';
    expect((await read(json)).map(({ case_id, value }) => [case_id, value])).toEqual([
      ['1', '4'],
      ['2', 4],
    ]);
  });

  it('leave out what is not answered, and the same answer twice', async () => {
    const csv = 'case_id,reviewer,field,value\n1,a,f,\n2,a,f,N/A\n3,a,f,4\n3,a,f,4\n';
    expect((await read(csv)).map(({ case_id }) => case_id)).toEqual(['3']);
  });

  it('may be of one question that the caller names', async () => {
    expect(await read('case_id,expert,label\nC1,asha,vata\n', { classField: 'prakriti' })).toEqual([
      line({ field: 'prakriti', value: 'vata' }),
    ]);
  });

  it('are refused with all that is wrong in all files at once', async () => {
    const one =
      'case_id,reviewer,field,part,value,role\n,a,f,,4,\nC1,,f,,4,\nC1,a,,,4,\nC1,a,f,Dec-40,4,\nC1,a,f,,4,model\nC2,a,f,,4,\nC2,a,f,,5,\n';
    const two = '{"case_id":"C1","reviewer":"a","field":"f","value":[4]}\n{"case_id"\n';
    const error: unknown = await readReviewLines([memorySource('1.csv', one), memorySource('2.jsonl', two)]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error instanceof InputError ? error.message.split('\n') : error).toEqual([
      '1.csv:2: case_id: expected the id of a case, found nothing',
      '1.csv:3: reviewer: expected the name of a reviewer, found nothing',
      '1.csv:4: field: expected the name of a question, found nothing',
      '1.csv:5: part: found "Dec-40", which looks like a date that a spreadsheet made of a place such as 1-12 (take the file as it was exported, or JSONL, which spreadsheets leave alone)',
      '1.csv:6: role: expected reviewer or adjudicator, found "model" (a model’s answers never count among people’s: leave its lines out)',
      '1.csv:8: value: the same question was given another answer before (1.csv, line 7) (keep one of them)',
      '2.jsonl:1: value: expected a text, a number, true or false, found a list of 1',
      expect.stringMatching(/^2\.jsonl:2: the JSON is cut off/),
    ]);
  });
});

describe('a table with a column for each expert', () => {
  it('gives a line for each class', async () => {
    const csv = 'case_id,expert_1,expert_2,expert_3\nC1,vata,Vata-Pitta,\nC2,kapha,kapha,n/a\n';
    expect(await read(csv, { classField: 'prakriti' })).toEqual([
      line({ reviewer: 'expert_1', field: 'prakriti', value: 'vata' }),
      line({ reviewer: 'expert_2', field: 'prakriti', value: 'Vata-Pitta' }),
      line({ case_id: 'C2', reviewer: 'expert_1', field: 'prakriti', value: 'kapha' }),
      line({ case_id: 'C2', reviewer: 'expert_2', field: 'prakriti', value: 'kapha' }),
    ]);
  });

  it('may call them by any name, and does not take the gold label for one', async () => {
    const csv = 'id;scenario;ground_truth_prakriti;Asha Rao;Bram\nC1;a story;pitta;vata;vata\n';
    expect((await read(csv, { classField: 'prakriti' })).map(({ reviewer }) => reviewer)).toEqual(['Asha Rao', 'Bram']);
    const numbered = 'id,rater_a,rater_b,agreed\nC1,vata,vata,vata\n';
    expect((await read(numbered, { classField: 'prakriti' })).map(({ reviewer }) => reviewer)).toEqual([
      'rater_a',
      'rater_b',
    ]);
  });

  it('is refused where nobody says what they were asked', async () => {
    expect(await refused('case_id,expert_1,expert_2\nC1,vata,vata\n')).toEqual([
      'r.csv:1: header: there is a column for each expert ("expert_1", "expert_2"), but not what they were asked (add the columns reviewer, field and value instead)',
    ]);
  });
});

describe('a table with a column for each question', () => {
  it('splits names at their first dot', async () => {
    const csv =
      'case_id,system,reviewer,treatment_relevance.safety,safety,a.b.c,comment,text\nC1,rag,asha,4,,yes,fine,story\nC1,rag,bram,,2,,,story\n';
    const shared = { system: 'rag' };
    expect(await read(csv)).toEqual([
      line({ ...shared, field: 'treatment_relevance', part: 'safety', value: 4 }),
      line({ ...shared, field: 'a', part: 'b.c', value: 'yes' }),
      line({ ...shared, field: 'comment', value: 'fine' }),
      line({ ...shared, reviewer: 'bram', field: 'safety', value: 2 }),
    ]);
  });
});

describe('what is no table of reviews', () => {
  it.each([
    ['', 'r.csv: the file is empty, expected a header and rows below it'],
    ['a,b\n1,2\n', 'r.csv:1: header: expected a column case_id, found only "a", "b"'],
    ['reviewer,item,f,as_written\na,i1,4,\n', 'this is a sheet of a review, not its answers'],
    ['case_id,tr.safety\nC1,4\n', 'there is no column reviewer: who gave these answers?'],
    ['case_id,reviewer\nC1,a\n', 'there is no column with answers'],
    ['[]', 'no review was found in this file'],
    ['[1]', 'expected a JSON object, found 1'],
  ])('is refused: %j', async (text, message) => {
    expect((await refused(text)).join()).toContain(message);
  });

  it('never harms by the names of its columns', async () => {
    const lines = await read('case_id,reviewer,__proto__,constructor.toString\nC1,a,1,2\n');
    expect(lines.map(({ field, part }) => [field, part])).toEqual([
      ['__proto__', null],
      ['constructor', 'toString'],
    ]);
  });
});

const form = lineForm(FORM);

async function values(csv: string): Promise<unknown[]> {
  const lines = await readReviewLines([memorySource('r.csv', csv)], { form, classField: 'prakriti' });
  return lines.map(({ field, part, value }) => [field, part, value]);
}

async function refusedByForm(csv: string): Promise<string[]> {
  const error: unknown = await values(csv).catch((thrown: unknown) => thrown);
  return error instanceof InputError ? error.message.split('\n') : [];
}

describe('review lines read by a form', () => {
  it('have the values of the form', async () => {
    expect(
      await values(
        [
          'case_id,reviewer,field,part,value',
          '1,a,prakriti,,Pitta-Vata',
          '1,a,treatment_relevance,safety,"4,0"',
          '1,a,components,diet,x',
          '1,a,components,herbs,n/a',
          '1,a,claims,0-14,Not a claim',
          '1,a,comment,,4',
          '1,b,comment,,TRUE',
          '2,a,prakriti,,N/A',
        ].join('\n'),
      ),
    ).toEqual([
      ['prakriti', null, 'vata-pitta'],
      ['treatment_relevance', 'safety', 4],
      ['components', 'diet', true],
      ['components', 'herbs', 'na'],
      ['claims', '0-14', 'none'],
      ['comment', null, '4'],
      ['comment', null, 'TRUE'],
    ]);
  });

  it('keep a class that looks like a number as text', async () => {
    const classes = reviewSection.parse({
      show: [{ field: 'text', title: 'Text' }],
      fields: { kind: { type: 'choice', title: 'Which?', options: { 1: 'One', 2: 'Two' } } },
    });
    const csv = 'case_id,expert_1,expert_2\nC1,1,two\n';
    const lines = await readReviewLines([memorySource('r.csv', csv)], { form: lineForm(classes), classField: 'kind' });
    expect(lines.map(({ value }) => value)).toEqual(['1', '2']);
  });

  it('find the question of a column, also by its part alone', async () => {
    expect(
      await values('case_id,reviewer,Treatment_Relevance.Safety,efficacy,diet,prakriti\n1,a,4,5,no,vata\n'),
    ).toEqual([
      ['treatment_relevance', 'safety', 4],
      ['treatment_relevance', 'efficacy', 5],
      ['components', 'diet', false],
      ['prakriti', null, 'vata'],
    ]);
  });

  it('name what the form does not know', async () => {
    expect(await refusedByForm('case_id,reviewer,treatment_relevance.safty,comment\n1,a,4,x\n')).toEqual([
      'r.csv:1: column treatment_relevance.safty: the form has no question "treatment_relevance.safty" (did you mean treatment_relevance.safety or treatment_relevance.efficacy?)',
    ]);
    expect(
      await refusedByForm(
        'case_id,reviewer,field,part,value\n1,a,prakriti,,wata\n1,a,prakrit,,vata\n1,a,treatment_relevance,,4\n1,a,comment,x,y\n1,a,components,diet,na\n',
      ),
    ).toEqual([
      'r.csv:2: value: expected one of vata, pitta, vata-pitta, unknown, found "wata" (did you mean vata?)',
      'r.csv:3: field: the form has no question "prakrit" (did you mean prakriti?)',
      'r.csv:4: part: expected one of safety, efficacy as its part for treatment_relevance, found nothing',
      'r.csv:5: part: expected no part for comment, found "x"',
      'r.csv:6: value: expected yes or no, found "na"',
    ]);
  });

  it('ask which question is meant where several have such a part', () => {
    const twice = reviewSection.parse({
      ...FORM,
      fields: {
        ...FORM.fields,
        literacy: { type: 'scale', title: 'Clear?', dimensions: { efficacy: 'Efficacy' } },
      },
    });
    expect(lineForm(twice).questionOf('efficacy')).toEqual({
      fault: 'several questions have a part "efficacy"',
      next: 'write treatment_relevance.efficacy or literacy.efficacy',
    });
  });
});
