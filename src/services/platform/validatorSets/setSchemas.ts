import { u64 } from "../../../core/codec/primitives.js"
import { compressKey } from "../../../core/crypto/compressKey.js"
import type { CanonicalSet, ValidatorSet } from "../../../core/rules/validatorSet.js"
import { type ID, idText, type NodeID, nodeIDText } from "../../../core/types/id.js"
import { described, list } from "../../../jsonrpc/schema/kinds.js"
import { u64 as u64Text } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { byDialect, converted, map, nullable } from "../../../jsonrpc/schema/outputs.js"
import { hex, id, nodeID } from "../../kinds.js"

const byNode = "node ID"

/** An uncompressed BLS key, written in its compressed form. */
const publicKey = converted(hex, compressKey)

const contractSet = converted(
  object({
    validators: map(nodeID, u64, byNode),
    publicKeys: described(map(nodeID, publicKey, byNode), "by node ID of the validators that have a BLS public key"),
  }),
  (set: ValidatorSet) => {
    const members = sorted(set, nodeIDText)
    const keys = [...members].flatMap(([node, { publicKey }]) => (publicKey ? [[node, publicKey] as const] : []))
    return { validators: new Map([...members].map(([node, { weight }]) => [node, weight])), publicKeys: new Map(keys) }
  },
)

const avalanchegoSet = converted(
  map(nodeID, object({ publicKey: nullable(publicKey), weight: u64Text }), byNode),
  (set: ValidatorSet) =>
    new Map(
      [...sorted(set, nodeIDText)].map(([node, { publicKey, weight }]) => [node, { publicKey: publicKey ?? null, weight }]),
    ),
)

/** A validator set, in the order of the node IDs' texts. */
export const validatorSetOutput = byDialect(contractSet, avalanchegoSet)

/** The signers of a validator set, with the nodes of each in the order of their texts. */
export const canonicalSetOutput = converted(
  object({
    validators: list(object({ publicKey, weight: u64Text, nodeIDs: list(nodeID) })),
    totalWeight: described(u64Text, "The weight of all validators, including those without a BLS key."),
  }),
  ({ signers, totalWeight }: CanonicalSet) => ({
    validators: signers.map((signer) => ({ ...signer, nodeIDs: sortedTexts(signer.nodeIDs) })),
    totalWeight,
  }),
)

/** The signers of several subnets, in the order of the subnet IDs' texts. */
export const canonicalSetsOutput = converted(map(id, canonicalSetOutput, "subnet ID"), (sets: ReadonlyMap<ID, CanonicalSet>) =>
  sorted(sets, idText),
)

function sorted<K, V>(entries: ReadonlyMap<K, V>, textOf: (key: K) => string): ReadonlyMap<K, V> {
  const texts = new Map([...entries.keys()].map((key) => [key, textOf(key)]))
  return new Map([...entries].sort(([a], [b]) => ((texts.get(a) as string) < (texts.get(b) as string) ? -1 : 1)))
}

function sortedTexts(nodeIDs: readonly NodeID[]): readonly NodeID[] {
  return [...sorted(new Map(nodeIDs.map((node) => [node, null])), nodeIDText).keys()]
}
