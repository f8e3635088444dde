"""Database triggers that make scores append-only: the current mark may move, nothing else may change or vanish.

The migration installs them on SQLite and PostgreSQL. Emptying a whole table (as test tear-down does) goes around the
delete trigger on PostgreSQL; on SQLite it has to be dropped first.
"""

from __future__ import annotations

FROZEN = [
    "assignment_id",
    "annotator_id",
    "item_id",
    "round_id",
    "revision",
    "value",
    "reason",
    "idempotency_key",
    "content_version",
    "created_at",
]
TABLE = "annotation_score"
MESSAGE = "scores are append-only: add a revision instead"

_CHANGED_SQLITE = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in FROZEN)
_CHANGED_POSTGRESQL = " OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in FROZEN)

SQLITE_DELETE = f"CREATE TRIGGER score_no_delete BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"
SQLITE = [
    f"CREATE TRIGGER score_no_change BEFORE UPDATE ON {TABLE} WHEN {_CHANGED_SQLITE} "
    f"BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END",
    SQLITE_DELETE,
]
SQLITE_REVERSE = ["DROP TRIGGER IF EXISTS score_no_change", "DROP TRIGGER IF EXISTS score_no_delete"]

POSTGRESQL = [
    "CREATE FUNCTION score_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    f"CREATE TRIGGER score_no_change BEFORE UPDATE ON {TABLE} FOR EACH ROW "
    f"WHEN ({_CHANGED_POSTGRESQL}) EXECUTE FUNCTION score_append_only()",
    f"CREATE TRIGGER score_no_delete BEFORE DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION score_append_only()",
]
POSTGRESQL_REVERSE = [
    f"DROP TRIGGER IF EXISTS score_no_change ON {TABLE}",
    f"DROP TRIGGER IF EXISTS score_no_delete ON {TABLE}",
    "DROP FUNCTION IF EXISTS score_append_only()",
]
