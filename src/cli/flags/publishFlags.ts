import { flagWithDefault, optionalFlag } from "./flags.js"
import { integerFlag, text } from "./flagTypes.js"

/** The flags of commands that publish a chain to PostgreSQL. The URL may contain a password, so no refusal of the flag repeats it. */
export const publishFlags = {
  publish: optionalFlag(
    { ...text, value: "URL", expects: "the URL of a PostgreSQL database" },
    "Writes every accepted block into this PostgreSQL database, postgres://USER:PASSWORD@HOST:PORT/NAME; see docs/sql.md",
  ),
  "snapshot-every": flagWithDefault(
    integerFlag(1, 1_000_000_000),
    "Number of blocks after which --publish also stores a snapshot of the state, from which read servers start",
    10_000,
  ),
}
