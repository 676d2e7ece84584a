import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { needs } from "../needs.js"

/** The directory of a checkout of ICM's contracts (github.com/ava-labs/icm-contracts), if there is one. */
const checkout = process.env.SERAC_ICM ?? ""

/** Options of tests that need the contracts of ICM. */
export const needsIcm = needs(
  checkout !== "" && existsSync(join(checkout, "abi-bindings/go")),
  "a checkout of ava-labs/icm-contracts in the directory SERAC_ICM",
)

/** Returns the bytecode of a contract that the checkout has compiled, such as `teleporter/TeleporterMessenger`. */
export function icmBytecode(contract: string, index = 0): string {
  const name = contract.split("/").at(-1)
  const text = readFileSync(join(checkout, "abi-bindings/go", contract, `${name}.go`), "utf8")
  const found = [...text.matchAll(/Bin: *"(0x[0-9a-f_$A-Za-z]+)"/g)][index]?.[1]
  if (found === undefined) throw new Error(`${contract} has no bytecode`)
  return found
}
