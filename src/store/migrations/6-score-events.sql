-- Every event that a score was sent by: the row of the score is made of all of them. Empty for scores that are saved directly.
CREATE TABLE score_events (
  score_id TEXT NOT NULL REFERENCES scores (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  id TEXT NOT NULL,
  sent_at TEXT NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (score_id, id)
) WITHOUT ROWID;
