import type { Case } from '../data/case.ts';
import { type Item, NO_FIELDS } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { JsonBytes } from './json-bytes.ts';

/** Writes one verdict as a line of ledger.jsonl; what has its usual value is left out. */
export function writeLedgerLine(out: JsonBytes, verdict: Verdict, given: Case): void {
  out.raw('{"case":');
  out.string(verdict.case);
  if (verdict.scheme !== null) {
    out.raw(',"scheme":');
    out.string(verdict.scheme);
  }
  out.raw(',"kind":"');
  out.raw(verdict.kind);
  out.raw('","verdict":"');
  out.raw(verdict.verdict);
  out.raw('","rule":');
  out.string(verdict.rule);
  out.raw(',"label":');
  out.string(verdict.label);
  if (verdict.similarity !== null) {
    out.raw(',"similarity":');
    out.number(verdict.similarity);
  }
  if (verdict.credit !== 1) {
    out.raw(',"credit":');
    out.number(verdict.credit);
  }
  if (verdict.weight !== 1) {
    out.raw(',"weight":');
    out.number(verdict.weight);
  }
  if (verdict.match !== null) {
    out.raw(',"match":');
    out.string(verdict.match);
  }
  if (verdict.gold !== null) {
    out.raw(',"gold":');
    writeItem(out, verdict.gold, given);
  }
  if (verdict.predicted !== null) {
    out.raw(',"predicted":');
    writeItem(out, verdict.predicted, given);
  }
  if (verdict.attributes !== null) {
    out.raw(',"attributes":');
    out.json(verdict.attributes);
  }
  if (verdict.because !== null) {
    out.raw(',"because":');
    out.string(verdict.because);
  }
  if (verdict.setAside) out.raw(',"setAside":true');
  if (verdict.rejected !== null) {
    const { item, similarity, why } = verdict.rejected;
    out.raw(',"rejected":{"index":');
    out.number(item.index);
    out.raw(',"label":');
    out.string(item.label);
    out.raw(',"text":');
    out.string(item.text);
    out.raw(',"similarity":');
    out.number(similarity);
    out.raw(',"why":');
    out.string(why);
    out.raw('}');
  }
  out.raw('}\n');
}

/** Offsets are written in the unit the files use. */
function writeItem(out: JsonBytes, item: Item, given: Case): void {
  out.raw('{"index":');
  out.number(item.index);
  out.raw(',"label":');
  out.string(item.label);
  out.raw(',"text":');
  out.string(item.text);
  if (item.start >= 0) {
    const { offsets } = given;
    out.raw(',"start":');
    out.number(offsets === null ? item.start : offsets.fromUtf16(item.start));
    out.raw(',"end":');
    out.number(offsets === null ? item.end : offsets.fromUtf16(item.end));
  }
  if (item.annotator !== null) {
    out.raw(',"annotator":');
    out.string(item.annotator);
  }
  if (item.was !== undefined) {
    out.raw(',"was":');
    out.string(item.was);
  }
  if (item.parts !== null) {
    out.raw(',"parts":');
    out.json(item.parts);
  }
  if (item.grounded !== null) out.raw(item.grounded ? ',"grounded":true' : ',"grounded":false');
  if (item.ungrounded !== undefined) {
    out.raw(',"ungrounded":');
    out.string(item.ungrounded);
  }
  if (item.refused !== undefined) {
    out.raw(',"refused":');
    out.json(item.refused);
  }
  if (item.kind === 'relationship') {
    out.raw(',"source":');
    out.json(item.source);
    out.raw(',"target":');
    out.json(item.target);
  }
  if (item.unresolved !== undefined) {
    out.raw(',"unresolved":');
    out.json(item.unresolved);
  }
  if (item.fields !== NO_FIELDS) {
    out.raw(',"fields":');
    out.json(item.fields);
  }
  out.raw('}');
}
