import { createWriteStream } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';

import { afterAll, expect, test } from 'vitest';

import { BIN, temporaryFolder } from '../cli/run-assay.ts';
import { makeZip } from '../formats/logs/make-zip.ts';

const MOST_MIB = 500;
const MOST_SECONDS = 20;
/** ASSAY_BOMBS=all: also by `score`, which reads as `validate` does, and files that are larger of the same kind. */
const HAS_ALL = process.env['ASSAY_BOMBS'] === 'all';
const LARGER = new Set(['case-76.conll', 'wide.xmi']);
const MIB = 1 << 20;
const XMI = '<?xml version="1.0"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore">';
const sample = {
  id: 1,
  epoch: 1,
  input: 'x',
  target: 'y',
  output: { completion: 'y' },
  scores: { match: { value: 'C' } },
};
const log = (...more: Parameters<typeof makeZip>[0][number][]): Buffer =>
  makeZip([
    { name: 'header.json', content: '{"eval":{}}' },
    { name: 'samples/1.json', content: JSON.stringify(sample) },
    ...more,
  ]);

/** A beginning, one piece many times, and an end: files larger than a text can be. */
type Content = Buffer | readonly [begin: string, piece: string | Buffer, times: number, end: string];

const BOMBS: readonly (readonly [file: string, about: string, content: () => Content])[] = [
  [
    'lists.spacy',
    '60 nested lists, 16 million values claimed by each',
    () => deflateSync(Buffer.concat([Buffer.from('dd00f42400'.repeat(60), 'hex'), Buffer.alloc(16_000_000)])),
  ],
  ['zlib.spacy', 'a gigabyte of zeros', () => deflateSync(Buffer.alloc(1_000_000_000))],
  ['case-18.conll', 'one case', () => ['', 'Ann B-PER\nmet O\n', (18 * MIB) / 16, '']],
  ['case-76.conll', 'one case', () => ['', 'Ann B-PER\nmet O\n', (76 * MIB) / 16, '']],
  ['deep.xmi', 'a million levels', () => [XMI, '<a>', 1_000_000, '']],
  ['wide.xmi', '15 million elements', () => [XMI, '<a/>', 15_000_000, '</xmi:XMI>']],
  [
    'attributes.xmi',
    'millions of attributes',
    () => Buffer.from(`${XMI}<a ${Array.from({ length: 2_000_000 }, (_, at) => `a${at}=""`).join(' ')}/></xmi:XMI>`),
  ],
  [
    'annotations.xmi',
    'a million annotations',
    () => [
      `${XMI}<cas:Sofa xmi:id="1" sofaString="Ann"/>`,
      '<x:E xmi:id="2" sofa="1" begin="0" end="3" value="PER"/>\n',
      1_000_000,
      '</xmi:XMI>',
    ],
  ],
  [
    'laughs.xmi',
    'entities within entities',
    () => Buffer.from(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${XMI}&b;</xmi:XMI>`),
  ],
  [
    'zeros.eval',
    'an entry of 150 MB of zeros',
    () => log({ name: 'samples/2.json', content: Buffer.alloc(150 * MIB) }),
  ],
  [
    'claims.eval',
    'zip64, an entry that claims 10 GB',
    () => makeZip([{ name: 'header.json', content: 'x', lies: { size: 1e10 } }], { wide: true }),
  ],
  [
    'overlap.eval',
    'entries that share bytes',
    () => log({ name: 'samples/2.json', content: 'x'.repeat(1000), lies: { offset: 0 } }),
  ],
  [
    'quote.csv',
    'a quoted field that never ends',
    () => ['id,text,start,end,label\na,"', 'abc,def\n', (200 * MIB) / 8, ''],
  ],
  ['deep.json', 'a million levels', () => ['', '[', 1_000_000, '']],
  [
    'deep.jsonl',
    'a million levels that end',
    () => ['{"id":"a","text":"x","spans":[],"m":', '['.repeat(1_000_000) + ']'.repeat(1_000_000), 1, '}\n'],
  ],
  ['line.jsonl', 'one line of 200 MB', () => ['{"id":"a","text":"', 'x'.repeat(MIB), 200, '"}\n']],
  ['bomb.jsonl.gz', '4 GB of blank lines', () => ['', gzipSync(Buffer.alloc(64 * MIB, '\n')), 64, '']],
];

const table: string[] = [];
afterAll(() => console.log(table.join('\n')));

test.each(BOMBS.filter(([file]) => HAS_ALL || !LARGER.has(file)))(
  '%s: %s is answered within 20 s and 500 MB',
  async (file, about, content) => {
    const path = join(temporaryFolder(), file);
    const bytes = content();
    if (Buffer.isBuffer(bytes)) writeFileSync(path, bytes);
    else {
      const [begin, piece, times, end] = bytes;
      const out = createWriteStream(path);
      out.write(begin);
      const together = Math.max(1, Math.floor(MIB / piece.length));
      const block = Buffer.concat(Array.from({ length: together }, () => Buffer.from(piece)));
      for (let left = times; left > 0; left -= together)
        if (!out.write(block.subarray(0, Math.min(left, together) * Buffer.from(piece).length)))
          await once(out, 'drain');
      out.end(end);
      await once(out, 'close');
    }
    const commands = file.endsWith('.eval')
      ? [['import', path, '--out', join(path, '..', 'run')]]
      : [
          ['validate', path],
          ...(HAS_ALL
            ? [['score', 'spans/strict', '--gold', path, '--predictions', path, '--out', join(path, '..', 'run')]]
            : []),
        ];
    for (const args of commands) {
      // Peak and processor time of the process itself: machines are shared, so the clock says little.
      const peak = `data:text/javascript,process.on('exit',()=>{const r=process.resourceUsage();process._rawDebug('peak '+r.maxRSS+' '+(r.userCPUTime+r.systemCPUTime))})`;
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', peak, BIN, ...args], {
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
        maxBuffer: 1 << 26,
        timeout: 120_000,
      });
      const [, peakKib = Infinity, microseconds = Infinity] = /^peak (\d+) (\d+)$/m.exec(stderr) ?? [];
      const mib = Math.round(Number(peakKib) / 1024);
      const seconds = Number(microseconds) / 1e6;
      const message =
        `${stdout}\n${stderr}`.split('\n').find((line) => line.includes(`${path}:`) && !line.endsWith(file)) ?? '';
      const shown = message.replaceAll(path, file).trim().slice(0, 140);
      const size = (statSync(path).size / MIB).toFixed(2);
      table.push(
        `${String(args[0])} ${file} (${about}) | ${size} MiB | ${mib} MiB | ${seconds.toFixed(1)} s | exit ${String(status)} | ${shown}`,
      );
      expect([1, 2]).toContain(status);
      expect(mib).toBeLessThan(MOST_MIB);
      expect(seconds).toBeLessThan(MOST_SECONDS);
    }
  },
);
