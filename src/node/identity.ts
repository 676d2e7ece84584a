import { join } from "node:path"
import { bls } from "../core/crypto/backends.js"
import { nodeIDOfCertificate } from "../core/crypto/certificate.js"
import { localStakers } from "../core/genesis/localStakers.js"
import { localBlsSecrets } from "../core/genesis/testKeys.js"
import { utf8 } from "../core/lib/bytes.js"
import type { NodeID } from "../core/types/id.js"
import { entryKind } from "../files/entryKind.js"
import { type IdentityFlags, identityError, signerSecret, stakingCertificate } from "./identityKeys.js"
import type { StakingCertificate } from "./stakingCertificate.js"

/** Identity of a node. */
export interface Identity {
  readonly nodeID: NodeID
  /** The BLS secret, 32 bytes: signs Warp messages. */
  readonly secret: Uint8Array
  /** Compressed, 48 bytes. */
  readonly publicKey: Uint8Array
  /** 96 bytes. */
  readonly proofOfPossession: Uint8Array
  /** The certificate of the node ID. The well-known local validators have none, because nobody connects to them. */
  readonly staking?: StakingCertificate
}

/** The options that decide the identity of a node. */
export interface IdentityChoice {
  /** True if the chain grew from the built-in genesis, whose first validator a node is unless a flag says otherwise. */
  readonly isBuiltIn: boolean
  /** Directory of the keys; without it they last as long as the process. */
  readonly dataDir?: string | undefined
  readonly flags?: IdentityFlags
  /** The clock, Unix seconds. */
  readonly now: bigint
}

/** The identity of a node: a well-known one, one that flags give, or one that is made once and kept. Throws `node.*`. */
export function openIdentity({ isBuiltIn, dataDir, flags = {}, now }: IdentityChoice): Identity {
  const isToldOtherwise = Object.values(flags).some((value) => value !== undefined && value !== false)
  if (isBuiltIn && !isToldOtherwise) return localIdentity(0)
  const folder = dataDir === undefined ? undefined : join(dataDir, "staking")
  // Keys are made there: a data directory from somebody else must not have them written elsewhere.
  if (folder !== undefined && entryKind(folder) === "link") throw identityError("node.staking_link", { folder })
  return identityOf(stakingCertificate(flags, folder, now), signerSecret(flags, folder))
}

/** One of the five validators of the built-in genesis, whose keys everybody knows. */
export function localIdentity(index: number): Identity {
  const staker = localStakers[index]
  const secret = localBlsSecrets[index]
  if (!staker?.signer || secret === undefined) throw new Error(`there is no local validator ${index}`)
  return { nodeID: staker.nodeID, secret: utf8(secret), ...staker.signer }
}

function identityOf(staking: StakingCertificate, secret: Uint8Array): Identity {
  let proof: Uint8Array | undefined
  return {
    nodeID: nodeIDOfCertificate(staking.certificate) as NodeID,
    staking,
    secret,
    publicKey: bls().publicKey(secret),
    // Made when it is first asked for: that takes a while, and most runs never ask.
    get proofOfPossession() {
      proof ??= bls().signPossession(secret)
      return proof
    },
  }
}
