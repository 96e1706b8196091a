-- What people and models said is only ever added: the triggers hold for whoever opens the file, with whatever program.
-- REPLACE deletes without asking a trigger on DELETE, so a row may not come where one is.
-- An event belongs to an assignment, so that nobody can answer what was not put before them.
-- review_events_by_cell alone tells which event is the last for each question: what was said before is not read.

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

CREATE TRIGGER review_events_hold BEFORE UPDATE ON review_events
BEGIN SELECT RAISE(ABORT, 'review_events: what is there is not changed'); END;

CREATE TRIGGER review_events_stay BEFORE DELETE ON review_events
BEGIN SELECT RAISE(ABORT, 'review_events: what was said is not deleted'); END;
CREATE TRIGGER review_events_are_added BEFORE INSERT ON review_events
WHEN EXISTS (SELECT 1 FROM review_events WHERE seq = NEW.seq OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'review_events: what was said is not replaced'); END;

CREATE TRIGGER review_decisions_hold BEFORE UPDATE ON review_decisions
BEGIN SELECT RAISE(ABORT, 'review_decisions: what is there is not changed'); END;

CREATE TRIGGER review_decisions_stay BEFORE DELETE ON review_decisions
BEGIN SELECT RAISE(ABORT, 'review_decisions: what was said is not deleted'); END;
CREATE TRIGGER review_decisions_are_added BEFORE INSERT ON review_decisions
WHEN EXISTS (SELECT 1 FROM review_decisions WHERE seq = NEW.seq OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'review_decisions: what was said is not replaced'); END;

CREATE TRIGGER review_judgements_hold BEFORE UPDATE ON review_judgements
BEGIN SELECT RAISE(ABORT, 'review_judgements: what is there is not changed'); END;

CREATE TRIGGER review_judgements_stay BEFORE DELETE ON review_judgements
BEGIN SELECT RAISE(ABORT, 'review_judgements: what was said is not deleted'); END;
CREATE TRIGGER review_judgements_are_added BEFORE INSERT ON review_judgements
WHEN EXISTS (SELECT 1 FROM review_judgements WHERE seq = NEW.seq OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'review_judgements: what was said is not replaced'); END;

CREATE TRIGGER reviews_hold BEFORE UPDATE ON reviews
BEGIN SELECT RAISE(ABORT, 'reviews: what is there is not changed'); END;

CREATE TRIGGER review_items_hold BEFORE UPDATE ON review_items
BEGIN SELECT RAISE(ABORT, 'review_items: what is there is not changed'); END;
