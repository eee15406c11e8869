"""Whether tables in PostgreSQL are as we make them, with nothing that a transaction of ours would start.

The database's owner may have added a trigger or a rule to a table, a default that is a function, or a view instead of
a table. It would run with the rights of the operator, who may be allowed to start programs on the server.
"""

from __future__ import annotations

import re

from sqlalchemy import Connection, text

from dohyo.series.store.errors import DamagedError
from dohyo.series.store.tables import METADATA, VERSION_TABLE

# What our defaults are: the next number of a sequence, and a checksum that no row has.
DEFAULT = re.compile(r"nextval\('[^'\\]*'::regclass\)|'?0'?(::bigint)?")

# Each type is written out, so that PostgreSQL's own operators are used, whatever others exist. Other people's
# functions and operators are refused even if we do not name them: one that fits a call of ours better would be used
# instead. Only the server's owner can have made functions in C.
CHECKS = """
WITH ours AS (
    SELECT c.oid, c.relkind, c.relrowsecurity FROM pg_catalog.pg_class c
    WHERE c.relnamespace = CAST(:schema AS oid) AND c.relname = ANY (CAST(:names AS name[]))
)
SELECT 'something else in the place of a table' AS what, NULL AS shown FROM ours
    WHERE ours.relkind <> CAST('r' AS "char")
UNION ALL SELECT 'triggers', NULL FROM pg_catalog.pg_trigger t JOIN ours ON t.tgrelid = ours.oid
    WHERE NOT t.tgisinternal
UNION ALL SELECT 'rules', NULL FROM pg_catalog.pg_rewrite r JOIN ours ON r.ev_class = ours.oid
UNION ALL SELECT 'row policies', NULL FROM ours WHERE ours.relrowsecurity
UNION ALL SELECT 'row policies', NULL FROM pg_catalog.pg_policy p JOIN ours ON p.polrelid = ours.oid
UNION ALL SELECT 'check constraints', NULL FROM pg_catalog.pg_constraint k JOIN ours ON k.conrelid = ours.oid
    WHERE k.contype = CAST('c' AS "char") OR k.contype = CAST('x' AS "char")
UNION ALL SELECT 'indices of expressions', NULL FROM pg_catalog.pg_index i JOIN ours ON i.indrelid = ours.oid
    WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
UNION ALL SELECT 'tables that inherit', NULL FROM pg_catalog.pg_inherits h JOIN ours
    ON h.inhparent = ours.oid OR h.inhrelid = ours.oid
UNION ALL SELECT 'types', NULL FROM pg_catalog.pg_attribute a JOIN ours ON a.attrelid = ours.oid
    JOIN pg_catalog.pg_type y ON y.oid = a.atttypid JOIN pg_catalog.pg_namespace n ON n.oid = y.typnamespace
    WHERE n.nspname <> CAST('pg_catalog' AS name)
UNION ALL SELECT 'collations', NULL FROM pg_catalog.pg_attribute a JOIN ours ON a.attrelid = ours.oid
    JOIN pg_catalog.pg_type y ON y.oid = a.atttypid WHERE a.attcollation <> y.typcollation
UNION ALL SELECT 'keys of other tables or to them', NULL FROM pg_catalog.pg_constraint k
    LEFT JOIN ours o ON k.conrelid = o.oid LEFT JOIN ours p ON k.confrelid = p.oid
    WHERE k.contype = CAST('f' AS "char") AND (o.oid IS NULL) <> (p.oid IS NULL)
UNION ALL SELECT 'functions', NULL FROM pg_catalog.pg_proc f JOIN pg_catalog.pg_language l ON l.oid = f.prolang
    WHERE f.pronamespace = CAST(:schema AS oid) AND l.lanname <> CAST('c' AS name)
UNION ALL SELECT 'operators', NULL FROM pg_catalog.pg_operator o
    JOIN pg_catalog.pg_proc f ON f.oid = CAST(o.oprcode AS oid) JOIN pg_catalog.pg_language l ON l.oid = f.prolang
    WHERE o.oprnamespace = CAST(:schema AS oid) AND l.lanname <> CAST('c' AS name)
UNION ALL SELECT 'defaults', pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef d
    JOIN ours ON d.adrelid = ours.oid
"""

COLUMNS = """
SELECT c.relname, a.attname, pg_catalog.format_type(a.atttypid, CAST(NULL AS int4))
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = CAST(:schema AS oid) AND c.relname = ANY (CAST(:names AS name[]))
    AND a.attnum > CAST(0 AS int2) AND NOT a.attisdropped
"""


def check_objects(connection: Connection) -> None:
    """Raise `DamagedError` if something on our tables would start foreign code."""
    for what, shown in connection.execute(text(CHECKS), _place(connection)).all():
        if shown is None or not DEFAULT.fullmatch(shown):
            raise DamagedError(f"it holds {what}, which ours do not")


# How PostgreSQL calls the types that we call otherwise.
CALLED = {"float": "double precision"}


def check_columns(connection: Connection) -> None:
    """Raise `DamagedError` if one of our tables, of the newest version, lacks a column, has others, or other types.

    A comparison with a column of another type is an error of the statement, and would be taken for a defect of ours.
    """
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in connection.execute(text(COLUMNS), _place(connection)).all():
        found.setdefault(str(table), {})[str(column)] = str(kind)
    for name, wanted in METADATA.tables.items():
        kinds = {column.key: column.type.compile(connection.dialect).lower() for column in wanted.c}
        if found.get(name) != {column: CALLED.get(kind, kind) for column, kind in kinds.items()}:
            raise DamagedError(f"the table {name} is not ours")


def _place(connection: Connection) -> dict[str, object]:
    """The store's schema, which is the first one that names are looked for in, and the names of our tables."""
    query = "SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname = pg_catalog.current_schema()"
    return {"schema": connection.execute(text(query)).scalar(), "names": [*METADATA.tables, VERSION_TABLE]}
