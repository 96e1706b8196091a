import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { visible } from '../data/visible.ts';
import {
  damagedCell,
  json,
  jsonCell,
  maybeNumber,
  maybeText,
  now,
  number,
  enumCell,
  type StoreRow,
  text,
  texts,
  timeText,
  type Value,
} from './cells.ts';
import type { PromptFilter } from './filters.ts';
import type { PromptBody, PromptInit, StoredPrompt } from './records.ts';
import { StoreConflict } from './store-conflict.ts';
import { type Page, type Paged, readRows, StorePart, Where } from './store-part.ts';

/** Always on the newest version, and given to none by hand. */
export const LATEST_LABEL = 'latest';
/** What is taken where no label is named. */
export const DEFAULT_LABEL = 'production';

/** A prompt with all its versions. */
export interface PromptMeta {
  readonly name: string;
  readonly type: 'text' | 'chat';
  readonly versions: readonly number[];
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  readonly lastUpdatedAt: string;
  /** Of the newest version. */
  readonly lastConfig: unknown;
}

/** A version goes before a label. */
export interface WhichPrompt {
  readonly label?: string | undefined;
  readonly version?: number | undefined;
}

const VERSIONS = `SELECT p.name, p.type, p.tags, v.* FROM prompts p JOIN prompt_versions v ON v.prompt_seq = p.seq`;

const MESSAGES = z.array(
  z.union([
    z.looseObject({ type: z.literal('placeholder'), name: z.string() }),
    z.looseObject({ role: z.string(), content: z.string() }),
  ]),
);

export class Prompts extends StorePart {
  /** The next version. It takes its labels from the versions before; tags, where given, become those of all versions. */
  create(init: PromptInit): StoredPrompt {
    if (init.name === '') throw new StoreConflict('a prompt needs a name');
    return this.database.transaction(() => {
      const time = now();
      const seq = this.#promptOf(init, time);
      const last = this.database.row('SELECT max(version) AS version FROM prompt_versions WHERE prompt_seq = ?', [seq]);
      const version = ((last === null ? null : maybeNumber(last, 'version')) ?? 0) + 1;
      this.database.insert('prompt_versions', {
        id: randomUUID(),
        prompt_seq: seq,
        version,
        created_at: time,
        updated_at: time,
        commit_message: init.commitMessage ?? null,
        config: jsonCell(init.config),
        prompt: jsonCell(init.prompt),
      });
      this.#label(seq, version, [...(init.labels ?? []), LATEST_LABEL], time);
      return this.#version(init.name, version);
    });
  }

  get(name: string, which: WhichPrompt = {}): StoredPrompt | null {
    const version = this.#versionOf(name, which);
    return version === null ? null : this.#version(name, version);
  }

  byId(id: string): StoredPrompt | null {
    const row = this.database.row(`${VERSIONS} WHERE v.id = ?`, [id]);
    return row === null ? null : this.#version(text(row, 'name'), number(row, 'version'));
  }

  /** All versions of a prompt, or the one that has this number or this label. */
  matching(name: string, which: WhichPrompt): StoredPrompt[] {
    if (which.version === undefined && which.label === undefined) {
      return this.#read(`${VERSIONS} WHERE p.name = ? ORDER BY v.version`, [name]);
    }
    const found = this.get(name, which);
    return found === null ? [] : [found];
  }

  /** The versions in which there may be a prompt within the prompt. */
  composed(): StoredPrompt[] {
    return this.#read(`${VERSIONS} WHERE instr(v.prompt, '@@@langfusePrompt:') > 0 ORDER BY p.name, v.version`, []);
  }

