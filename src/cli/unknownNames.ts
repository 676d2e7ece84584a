import { nearest } from "../core/lib/nearest.js"
import type { ListedCommand } from "./command.js"
import { type Environment, type FlagSet, type UnknownName, variableOf } from "./flags/flags.js"

/** The start of every variable that sets a flag. */
const PREFIX = "SERAC_"

/** Variables that other programs set: Kubernetes for a service called serac, and developers for Serac's own tests. */
const FOREIGN = /^SERAC_(SERVICE_|PORT(_|$)|(SOAK|SEED|CHROMIUM|AVALANCHEGO|PLUGINS|GO[A-Z]+)$)/

/** Returns the names with a value that have no effect in any command. `own` has the flags of the current command. */
export async function unknownNames(
  { env, configuration }: { readonly env: Environment; readonly configuration: object },
  own: FlagSet,
  commands: readonly ListedCommand[],
): Promise<readonly UnknownName[]> {
  const variables = Object.keys(env).filter((name) => name.startsWith(PREFIX) && env[name] !== "" && !FOREIGN.test(name))
  const names = Object.keys(own)
  const ownVariables = new Set(names.map(variableOf))
  const odd = {
    environment: variables.filter((name) => !ownVariables.has(name)),
    configuration: Object.keys(configuration).filter((name) => !(name in own)),
  }
  if (odd.environment.length + odd.configuration.length === 0) return []
  // A configuration may serve several commands: only now it is worth the time to load them all.
  const all = [...new Set([...names, ...(await flagNamesOf(commands))])]
  const known = { environment: all.map(variableOf), configuration: all }
  return (["configuration", "environment"] as const).flatMap((source) =>
    odd[source].filter((name) => !known[source].includes(name)).map((name) => unknown(name, source, known[source])),
  )
}

async function flagNamesOf(commands: readonly ListedCommand[]): Promise<string[]> {
  const loaded = await Promise.all(commands.map((each) => each.load()))
  return loaded.flatMap(({ flags }) => Object.keys(flags))
}

function unknown(name: string, source: UnknownName["source"], known: readonly string[]): UnknownName {
  // All variables share a prefix, which is not compared.
  const prefix = source === "environment" ? PREFIX : ""
  const withoutPrefix = (each: string) => each.slice(prefix.length)
  const near = nearest(withoutPrefix(name), known.map(withoutPrefix))
  return { name, source, ...(near === undefined ? {} : { didYouMean: prefix + near }) }
}
