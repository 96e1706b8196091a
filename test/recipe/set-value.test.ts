import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { setValue } from '../../src/recipe/set-value.ts';

describe('setValue', () => {
  test.each([
    ['a=1', { a: 1 }],
    ['a.b=x', { a: { b: 'x' } }],
    ['a=[x, y]', { a: ['x', 'y'] }],
    ['a={b: 0.5}', { a: { b: 0.5 } }],
    ['a=off', { a: 'off' }],
    ['a=', { a: '' }],
    ['a=x=y', { a: 'x=y' }],
    ['a="1"', { a: '1' }],
    ['judge.order=x, y,z', { judge: { order: ['x', 'y', 'z'] } }],
    ['judge.order=[x, y]', { judge: { order: ['x', 'y'] } }],
  ])('%s', (line, expected) => {
    expect(setValue({}, line)).toEqual(expected);
  });

  test('lies over what is there as a line of the file would', () => {
    expect(setValue({ a: { b: [1], c: 2 } }, 'a.b+=3')).toEqual({ a: { b: [1, 3], c: 2 } });
  });

  test('a name with a full stop in it is found', () => {
    const recipe = { schemes: { 'iou-0.5': { threshold: 0.5 } } };
    expect(setValue(recipe, 'schemes.iou-0.5.threshold=0.6')).toEqual({ schemes: { 'iou-0.5': { threshold: 0.6 } } });
    expect(setValue(recipe, 'schemes.iou-0.5=off')).toEqual({ schemes: { 'iou-0.5': 'off' } });
  });

  test.each([
    ['nonsense', '--set nonsense: expected path=value'],
    ['=1', '--set =1: expected path=value'],
    ['a..b=1', '--set a..b=1: a..b is not a path'],
    ['__proto__.x=1', '--set __proto__.x=1: __proto__.x is not a path'],
    ['a=[1', '--set a=[1: the value is not YAML'],
    ['a=*x', '--set a=*x: the value is not YAML'],
  ])('%s is refused', (line, message) => {
    expect(() => setValue({}, line)).toThrow(UsageError);
    expect(() => setValue({}, line)).toThrow(message);
  });
});

describe('a mistyped --set gets the nearest right name', () => {
  test.each([
    // preset, line, what is wrong, what was meant
    ['pii/piranha', 'piar.threshold=0.6', 'there is no setting called piar', 'did you mean pair?'],
    ['pii/piranha', 'pair.treshold=0.6', 'there is no setting called treshold', 'did you mean pair.threshold?'],
    [
      'pii/piranha',
      'pair.span.treshold=0.6',
      'there is no setting called treshold',
      'did you mean pair.span.threshold?',
    ],
    [
      'pii/piranha',
      'pair.accept.mine.simlarity=iou',
      'there is no setting called simlarity',
      'did you mean pair.accept.mine.similarity?',
    ],
    ['pii/piranha', 'data.ofsets=byte', 'there is no setting called ofsets', 'did you mean data.offsets?'],
    ['pii/piranha', 'data.offsets=bytes', 'expected one of utf16, codepoint, byte,', null],
    ['pii/piranha', 'prepare.mergee.gap=2', 'there is no rule called mergee', 'did you mean merge?'],
    ['pii/piranha', 'prepare.merge.gaps=2', 'there is no setting called gaps', 'did you mean prepare.merge.gap?'],
    ['pii/piranha', 'prepare.merge.gap=wide', 'expected a number, found "wide"', null],
    ['pii/piranha', 'prepare.merge.gap=-1', 'expected a number of at least 0, found -1', null],
    ['pii/piranha', 'judge.loc-in-orgs=off', 'there is no loc-in-orgs to switch off', 'did you mean loc-in-org?'],
    [
      'pii/piranha',
      'judge.order=loc-in-org,excuse-mised,excuse-overlap',
      'there is no rule called excuse-mised here',
      'did you mean excuse-missed?',
    ],
    [
      'pii/piranha',
      'judge.order=loc-in-org',
      'it leaves out excuse-missed, excuse-overlap',
      'name each of loc-in-org, excuse-missed, excuse-overlap once',
    ],
    [
      'pii/piranha',
      'judge.order=3',
      'expected a list of rule names',
      'for example [loc-in-org, excuse-missed, excuse-overlap]',
    ],
    ['pii/piranha', 'pair.similarity=iuo', 'there is no similarity called iuo', 'did you mean iou?'],
    [
      'pii/piranha',
      'pair.assign=greed',
      'expected one of greedy, in-order, optimal, every, found "greed"',
      'did you mean greedy?',
    ],
    ['pii/piranha', 'pair.entity.threshold=1', 'a recipe for spans has no items of this kind', 'it has: span'],
    ['pii/piranha', 'pair.partial=0.3333333333', 'invalid number: must be a multiple of', null],
    ['pii/piranha', 'measure.percision={}', 'there is no measure called percision', 'did you mean precision?'],
    ['pii/piranha', 'measure.macro_f2=off', 'there is no macro_f2 to switch off', 'did you mean macro_f1?'],
    [
      'pii/piranha',
      'measure.x={of: count, verdict: hit, rules: [loc-in-rog]}',
      'there is no rule called loc-in-rog',
      'did you mean loc-in-org?',
    ],
    ['pii/piranha', 'slice=[scheme]', 'scheme is no column', null],
    ['pii/piranha', 'zeroDivision=undef', 'expected undefined or a number, found "undef"', null],
    ['pii/every-scheme', 'schemes.iou-0.4.threshold=0.4', 'there is no iou-0.4 under schemes', /did you mean iou-0.3/],
    ['pii/every-scheme', 'schemes.tokn=off', 'there is no tokn to switch off', 'did you mean token?'],
    [
      'journal/ashwam',
      'attributes.polarty.missing=x',
      'there is no polarty under attributes',
      'did you mean polarity?',
    ],
    [
      'journal/ashwam',
      'attributes.time.missin=x',
      'there is no setting called missin',
      'did you mean attributes.time.missing?',
    ],
    [
      'journal/ashwam',
      'measure.time_accuracy.attributes=[tiem]',
      'there is no attribute called tiem',
      'did you mean time?',
    ],
    [
      'journal/ashwam',
      'measure.f1.require=[polrity]',
      'there is no attribute called polrity',
      'did you mean polarity?',
    ],
    [
      'graph/openspec',
      'measure.entity_f1.kind=entiti',
      'there is no kind of item called entiti',
      'did you mean entity?',
    ],
    ['graph/openspec', 'attributes.type.kind=entyti', 'there is no kind of item called entyti', 'did you mean entity?'],
    [
      'graph/openspec',
      'measure.overall_quality.measures=[entity_f2]',
      'there is no measure called entity_f2',
      /entity_f1/,
    ],
    [
      'graph/openspec',
      'prepare.resolve-refs.unresolved=leave-ut',
      'expected one of by-name, spurious, leave-out, found "leave-ut"',
      'did you mean leave-out?',
    ],
    ['graph/openspec', 'pair.relationship.symmetric=married_to', 'expected a list, found "married_to"', null],
  ] as const)('%s %s', async (preset, line, message, next) => {
    const error: unknown = await planRecipe(preset, [line]).catch((found: unknown) => found);
    expect(error).toBeInstanceOf(UsageError);
    if (!(error instanceof UsageError)) return;
    expect(error.message).toContain(`--set ${line}`);
    expect(error.message).toContain(message);
    expect(error.next ?? '').toMatch(next ?? '');
  });
});
