import { existsSync } from "node:fs"
import { join } from "node:path"
import { nodeIDOfCertificate } from "../../core/crypto/certificate.js"
import { localStakers } from "../../core/genesis/localStakers.js"
import { localBlsSecrets } from "../../core/genesis/testKeys.js"
import { utf8 } from "../../core/lib/bytes.js"
import type { NodeID } from "../../core/types/id.js"
import { entryKind } from "../../files/entryKind.js"
import { bls } from "../../platform/backends.js"
import type { StakingCertificate } from "../../platform/stakingCertificate.js"
import { type IdentityFlags, identityError, signerSecret, stakingCertificate } from "./identityKeys.js"

export const stakingFolder = (dataDir: string): string => join(dataDir, "staking")

export interface Identity {
  readonly nodeID: NodeID
  /** The BLS secret that signs Warp messages, 32 bytes. */
  readonly secret: Uint8Array
  /** The compressed BLS key, 48 bytes. */
  readonly publicKey: Uint8Array
  /** The proof of possession, 96 bytes. */
  readonly proofOfPossession: Uint8Array
  /** The certificate of the node ID. The well-known local validators have none, because no peer connects to them. */
  readonly staking?: StakingCertificate
}

export interface IdentityChoice {
  /** True if the chain has the built-in genesis. The node then is its first validator, unless a flag sets another identity. */
  readonly isBuiltIn: boolean
  /** The directory of the keys; without it they last as long as the process. */
  readonly dataDir?: string | undefined
  readonly flags?: IdentityFlags | undefined
  /** The clock, Unix seconds. */
  readonly now: bigint
}

/** Returns whether flags choose the identity of a node. */
export const isChosen = (flags: IdentityFlags): boolean =>
  Object.values(flags).some((value) => value !== undefined && value !== false)

/** Opens the identity of a node that serves a chain which it does not make: that of its directory, or one for this run. Throws `node.*`. */
export function openServedIdentity({ dataDir, ...choice }: Omit<IdentityChoice, "isBuiltIn">): Identity {
  return openIdentity({ ...choice, isBuiltIn: false, dataDir: dataDir && hasKeys(dataDir) ? dataDir : undefined })
}

export const hasKeys = (dataDir: string): boolean => existsSync(stakingFolder(dataDir))

/** Opens the identity of a node: a well-known one, one from flags, or one that is generated once and stored. Throws `node.*`. */
export function openIdentity({ isBuiltIn, dataDir, flags = {}, now }: IdentityChoice): Identity {
  if (isBuiltIn && !isChosen(flags)) return localIdentity(0)
  const folder = dataDir === undefined ? undefined : stakingFolder(dataDir)
  // Keys are written there, so a data directory of another person must not redirect them elsewhere.
  if (folder !== undefined && entryKind(folder) === "link") throw identityError("node.staking_link", { folder })
  return identityOf(stakingCertificate(flags, folder, now), signerSecret(flags, folder))
}

/** Returns one of the five validators of the built-in genesis, whose keys are public. */
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
    // Computed on first use, because it takes a while and most runs do not need it.
    get proofOfPossession() {
      proof ??= bls().signPossession(secret)
      return proof
    },
  }
}
