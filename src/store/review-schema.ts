/**
 * The tables of reviews: a step of the schema, not to be changed once it has been released.
 *
 * - What people and models said is only ever added: the triggers hold for whoever opens the file, with whatever program.
 * - An event belongs to an assignment, so that nobody can answer what was not put before them.
 * - `review_events_by_cell` alone tells which event is the last for each question: what was said before is not read.
 */
export const REVIEW_TABLES = `
CREATE TABLE reviews (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  seed INTEGER NOT NULL,
  task TEXT NOT NULL,
  origin TEXT,
  form TEXT
);

CREATE TABLE review_people (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  review_seq INTEGER NOT NULL REFERENCES reviews (seq),
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  generation INTEGER NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  expires_at TEXT NOT NULL,
  revoked_at TEXT,
  groups TEXT NOT NULL,
  UNIQUE (review_seq, role, name)
);

CREATE TABLE review_items (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  review_seq INTEGER NOT NULL REFERENCES reviews (seq),
  kind TEXT NOT NULL,
  case_id TEXT NOT NULL,
  system TEXT,
  language TEXT,
  hidden TEXT,
  content TEXT
);
CREATE INDEX review_items_by_review ON review_items (review_seq);

CREATE TABLE review_assignments (
  seq INTEGER PRIMARY KEY,
  person_seq INTEGER NOT NULL REFERENCES review_people (seq),
  item_seq INTEGER NOT NULL REFERENCES review_items (seq),
  position INTEGER NOT NULL,
  UNIQUE (person_seq, item_seq),
  UNIQUE (person_seq, position)
);

CREATE TABLE review_events (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  assignment_seq INTEGER NOT NULL REFERENCES review_assignments (seq),
  at TEXT NOT NULL,
  origin TEXT NOT NULL,
  field TEXT NOT NULL,
  part TEXT,
  value TEXT
);
CREATE INDEX review_events_by_cell ON review_events (assignment_seq, field, part, seq);

CREATE TABLE review_decisions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  item_seq INTEGER NOT NULL REFERENCES review_items (seq),
  person_seq INTEGER NOT NULL REFERENCES review_people (seq),
  at TEXT NOT NULL,
  field TEXT NOT NULL,
  part TEXT,
  because TEXT NOT NULL,
  value TEXT
);
CREATE INDEX review_decisions_by_cell ON review_decisions (item_seq, field, part, seq);

CREATE TABLE review_judgements (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  item_seq INTEGER NOT NULL REFERENCES review_items (seq),
  at TEXT NOT NULL,
  judge TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt_hash TEXT NOT NULL,
  field TEXT NOT NULL,
  part TEXT,
  reason TEXT,
  value TEXT
);
CREATE INDEX review_judgements_by_item ON review_judgements (item_seq);

${['review_events', 'review_decisions', 'review_judgements'].map(onlyAdded).join('')}
${['reviews', 'review_items'].map(frozen).join('')}
`;

/** The next step: the texts that reviewers of a review may look things up in. */
export const REVIEW_TEXTS = `
CREATE TABLE review_texts (
  seq INTEGER PRIMARY KEY,
  review_seq INTEGER NOT NULL REFERENCES reviews (seq),
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (review_seq, name)
);
${frozen('review_texts')}
`;

/** REPLACE deletes without asking a trigger on DELETE, so a row may not come where one is. */
function onlyAdded(table: string): string {
  return `${frozen(table)}
CREATE TRIGGER ${table}_stay BEFORE DELETE ON ${table}
BEGIN SELECT RAISE(ABORT, '${table}: what was said is not deleted'); END;
CREATE TRIGGER ${table}_are_added BEFORE INSERT ON ${table}
WHEN EXISTS (SELECT 1 FROM ${table} WHERE seq = NEW.seq OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, '${table}: what was said is not replaced'); END;
`;
}

function frozen(table: string): string {
  return `
CREATE TRIGGER ${table}_hold BEFORE UPDATE ON ${table}
BEGIN SELECT RAISE(ABORT, '${table}: what is there is not changed'); END;
`;
}
