import { describe, expect, it } from 'vitest';

import { shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const BDOC = {
  annotation_sets: {
    '': {
      name: '',
      annotations: [{ type: 'PER', start: 0, end: 3, id: 0, features: { gender: 'f', id: 'Q1' } }],
      next_annid: 1,
    },
    Key: { name: 'Key', annotations: [{ type: 'LOC', start: 13, end: 17, id: 0, features: {} }], next_annid: 1 },
  },
  features: { source: 'hand' },
  name: 'd1',
  offset_type: 'p',
  text: 'Ann met Bo 🙂 Oslo',
};

const XML = `<?xml version='1.0' encoding='UTF-8'?>
<GateDocument version="3">
<GateDocumentFeatures>
<Feature>
  <Name className="java.lang.String">source</Name>
  <Value className="java.lang.String">hand</Value>
</Feature>
</GateDocumentFeatures>
<TextWithNodes><Node id="0"/>Ann<Node id="3"/> met Bo 🙂 <Node id="14"/>O&lt;lo<Node id="18"/></TextWithNodes>
<AnnotationSet>
<Annotation Id="1" Type="PER" StartNode="0" EndNode="3">
<Feature>
  <Name className="java.lang.String">rank</Name>
  <Value className="java.lang.Long">2</Value>
</Feature>
<Feature>
  <Name className="java.lang.String">sure</Name>
  <Value className="java.lang.Boolean">true</Value>
</Feature>
</Annotation>
</AnnotationSet>
<AnnotationSet Name="Key">
<Annotation Id="2" Type="LOC" StartNode="14" EndNode="18">
</Annotation>
</AnnotationSet>
</GateDocument>
`;

describe('gate-bdoc', () => {
  it('reads annotations of all sets, by code points, with features as fields', async () => {
    const { cases, format } = await readGold('d.bdocjs', JSON.stringify(BDOC));
    expect([format, cases[0]!.id, cases[0]!.fields]).toEqual(['gate-bdoc', 'd1', { source: 'hand' }]);
    expect(shown(cases[0]!.gold)).toEqual(['PER Ann 0..3', 'LOC Oslo 14..18']);
    expect(cases[0]!.gold.map(({ fields }) => fields)).toEqual([
      // The id of the annotation is not the feature of that name.
      { id: '0', gender: 'f', features: { id: 'Q1' } },
      { id: '0', set: 'Key' },
    ]);
  });

  it('reads UTF-16 if the file counts as Java does', async () => {
    const { '': own, Key } = BDOC.annotation_sets;
    const moved = { ...Key, annotations: [{ ...Key.annotations[0], start: 14, end: 18 }] };
    const java = { ...BDOC, offset_type: 'j', annotation_sets: { '': own, Key: moved } };
    const { cases } = await readGold('d.bdocjs', JSON.stringify(java));
    expect(shown(cases[0]!.gold)).toEqual(['PER Ann 0..3', 'LOC Oslo 14..18']);
  });

  it('writes what it reads', async () => {
    const { files, lost } = await converted('d.bdocjs', JSON.stringify(BDOC), 'out', { to: 'gate-bdoc' });
    expect(lost).toEqual([]);
    expect(JSON.parse(files['d1.bdocjs']!)).toMatchObject({
      annotation_sets: {
        '': { annotations: [{ type: 'PER', start: 0, end: 3, features: { gender: 'f', id: 'Q1' } }] },
        Key: { annotations: [{ type: 'LOC', start: 13, end: 17, features: {} }] },
      },
      features: { source: 'hand' },
    });
  });

  it('lists annotations without a text as left out', async () => {
    const { '': own } = BDOC.annotation_sets;
    const empty = { ...own, annotations: [{ ...own.annotations[0], start: 4, end: 4 }] };
    const { cases, leftOut } = await readGold('d.bdocjs', JSON.stringify({ ...BDOC, annotation_sets: { '': empty } }));
    expect([cases[0]!.gold, leftOut]).toEqual([[], ['annotation PER at 4..4']]);
  });
});

describe('gate-xml', () => {
  it('reads nodes in UTF-16, entities, sets, and features by their Java class', async () => {
    const { cases, format } = await readGold('d1.xml', XML);
    expect([format, cases[0]!.id, cases[0]!.text]).toEqual(['gate-xml', 'd1', 'Ann met Bo 🙂 O<lo']);
    expect(shown(cases[0]!.gold)).toEqual(['PER Ann 0..3', 'LOC O<lo 14..18']);
    expect(cases[0]!.gold.map(({ fields }) => fields)).toEqual([
      { id: '1', rank: 2, sure: true },
      { id: '2', set: 'Key' },
    ]);
    expect(cases[0]!.fields).toEqual({ source: 'hand' });
  });

  it('writes what it reads', async () => {
    const { files, lost } = await converted('d1.xml', XML, 'out', { to: 'gate-xml' });
    expect([lost, files['d1.xml']]).toEqual([[], XML]);
  });

  it('lists characters that XML cannot hold, and relations', async () => {
    const given = {
      id: 'd1',
      text: 'a\u0007 b',
      expected_output: {
        entities: [
          { temp_id: 'e1', name: 'a', type: 'X', start: 0, end: 1 },
          { temp_id: 'e2', name: 'b', type: 'X', start: 3, end: 4 },
        ],
        relationships: [{ source_ref: 'e1', target_ref: 'e2', type: 'R' }],
      },
    };
    const { lost } = await converted('a.jsonl', JSON.stringify(given), 'out', { to: 'gate-xml' });
    expect(lost).toEqual(['d1: the exact text', 'd1: relationship R "e1 --R--> e2": the item']);
  });
});
