import { optionalFlag } from "./flags.js"
import { text } from "./flagTypes.js"

/** The flags of commands that publish a chain to PostgreSQL. The URL may hold a password, so no refusal of the flag repeats it. */
export const publishFlags = {
  publish: optionalFlag(
    { ...text, value: "URL", expects: "the URL of a PostgreSQL database" },
    "Writes every accepted block into this PostgreSQL database, postgres://USER:PASSWORD@HOST:PORT/NAME; see docs/sql.md",
  ),
}
