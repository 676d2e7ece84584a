import { aliasesOf, chainIDOf, type GenesisChains } from "../../core/networks/aliases.js"
import { type ID, idText } from "../../core/types/id.js"
import { vmError } from "../../vmhost/errors.js"

/** The verbs of `serac l1`, now and in later versions. A name is never a verb. */
const VERBS: readonly string[] = [
  ...["list", "show", "create", "start", "stop", "remove", "help"],
  ...["health", "topup", "rehearse", "register", "weight", "disable", "relay"],
]

/** A chain with its name. */
export interface NamedChain {
  readonly name: string
  readonly chainID: ID
}

/** Checks the name of a new L1, or finds one that is free. Throws `vm.bad_name` and `vm.name_taken`. */
export function newName(wanted: string | undefined, taken: readonly string[], genesis: GenesisChains): string {
  const isTaken = (name: string) => taken.some((each) => each.toLowerCase() === name.toLowerCase()) || isReserved(name, genesis)
  if (wanted === undefined) {
    for (let number = 1; ; number++) if (!isTaken(`chain${number}`)) return `chain${number}`
  }
  if (!/^[A-Za-z][A-Za-z0-9]{0,31}$/.test(wanted) || VERBS.includes(wanted.toLowerCase()))
    throw vmError("vm.bad_name", { name: wanted })
  if (isTaken(wanted)) throw vmError("vm.name_taken", { name: wanted })
  return wanted
}

/** Returns whether a chain of the primary network has this name. */
const isReserved = (name: string, genesis: GenesisChains): boolean =>
  [name, name.toLowerCase(), name.toUpperCase()].some((each) => chainIDOf(each, genesis) !== undefined)

/** Names of all chains, for the VMs. */
export function aliasPorts(hosted: () => readonly NamedChain[], genesis: GenesisChains) {
  return {
    chainOf: (alias: string): ID | undefined =>
      chainIDOf(alias, genesis) ?? hosted().find(({ name, chainID }) => name === alias || idText(chainID) === alias)?.chainID,
    aliasesOf(chainID: ID): readonly string[] {
      const own = hosted().find((each) => each.chainID === chainID)
      return own ? [own.name, idText(chainID)] : aliasesOf(chainID, genesis)
    },
  }
}
