import { isRecord } from '../../data/record-fields.ts';
import type { OtlpAttribute, OtlpValue } from '../../langfuse/shapes/otlp.ts';
import { readableMetadata, valueOfText } from './readable-values.ts';

/** The attributes of a span by name. */
export class Attributes {
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(attributes: readonly OtlpAttribute[] | null | undefined) {
    this.#values = new Map((attributes ?? []).map(({ key, value }) => [key, plainValue(value)]));
  }

  /** A text of the first of these names that has one. */
  text(...names: readonly string[]): string | undefined {
    return this.#first(names, (value) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined,
    );
  }

  flag(name: string): boolean | undefined {
    const value = this.#values.get(name);
    if (typeof value === 'boolean') return value;
    return value === 'true' ? true : value === 'false' ? false : undefined;
  }

  number(...names: readonly string[]): number | undefined {
    return this.#first(names, (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
    });
  }

  /** What was written as JSON is read again. */
  json(...names: readonly string[]): unknown {
    const value = this.#first(names, (one) => one ?? undefined);
    return typeof value === 'string' ? valueOfText(value) : value;
  }

  #first<Value>(names: readonly string[], read: (value: unknown) => Value | undefined): Value | undefined {
    for (const name of names) {
      const value = read(this.#values.get(name));
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Names with numbers; anything else is left out. */
  counts(name: string): Record<string, number> | undefined {
    const value = this.json(name);
    if (!isRecord(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, count]) => (Number.isFinite(count) ? [[key, Number(count)] as const] : [])),
    );
  }

  texts(name: string): string[] | undefined {
    const value = this.json(name);
    if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
    return typeof value === 'string' ? value.split(',').map((one) => one.trim()) : undefined;
  }

  /** Metadata comes as a whole under its name, and one by one under `name.key`. */
  metadata(name: string): unknown {
    const whole = this.json(name);
    const parts = [...this.#values.keys()].filter((key) => key.startsWith(`${name}.`));
    if (parts.length === 0) return isRecord(whole) ? readableMetadata(whole) : whole;
    const single = parts.map((key) => [key.slice(name.length + 1), this.json(key)] as const);
    return {
      ...(isRecord(whole) ? readableMetadata(whole) : whole === undefined ? {} : { metadata: whole }),
      ...Object.fromEntries(single),
    };
  }

  /** Those with other names than are understood here. */
  others(isKnown: (name: string) => boolean): Record<string, unknown> | undefined {
    const rest = [...this.#values].filter(([name]) => !isKnown(name));
    return rest.length === 0 ? undefined : Object.fromEntries(rest);
  }
}

function plainValue(value: OtlpValue | undefined): unknown {
  if (value === undefined) return null;
  if ('stringValue' in value) return value.stringValue;
  if ('intValue' in value) return value.intValue;
  if ('doubleValue' in value) return value.doubleValue;
  if ('boolValue' in value) return value.boolValue;
  if ('bytesValue' in value) return value.bytesValue;
  if ('arrayValue' in value) return (value.arrayValue.values ?? []).map(plainValue);
  if (!('kvlistValue' in value)) return null;
  return Object.fromEntries((value.kvlistValue.values ?? []).map((one) => [one.key, plainValue(one.value)]));
}
