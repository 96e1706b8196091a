-- Every event that a score was sent by: the row of the score is made of all of them. None for scores that are saved directly.
CREATE TABLE score_events (
  score_seq INTEGER NOT NULL REFERENCES scores (seq) ON DELETE CASCADE,
  id TEXT NOT NULL,
  sent_at TEXT NOT NULL,
  fields TEXT NOT NULL,
  PRIMARY KEY (score_seq, id)
) WITHOUT ROWID;
