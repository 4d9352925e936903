"""Turns kept in a PostgreSQL database (extra `postgres`); many runs may share one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row

from environments.secrets import learn_secret, told
from orchestrator.checkpoints.saver import CheckpointRow, Keep, Stamp, TurnSaver
from orchestrator.checkpoints.serializer import Own, StateSerializer
from orchestrator.errors import ConfigError, RunError

_ROWS = """
SELECT checkpoint_id, parent_checkpoint_id, metadata FROM checkpoints
WHERE thread_id = %s AND checkpoint_ns = %s
"""

_SIZE = """
SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM (
    SELECT sum(pg_column_size(c.*)) AS bytes FROM checkpoints c WHERE thread_id = %(thread)s
    UNION ALL
    SELECT sum(pg_column_size(b.*)) FROM checkpoint_blobs b WHERE thread_id = %(thread)s
    UNION ALL
    SELECT sum(pg_column_size(w.*)) FROM checkpoint_writes w WHERE thread_id = %(thread)s
) AS parts
"""

_DELETE_WRITES = """
DELETE FROM checkpoint_writes
WHERE thread_id = %(thread)s AND checkpoint_ns = '' AND checkpoint_id = ANY(%(ids)s)
"""

# A value is shared by checkpoints that follow each other in play, whatever their ids say.
_DELETE = """
WITH gone AS (
    DELETE FROM checkpoints
    WHERE thread_id = %(thread)s AND checkpoint_ns = '' AND checkpoint_id = ANY(%(ids)s)
    RETURNING checkpoint -> 'channel_versions' AS versions
), stays AS (
    SELECT checkpoint -> 'channel_versions' AS versions FROM checkpoints
    WHERE thread_id = %(thread)s AND checkpoint_ns = '' AND checkpoint_id <> ALL(%(ids)s)
)
DELETE FROM checkpoint_blobs b USING gone, jsonb_each_text(gone.versions) AS value
WHERE b.thread_id = %(thread)s AND b.checkpoint_ns = ''
AND b.channel = value.key AND b.version = value.value
AND NOT EXISTS (SELECT 1 FROM stays WHERE stays.versions ->> b.channel = b.version)
"""


class PostgresTurns(TurnSaver, PostgresSaver):
    """The checkpoints of one run among those of others."""

    failures = (psycopg.Error, ValueError)

    def __init__(
        self, connection: psycopg.Connection[Any], stamp: Stamp, keep: Keep, own: Own = dict
    ) -> None:
        super().__init__(connection, stamp=stamp, keep=keep, serde=StateSerializer(own))

    def rows(self, thread_id: str, namespace: str) -> list[CheckpointRow]:
        with self._cursor() as cursor:
            found = cursor.execute(_ROWS, (thread_id, namespace)).fetchall()
        return [CheckpointRow(*row.values()) for row in found]

    def size(self, thread_id: str) -> int:
        with self.guarded("the checkpoints cannot be measured"), self._cursor() as cursor:
            (row,) = cursor.execute(_SIZE, {"thread": thread_id}).fetchall()
        return int(row["bytes"])

    def delete(self, thread_id: str, checkpoints: Sequence[CheckpointRow]) -> None:
        ids = [one.id for one in checkpoints]
        names = {"thread": thread_id, "ids": ids}
        with self._cursor(pipeline=True) as cursor:
            cursor.execute(_DELETE_WRITES, names)
            cursor.execute(_DELETE, names)


@contextmanager
def open_postgres(
    address: str, stamp: Stamp, keep: Keep, own: Own = dict
) -> Iterator[PostgresTurns]:
    """The checkpoints of one run in the database at `address`.

    Raises:
        RunError: it cannot be reached or used.
    """
    told_address = check_address(address)
    try:
        connection = psycopg.connect(
            address, autocommit=True, prepare_threshold=0, row_factory=dict_row
        )
    except psycopg.Error as error:
        raise RunError(f"checkpoints at {told_address!r}: {told(str(error))}") from error
    with connection:
        saver = PostgresTurns(connection, stamp, keep, own)
        with saver.guarded(f"checkpoints at {told_address!r}"):
            saver.setup()
        yield saver


def check_address(address: str) -> str:
    """The address as it may be told: without its password, which is known as a secret from now on.

    Raises:
        ConfigError: it is no address of a database.
    """
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(address).items()}
    except psycopg.ProgrammingError:
        raise ConfigError(
            "--checkpoints: no address of a database; "
            "it looks like postgresql://host:5432/name, a login may stand before the host"
        ) from None
    learn_secret(parts.pop("password", None))
    return str(make_conninfo(**parts))
