import { describe, expect, it } from 'vitest';

import { shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const DKPRO = 'de.tudarmstadt.ukp.dkpro.core.api';
const ENTITY = `${DKPRO}.ner.type.NamedEntity`;
const ELEMENTS = [
  '<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="Ann met Bo &#128578;&#10;in Oslo."/>',
  '<meta:DocumentMetaData xmi:id="2" sofa="1" begin="0" end="22" documentId="d1"/>',
  '<seg:Token xmi:id="3" sofa="1" begin="0" end="3"/>',
  '<ner:NamedEntity xmi:id="4" sofa="1" begin="0" end="3" value="PER" identifier="Q1"/>',
  '<ner:NamedEntity xmi:id="5" sofa="1" begin="8" end="10" value="PER"/>',
  '<custom:Relation xmi:id="6" sofa="1" begin="8" end="10" label="MET" Governor="4" Dependent="5"/>',
  '<custom:Place xmi:id="7" sofa="1" begin="17" end="21" links="8"/>',
  '<custom:Link xmi:id="8" role="where" target="4"/>',
];
const XMI = `<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmi:version="2.0"
 xmlns:ner="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" xmlns:custom="http:///webanno/custom.ecore"
 xmlns:seg="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"
 xmlns:meta="http:///de/tudarmstadt/ukp/dkpro/core/api/metadata/type.ecore">
${ELEMENTS.join('\n')}
<cas:View sofa="1" members="2 3 4 5 6 7"/>
</xmi:XMI>
`;
const on = (id: number, type: string, begin: number, end: number, more: object = {}) => ({
  '%ID': id,
  '%TYPE': type,
  '@sofa': 1,
  begin,
  end,
  ...more,
});
const CAS = {
  '%TYPES': {},
  '%FEATURE_STRUCTURES': [
    { '%ID': 1, '%TYPE': 'uima.cas.Sofa', sofaNum: 1, sofaID: '_InitialView', sofaString: 'Ann met Bo 🙂\nin Oslo.' },
    on(2, `${DKPRO}.metadata.type.DocumentMetaData`, 0, 22, { documentId: 'd1' }),
    on(3, `${DKPRO}.segmentation.type.Token`, 0, 3),
    on(4, ENTITY, 0, 3, { value: 'PER', identifier: 'Q1' }),
    on(5, ENTITY, 8, 10, { value: 'PER' }),
    on(6, 'webanno.custom.Relation', 8, 10, { label: 'MET', '@Governor': 4, '@Dependent': 5 }),
    on(7, 'webanno.custom.Place', 17, 21, { '@links': 9 }),
    { '%ID': 8, '%TYPE': 'webanno.custom.Link', role: 'where', '@target': 4 },
    { '%ID': 9, '%TYPE': 'webanno.custom.Link[]', '%ELEMENTS': [8] },
  ],
  '%VIEWS': { _InitialView: { '%SOFA': 1, '%MEMBERS': [2, 3, 4, 5, 6, 7] } },
};

describe.each([
  ['uima-xmi', 'a.xmi', XMI],
  ['uima-json', 'a.json', JSON.stringify(CAS)],
])('%s', (name, file, content) => {
  it('reads annotations of any layer, relations and slots of the first view', async () => {
    const { cases, format } = await readGold(file, content);
    const [only] = cases;
    expect([format, only!.id, only!.text]).toEqual([name, 'd1', 'Ann met Bo 🙂\nin Oslo.']);
    expect(only!.tokens).toEqual([{ start: 0, end: 3 }]);
    const [ann, bo, met, oslo, where] = only!.gold;
    expect(shown([ann!, bo!, oslo!])).toEqual(['PER Ann 0..3', 'PER Bo 8..10', 'Place Oslo 17..21']);
    expect(ann!.fields).toEqual({ id: '4', layer: ENTITY, feature: 'value', identifier: 'Q1' });
    expect([met!.label, met!.source, met!.target]).toEqual(['MET', '4', '5']);
    expect([where!.label, where!.source, where!.target]).toEqual(['where', '7', '4']);
  });

  it('is written with all of that, but for tokens that do not cover the text', async () => {
    const { files, lost } = await converted(file, content, 'out', { to: name });
    expect(lost).toEqual(['d1: the tokens']);
    const back = await readGold(file, Object.values(files)[0]!);
    expect(back.cases[0]!.id).toBe('d1');
    const joined = back.cases[0]!.gold.map(({ kind, label, text }) => (kind === 'span' ? `${label} ${text}` : label));
    expect(joined.toSorted()).toEqual(['MET', 'PER Ann', 'PER Bo', 'Place Oslo', 'where']);
    expect(back.cases[0]!.tokens?.slice(-3)).toEqual([
      { start: 14, end: 16 },
      { start: 17, end: 21 },
      { start: 21, end: 22 },
    ]);
  });

  it('is written for what UIMA has no name for without it, and that is listed', async () => {
    const spans = [{ start: 0, end: 3, label: 'PER', score: 0.5, 'first name': 'x', list: [1] }];
    const given = JSON.stringify({ id: 'd1', text: 'Ann', spans });
    const { lost } = await converted('a.jsonl', given, 'out', { to: name });
    expect(lost).toEqual(['first name', 'list'].map((field) => `d1: span PER "Ann" at 0..3: the field ${field}`));
  });
});

it('uima-json declares the types that it writes', async () => {
  const { files } = await converted('a.json', JSON.stringify(CAS), 'out', { to: 'uima-json' });
  const { '%TYPES': types } = JSON.parse(files['d1.json']!) as Record<string, unknown>;
  expect(types).toMatchObject({
    [ENTITY]: {
      '%SUPER_TYPE': 'uima.tcas.Annotation',
      value: { '%NAME': 'value', '%RANGE': 'uima.cas.String' },
    },
    'webanno.custom.Link': { '%SUPER_TYPE': 'uima.cas.TOP', role: { '%NAME': 'role', '%RANGE': 'uima.cas.String' } },
    'webanno.custom.Place': { links: { '%NAME': 'links', '%RANGE': 'webanno.custom.Link[]' } },
  });
});
