import type { Bls, PossessionProof } from "../crypto/bls.js"
import { valueOrThrow } from "../lib/invalid.js"
import { type NodeID, nodeIDText } from "../types/id.js"
import { genesisError } from "./errors.js"
import type { Genesis } from "./genesis.js"

/** The BLS key of a validator of the genesis, and the proof that the validator owns it. */
export interface GenesisProof extends PossessionProof {
  readonly nodeID: NodeID
}

/** Number of proofs that are verified together. */
const TOGETHER = 64

/** Lists the proofs of possession of a genesis, in the order of its validators. */
export function proofsOf(genesis: Pick<Genesis, "body">): readonly GenesisProof[] {
  return genesis
    .body()
    .validators.flatMap(({ unsignedTx }) =>
      unsignedTx.kind === "AddPermissionlessValidatorTx" && unsignedTx.signer.kind === "ProofOfPossession"
        ? [{ nodeID: unsignedTx.validator.nodeID, ...unsignedTx.signer }]
        : [],
    )
}

/** Verifies one proof of possession. Throws `genesis.bad_proof` with the node ID of its validator. */
export function verifyProof({ nodeID, publicKey, proofOfPossession }: GenesisProof, bls: Bls): void {
  valueOrThrow(
    () => bls.verifyPossession(publicKey, proofOfPossession),
    ({ sentence: reason }) => genesisError("genesis.bad_proof", { nodeID: nodeIDText(nodeID), reason }),
  )
}

/** Verifies proofs of possession. Throws `genesis.bad_proof` for the first that is invalid. */
export async function verifyProofs(proofs: readonly GenesisProof[], bls: Bls): Promise<void> {
  await bls.preparePossession()
  for (let from = 0; from < proofs.length; from += TOGETHER) {
    const part = proofs.slice(from, from + TOGETHER)
    // One by one they are verified to find the invalid one.
    if (!bls.arePossessions(part)) for (const proof of part) verifyProof(proof, bls)
  }
}
