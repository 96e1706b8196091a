import { openStore } from '../../src/store/store.ts';
import { said } from './reviews-scratch.ts';

/**
 * A process of its own that reviews: `node reviews-writer-main.ts FOLDER NAME PERSON COUNT`. Everything is sent twice, as
 * by someone who did not hear the answer.
 */
const [folder = '', name = '', person = '', count = '0'] = process.argv.slice(2);

const store = openStore(folder);
for (let at = 0; at < Number(count); at += 1) {
  const events = [
    said(`${name} ${at} own`, 'a', person, `of ${name}`, at),
    said(`${name} ${at} comment`, 'a', person, 'comment', `${name} ${at}`),
    // The same of everybody: whoever is first makes it.
    said(`${person} ${at}`, 'a', person, 'shared', at),
  ];
  const [first, second] = [store.reviews.append(events), store.reviews.append(events)];
  if (JSON.stringify(first) !== JSON.stringify(second)) throw new Error('sent again, it became something else');
}
store.close();
