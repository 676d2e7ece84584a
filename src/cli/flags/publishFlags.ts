import { type CommandInput, flagWithDefault, optionalFlag } from "./flags.js"
import { integerFlag, onOff, text } from "./flagTypes.js"
import { type FlagRule, needs } from "./withoutEffect.js"

/** The flags of commands that extend a chain and may publish it to PostgreSQL. The URL may contain a password, so no refusal of the flag repeats it. */
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
  replace: flagWithDefault(
    onOff,
    "Removes another chain, or the tables of an older version, from the database of --publish, which is refused otherwise, and logs what it removes",
    false,
  ),
}

/** What these flags need. */
export const publishRules: readonly FlagRule[] = [
  needs("publish", ["snapshot-every", "replace"], "the chain is not published: add --publish"),
]

/** Returns the options of a node from these flags. */
export const publishOptionsOf = (flags: CommandInput<typeof publishFlags>["flags"]) => ({
  publish: flags.publish,
  snapshotEvery: flags["snapshot-every"],
  replaces: flags.replace,
})
