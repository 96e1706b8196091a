import { describe } from '../data/record-fields.ts';
import { shorten, visible } from '../data/visible.ts';
import type { ScoreType } from './records.ts';
import { StoreConflict } from './store-conflict.ts';

export interface GivenValue {
  readonly name: string;
  readonly dataType?: ScoreType | undefined;
  readonly value?: number | string | boolean | null | undefined;
  readonly stringValue?: string | null | undefined;
}

export interface ScoreValue {
  readonly dataType: ScoreType;
  readonly value: number | null;
  readonly stringValue: string | null;
}

/**
 * A score's value by its type, which is told by the value where it is not given. A boolean is 0 or 1, with its name
 * beside it. What is no number, or no value at all, is refused: it would come back as one.
 */
export function scoreValue({ name, dataType, value, stringValue }: GivenValue): ScoreValue {
  if (typeof value === 'number' && !Number.isFinite(value)) throw refused(name, 'a number', value);
  const type = dataType ?? typeOf(value, stringValue);
  const words = typeof value === 'string' ? value : (stringValue ?? null);
  switch (type) {
    case 'NUMERIC':
      if (typeof value !== 'number') throw refused(name, 'a number', value ?? stringValue);
      return { dataType: type, value, stringValue: null };
    case 'BOOLEAN': {
      const truth = typeof value === 'boolean' ? Number(value) : value;
      if (truth !== 0 && truth !== 1) throw refused(name, 'true or false, as 1 or 0', value ?? stringValue);
      return { dataType: type, value: truth, stringValue: truth === 1 ? 'True' : 'False' };
    }
    case 'CATEGORICAL':
    case 'TEXT':
    case 'CORRECTION':
      if (words === null) throw refused(name, type === 'CATEGORICAL' ? 'the name of a category' : 'a text', value);
      return { dataType: type, value: typeof value === 'number' ? value : null, stringValue: words };
  }
}

function typeOf(value: GivenValue['value'], stringValue: GivenValue['stringValue']): ScoreType {
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value === 'string' || typeof stringValue === 'string') return 'CATEGORICAL';
  return 'NUMERIC';
}

function refused(name: string, expected: string, found: unknown): StoreConflict {
  return new StoreConflict(`the score ${visible(shorten(name))} has to be ${expected}, found ${describe(found)}`);
}