  /** By name, each with the versions that match; a tag belongs to all versions. */
  list({ name, tag, ...filter }: PromptFilter, page: Page): Paged<PromptMeta> {
    const where = new Where().equal('name', name);
    const versions = versionsWhere(filter);
    if (versions.sql !== '')
      where.add(`seq IN (SELECT v.prompt_seq FROM prompt_versions v ${versions.sql})`, ...versions.values);
    if (tag !== undefined)
      where.add("EXISTS (SELECT 1 FROM json_each(iif(json_valid(tags), tags, '[]')) AS one WHERE one.value = ?)", tag);
    return this.page({ record: (row) => this.#meta(row, filter) }, { from: 'prompts', where, order: 'name' }, page);
  }

  /** Puts labels on a version, taking them from the others; null where there is no such version. */
  setLabels(name: string, version: number, labels: readonly string[]): StoredPrompt | null {
    if (labels.includes(LATEST_LABEL))
      throw new StoreConflict(`the label ${LATEST_LABEL} is always on the newest version and cannot be given`);
    return this.database.transaction(() => {
      const found = this.#versionOf(name, { version });
      if (found === null) return null;
      const time = now();
      this.#label(this.#seqOf(name), version, labels, time);
      this.database.run('UPDATE prompts SET updated_at = ? WHERE name = ?', [time, name]);
      return this.#version(name, version);
    });
  }

  /** All versions, or the one that has this number or this label. How many went. */
  delete(name: string, which: WhichPrompt = {}): number {
    return this.database.transaction(() => {
      const isAll = which.version === undefined && which.label === undefined;
      const version = isAll ? null : this.#versionOf(name, which);
      if (!isAll && version === null) return 0;
      const seq = this.database.row('SELECT seq FROM prompts WHERE name = ?', [name])?.['seq'];
      if (typeof seq !== 'number') return 0;
      const gone =
        version === null
          ? this.database.run('DELETE FROM prompt_versions WHERE prompt_seq = ?', [seq])
          : this.database.run('DELETE FROM prompt_versions WHERE prompt_seq = ? AND version = ?', [seq, version]);
      this.#tidy(seq);
      return gone;
    });
  }

  /** After versions went: `latest` is on the newest that is left, and a prompt without any is none. */
  #tidy(seq: number): void {
    const newest = this.#versionsOf(seq).at(-1);
    if (newest === undefined) this.database.run('DELETE FROM prompts WHERE seq = ?', [seq]);
    else this.#label(seq, newest, [LATEST_LABEL], now());
  }

  #promptOf(init: PromptInit, time: string): number {
    const known = this.database.row('SELECT * FROM prompts WHERE name = ?', [init.name]);
    if (known !== null && promptType(known) !== init.type)
      throw new StoreConflict(
        `the prompt ${visible(init.name)} is of type ${promptType(known)}, and all its versions are: ${init.type} needs another name`,
      );
    const tags = init.tags === undefined ? undefined : jsonCell([...new Set(init.tags)]);
    const row = this.database.row(
      `INSERT INTO prompts (name, type, updated_at, tags) VALUES (?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET updated_at = excluded.updated_at, tags = excluded.tags RETURNING seq`,
      [init.name, init.type, time, tags ?? (known === null ? '[]' : text(known, 'tags'))],
    );
    if (row === null) throw new Error('a row that was made is not there');
    return number(row, 'seq');
  }

