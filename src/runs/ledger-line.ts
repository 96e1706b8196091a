import type { Case } from '../data/case.ts';
import { type Item, NO_FIELDS } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';

/** Text that needs no escaping in JSON: by far the most common, and checked faster than it is escaped. */
const PLAIN = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** One verdict as a line of ledger.jsonl. Built by hand, because a run has millions and their shape is known. */
export function ledgerLine(verdict: Verdict, given: Case): string {
  let line = `{"case":${quoted(verdict.case)}`;
  if (verdict.scheme !== null) line += `,"scheme":${quoted(verdict.scheme)}`;
  line += `,"kind":"${verdict.kind}","verdict":"${verdict.verdict}","rule":${quoted(verdict.rule)},"label":${quoted(verdict.label)}`;
  if (verdict.similarity !== null) line += `,"similarity":${verdict.similarity}`;
  if (verdict.credit !== 1) line += `,"credit":${verdict.credit}`;
  if (verdict.weight !== 1) line += `,"weight":${verdict.weight}`;
  if (verdict.match !== null) line += `,"match":${quoted(verdict.match)}`;
  if (verdict.gold !== null) line += `,"gold":${itemJson(verdict.gold, given)}`;
  if (verdict.predicted !== null) line += `,"predicted":${itemJson(verdict.predicted, given)}`;
  if (verdict.attributes !== null) line += `,"attributes":${JSON.stringify(verdict.attributes)}`;
  if (verdict.because !== null) line += `,"because":${quoted(verdict.because)}`;
  if (verdict.rejected !== null) {
    const { item, similarity, why } = verdict.rejected;
    line += `,"rejected":{"index":${item.index},"label":${quoted(item.label)},"text":${quoted(item.text)},"similarity":${similarity},"why":${quoted(why)}}`;
  }
  return `${line}}\n`;
}

/** Offsets are written in the unit the files use. */
function itemJson(item: Item, given: Case): string {
  let json = `{"index":${item.index},"label":${quoted(item.label)},"text":${quoted(item.text)}`;
  if (item.start >= 0) {
    const { offsets } = given;
    json +=
      offsets === null
        ? `,"start":${item.start},"end":${item.end}`
        : `,"start":${offsets.fromUtf16(item.start)},"end":${offsets.fromUtf16(item.end)}`;
  }
  if (item.annotator !== null) json += `,"annotator":${quoted(item.annotator)}`;
  if (item.was !== undefined) json += `,"was":${quoted(item.was)}`;
  if (item.parts !== null) json += `,"parts":${JSON.stringify(item.parts)}`;
  if (item.grounded !== null) json += `,"grounded":${item.grounded}`;
  if (item.kind === 'relationship')
    json += `,"source":${JSON.stringify(item.source)},"target":${JSON.stringify(item.target)}`;
  if (item.unresolved !== undefined) json += `,"unresolved":${JSON.stringify(item.unresolved)}`;
  if (item.fields !== NO_FIELDS) json += `,"fields":${JSON.stringify(item.fields)}`;
  return `${json}}`;
}
