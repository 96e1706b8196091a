// Reads records with their problems and prints a table, as the commands of Assay do.
// Run it from the root of a checkout: node tools/runtime/run.js examples/library/plugin.ts
import {
  plural,
  filledTable,
  InputError,
  makeStyle,
  memorySource,
  Problems,
  Records,
  renderTerminal,
} from 'assay/plugin';

const problems = new Problems();
const file = new Records(memorySource('notes.csv', 'id,text\n1,good\n2,\n'), { problems });
const notes: { id: string; text: string }[] = [];
for await (const batch of file.objects())
  for (const { line, values } of batch) {
    if (values['text'] === '')
      problems.add({ file: file.name, line, field: 'text', message: 'expected a text, found none' });
    else notes.push({ id: String(values['id']), text: String(values['text']) });
  }
try {
  problems.throwIfAny();
} catch (error) {
  if (error instanceof InputError) console.log(error.message); // notes.csv:3: text: expected a text, found none
}
const table = filledTable<(typeof notes)[number]>(
  [
    [{ title: 'note' }, ({ id }) => id],
    [{ title: 'text' }, ({ text }) => text],
  ],
  notes,
);
console.log(renderTerminal({ title: plural(notes.length, 'note'), sections: [{ blocks: [table] }] }, makeStyle()));