  #label(seq: number, version: number, labels: readonly string[], time: string): void {
    for (const label of new Set(labels)) {
      this.database.run(
        `UPDATE prompt_versions SET updated_at = ? WHERE prompt_seq = ? AND version IN
          (SELECT version FROM prompt_labels WHERE prompt_seq = ? AND label = ? UNION SELECT ?)`,
        [time, seq, seq, label, version],
      );
      const change = 'ON CONFLICT (prompt_seq, label) DO UPDATE SET version = excluded.version';
      this.database.insert('prompt_labels', { prompt_seq: seq, label, version }, change);
    }
  }

  #versionOf(name: string, { version, label = DEFAULT_LABEL }: WhichPrompt): number | null {
    const seq = 'prompt_seq = (SELECT seq FROM prompts WHERE name = ?)';
    const row =
      version === undefined
        ? this.database.row(`SELECT version FROM prompt_labels WHERE ${seq} AND label = ?`, [name, label])
        : this.database.row(`SELECT version FROM prompt_versions WHERE ${seq} AND version = ?`, [name, version]);
    return row === null ? null : number(row, 'version');
  }

  #version(name: string, version: number): StoredPrompt {
    const row = this.database.row(`${VERSIONS} WHERE p.name = ? AND v.version = ?`, [name, version]);
    // A label may lead to a version of no prompt.
    if (row === null) return damagedCell('prompt_seq');
    const labels = this.database.rows(
      'SELECT label FROM prompt_labels WHERE prompt_seq = ? AND version = ? ORDER BY label',
      [number(row, 'prompt_seq'), version],
    );
    return promptRecord(
      row,
      labels.map((one) => text(one, 'label')),
    );
  }

  #read(sql: string, values: readonly Value[]): StoredPrompt[] {
    const rows = this.database.rows(sql, values);
    return readRows(this.database, 'prompt_versions', rows, (row) =>
      this.#version(text(row, 'name'), number(row, 'version')),
    );
  }

  #seqOf(name: string): number {
    const row = this.database.row('SELECT seq FROM prompts WHERE name = ?', [name]);
    if (row === null) throw new Error('a prompt that was found is not there');
    return number(row, 'seq');
  }

  #versionsOf(seq: number): number[] {
    const rows = this.database.rows('SELECT version FROM prompt_versions WHERE prompt_seq = ? ORDER BY version', [seq]);
    return readRows(this.database, 'prompt_versions', rows, (row) => number(row, 'version'));
  }

  #meta(row: StoreRow, filter: PromptFilter): PromptMeta {
    const seq = number(row, 'seq');
    const { sql, values } = versionsWhere(filter).equal('v.prompt_seq', seq);
    const versions = `FROM prompt_versions v ${sql}`;
    const numbers = this.database.rows(`SELECT v.version ${versions} ORDER BY v.version`, values);
    const labels = this.database.rows(
      `SELECT label FROM prompt_labels WHERE prompt_seq = ? AND version IN (SELECT v.version ${versions}) ORDER BY label`,
      [seq, ...values],
    );
    const newest = this.database.row(`SELECT v.config ${versions} ORDER BY v.version DESC LIMIT 1`, values);
    return {
      name: text(row, 'name'),
      type: promptType(row),
      versions: readRows(this.database, 'prompt_versions', numbers, (one) => number(one, 'version')),
      labels: labels.map((one) => text(one, 'label')),
      tags: texts(row, 'tags'),
      lastUpdatedAt: timeText(row, 'updated_at'),
      lastConfig: newest === null ? {} : (json(newest, 'config') ?? {}),
    };
  }
}

function versionsWhere({ label, fromUpdatedAt, toUpdatedAt }: PromptFilter): Where {
  const where = new Where().from('v.updated_at', fromUpdatedAt).before('v.updated_at', toUpdatedAt);
  const labelled = 'SELECT version FROM prompt_labels WHERE prompt_seq = v.prompt_seq AND label = ?';
  return label === undefined ? where : where.add(`v.version IN (${labelled})`, label);
}

/** A version with the name, the type and the tags of its prompt. */
function promptRecord(row: StoreRow, labels: readonly string[]): StoredPrompt {
  return {
    ...promptBody(row),
    id: text(row, 'id'),
    name: text(row, 'name'),
    version: number(row, 'version'),
    config: json(row, 'config') ?? {},
    labels,
    tags: texts(row, 'tags'),
    commitMessage: maybeText(row, 'commit_message'),
    createdAt: timeText(row, 'created_at'),
    updatedAt: timeText(row, 'updated_at'),
  };
}

function promptBody(row: StoreRow): PromptBody {
  const prompt = json(row, 'prompt');
  if (promptType(row) === 'text') return typeof prompt === 'string' ? { type: 'text', prompt } : damagedCell('prompt');
  const messages = MESSAGES.safeParse(prompt);
  return messages.success ? { type: 'chat', prompt: messages.data } : damagedCell('prompt');
}

const promptType = (row: StoreRow): PromptBody['type'] => enumCell('text', 'chat')(row, 'type');
