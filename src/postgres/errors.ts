import { refusals } from "../core/lib/invalid.js"

/** Errors of a PostgreSQL database. Their data names the server and the database, never the password. */
export const postgresError = refusals({
  "postgres.bad_url": "the URL of a PostgreSQL database must read postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  "postgres.no_driver":
    "the package postgres, the client of PostgreSQL, is not installed beside Serac: install it with npm install postgres@3",
  "postgres.unreachable": "the PostgreSQL server does not answer; all published blocks are stored",
  "postgres.login": "the PostgreSQL server refuses the user or the password",
  "postgres.no_database": "the PostgreSQL server has no database of this name: create it with CREATE DATABASE",
  "postgres.not_allowed":
    "the PostgreSQL user may not do this: a publisher must be able to create a schema in the database, and a read server to use the schema serac and to select from its tables (GRANT USAGE, GRANT SELECT)",
  "postgres.read_only": "the PostgreSQL server is read-only: name the primary server, not a replica",
  "postgres.disk_full":
    "the PostgreSQL server has no room left on its disk; all published blocks are stored, and publishing resumes when there is room",
  "postgres.older_schema":
    "the tables in the database were made by an older version of this program: publish to an empty database, or publish to this one with --replace, which removes the schema serac and everything that depends on it",
  "postgres.newer_schema": "the tables in the database were made by a newer version of this program",
  "postgres.other_chain":
    "the database holds another chain: publish to an empty database, or remove that chain from the database with --replace",
  "postgres.replaced": "another chain has replaced the one in the database (--replace): start this server again to serve it",
  "postgres.other_block":
    "the database has another block at a height of this chain: nothing more is published; compare the two, and publish to an empty database",
  "postgres.history_incomplete":
    "the history of this node has no rows of the next block: nothing more is published until `serac repair` has made them",
  "postgres.stopped": "publishing was stopped before the last block was in the database; run the command again to go on",
  "postgres.foreign": "the schema serac of the database holds tables that this program did not make",
  "postgres.other_state":
    "the PostgreSQL server does not have the block of this answer: it lags behind, or its chain was reverted; try again later",
  "postgres.history_unavailable":
    "the PostgreSQL server does not answer, and blocks, transactions and history are read from it; the current state is answered meanwhile",
  "postgres.bad_snapshot": "a snapshot in the database is not the one that was written",
  "postgres.bad_tip":
    "the blocks in the database do not lead to its tip: the chain was reverted meanwhile, or another program has written there; it is read again",
  "postgres.no_chain": "the database holds no published chain yet: start a publisher with --publish",
  "postgres.failed": "the PostgreSQL server refuses a statement",
})
