import { groupThousands } from "../core/lib/groupThousands.js"
import { networkNameOf } from "../core/networks/names.js"
import { idText } from "../core/types/id.js"
import type { PrivateNode } from "../sources/private/privateNode.js"

type Counts = ReturnType<PrivateNode["overrides"]>

/** The kinds of overrides for people, one and several of them. */
const kinds: readonly (readonly [keyof Counts, string, string])[] = [
  ["utxos", "created UTXO", "created UTXOs"],
  ["imports", "created UTXO to import", "created UTXOs to import"],
  ["impersonatedOwners", "impersonated owner", "impersonated owners"],
  ["uptimes", "uptime", "uptimes"],
  ["validatorKeys", "BLS key of a validator", "BLS keys of validators"],
]

/** Returns the rows of the banner about the real and the overridden parts of a fork; none if the chain is no fork. */
export function forkRows({ fork, data, overrides }: PrivateNode): readonly (readonly string[])[] {
  if (!fork) return []
  const height = groupThousands(fork.height)
  return [
    ["Fork", `of ${networkNameOf(data.rules.networkID)} after block ${height}, ${idText(fork.blockID)}, from ${fork.from}`],
    ["Real", `genesis, rules, upgrade times, all blocks up to ${height} and the state after them`],
    ["Private", "all later blocks: this node makes them, and every validator is online"],
    ["Override", overridesText(overrides())],
  ]
}

/** Returns where a fork begins and the number of its overrides, for the line that scripts read; nothing for a chain of its own. */
export function forkFacts({ fork, overrides }: PrivateNode): object {
  if (!fork) return {}
  const { from, height, blockID } = fork
  return { fork: { from, height: height.toString(), blockID: idText(blockID), overrides: overrides() } }
}

/** Lists the overrides by kind, or explains what an override is if there are none. */
function overridesText(counts: Counts): string {
  const found = kinds.flatMap(([kind, one, several]) => {
    const count = counts[kind]
    return count === 0 ? [] : [`${groupThousands(count)} ${count === 1 ? one : several}`]
  })
  if (found.length > 0) return found.join(", ")
  return "none so far (AVAX of dev.fund where ewoq has none, impersonated owners, uptimes, BLS keys of validators)"
}
