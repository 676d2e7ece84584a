import { createPrivateKey, type KeyObject, randomBytes, X509Certificate } from "node:crypto"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { nodeIDOfCertificate } from "../../core/crypto/certificate.js"
import { localStakers } from "../../core/genesis/localStakers.js"
import { localBlsSecrets } from "../../core/genesis/testKeys.js"
import { utf8 } from "../../core/lib/bytes.js"
import { Invalid, refusals } from "../../core/lib/invalid.js"
import type { NodeID } from "../../core/types/id.js"
import { entryKind } from "../../files/entryKind.js"
import { makeOwnerDirectory } from "../../files/ownerOnly.js"
import { readRawFile } from "../../files/readBoundedFile.js"
import { writeWholeFile } from "../../files/writeWholeFile.js"
import { bls } from "../../platform/backends.js"
import { parseCertificate } from "../../platform/certificate.js"
import { newStakingCertificate, type StakingCertificate } from "../../platform/stakingCertificate.js"
import type { DevIdentity } from "../../producer/keys/identities.js"

export const stakingFolder = (dataDir: string): string => join(dataDir, "staking")

export interface Identity extends DevIdentity {
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
  return {
    nodeID: nodeIDOfCertificate(staking.certificate) as NodeID,
    staking,
    secret,
    publicKey: bls().publicKey(secret),
    proofOfPossession: bls().signPossession(secret),
  }
}

/** Errors of the files and flags of a node's identity. Their data names flags and files, never their contents. */
export const identityError = refusals({
  "node.identity_file_missing": "a file of the node's identity is not there",
  "node.identity_file_unreadable": "a file of the node's identity cannot be read",
  "node.staking_link": "the folder of staking keys in the data directory is a link; name the key files with flags instead",
  "node.staking_half_given": "the staking certificate and its key are given together or not at all",
  "node.not_base64": "the value of this flag is not base64",
  "node.bad_staking_certificate": "the staking certificate is not a certificate in PEM that a node may have",
  "node.bad_staking_key": "the staking key is not a private key in PEM",
  "node.foreign_staking_key": "the staking key does not belong to the certificate",
  "node.bad_signer_key": "the signer key is not 32 bytes of a BLS secret",
  "node.several_signers": "only one of the flags that choose the signer key may be given",
})

/** AvalancheGo's flags by their names. A flag with content has the content of the file in base64. */
export interface IdentityFlags {
  readonly "staking-tls-key-file"?: string | undefined
  readonly "staking-tls-cert-file"?: string | undefined
  readonly "staking-tls-key-file-content"?: string | undefined
  readonly "staking-tls-cert-file-content"?: string | undefined
  readonly "staking-ephemeral-cert-enabled"?: boolean | undefined
  readonly "staking-signer-key-file"?: string | undefined
  readonly "staking-signer-key-file-content"?: string | undefined
  readonly "staking-ephemeral-signer-enabled"?: boolean | undefined
}

/** Returns the certificate and key of a node: new by their flag, or of the contents, the files or the folder, where a missing pair is made. */
function stakingCertificate(flags: IdentityFlags, folder: string | undefined, now: bigint): StakingCertificate {
  if (flags["staking-ephemeral-cert-enabled"]) return newStakingCertificate(now)
  const key = contentOf(flags, "staking-tls-key-file-content")
  const certificate = contentOf(flags, "staking-tls-cert-file-content")
  if (key && certificate) return pairOf(certificate, key)
  if (key || certificate) throw identityError("node.staking_half_given")
  const { "staking-tls-key-file": keyFile, "staking-tls-cert-file": certificateFile } = flags
  const isGiven = keyFile !== undefined || certificateFile !== undefined
  if (folder === undefined && !isGiven) return newStakingCertificate(now)
  const keyPath = keyFile ?? fileIn(folder, "staker.key")
  const certificatePath = certificateFile ?? fileIn(folder, "staker.crt")
  // The key alone decides, because a certificate without its key is useless.
  if (!isGiven && !existsSync(keyPath)) makePair(certificatePath, keyPath, now)
  return pairOf(read(certificatePath), read(keyPath))
}

/** Returns the path of the missing half of a pair. */
function fileIn(folder: string | undefined, name: string): string {
  if (folder === undefined) throw identityError("node.staking_half_given")
  return join(folder, name)
}

/** Returns the BLS secret of a node: new by its flag, or of the content, the file or the folder, where a missing one is made. */
function signerSecret(flags: IdentityFlags, folder: string | undefined): Uint8Array {
  const file = flags["staking-signer-key-file"]
  const content = contentOf(flags, "staking-signer-key-file-content")
  const isFresh = flags["staking-ephemeral-signer-enabled"] === true
  if (Number(isFresh) + Number(content !== undefined) + Number(file !== undefined) > 1)
    throw identityError("node.several_signers")
  if (content) return checkedSecret(content)
  if (isFresh || (file === undefined && folder === undefined)) return newSecret()
  const path = file ?? join(folder as string, "signer.key")
  if (file === undefined && !existsSync(path)) write(path, newSecret())
  return checkedSecret(read(path))
}

function makePair(certificatePath: string, keyPath: string, now: bigint): void {
  const { certificate, key } = newStakingCertificate(now)
  write(certificatePath, new X509Certificate(certificate).toString())
  write(keyPath, key.export({ type: "pkcs8", format: "pem" }))
}

/** Returns new keys that are not stored, as the flags that give them to several processes. */
export function newIdentityFlags(now: bigint): Readonly<Record<keyof IdentityFlags & `${string}-content`, string>> {
  const { certificate, key } = newStakingCertificate(now)
  const base64 = (content: string | Uint8Array) => Buffer.from(content).toString("base64")
  return {
    "staking-tls-cert-file-content": base64(new X509Certificate(certificate).toString()),
    "staking-tls-key-file-content": base64(key.export({ type: "pkcs8", format: "pem" }) as string),
    "staking-signer-key-file-content": base64(newSecret()),
  }
}

/** Reads a certificate and its key from PEM, and checks that both are suitable and belong together. */
function pairOf(certificatePem: Uint8Array, keyPem: Uint8Array): StakingCertificate {
  const parsed = parsedOr("node.bad_staking_certificate", () => new X509Certificate(certificatePem))
  const certificate = new Uint8Array(parsed.raw)
  parsedOr("node.bad_staking_certificate", () => parseCertificate(certificate))
  const key: KeyObject = parsedOr("node.bad_staking_key", () => createPrivateKey(Buffer.from(keyPem)))
  if (!parsed.checkPrivateKey(key)) throw identityError("node.foreign_staking_key")
  return { certificate, key }
}

function parsedOr<T>(code: keyof typeof identityError.list, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw identityError(code, error instanceof Invalid ? { reason: error.sentence } : {})
  }
}

function checkedSecret(secret: Uint8Array): Uint8Array {
  parsedOr("node.bad_signer_key", () => bls().publicKey(secret))
  return secret
}

function newSecret(): Uint8Array {
  const secret = new Uint8Array(randomBytes(32))
  // This makes it smaller than 2^254, and so smaller than the order of the group.
  secret[0]! &= 0x3f
  return secret
}

function contentOf(flags: IdentityFlags, name: keyof IdentityFlags & `${string}-content`): Uint8Array | undefined {
  const text = flags[name]
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, "base64")
  if (bytes.toString("base64") !== text) throw identityError("node.not_base64", { flag: `--${name}` })
  return new Uint8Array(bytes)
}

/** The maximum size of a key or certificate file, bytes. A flag may name an endless device. */
const MAX_IDENTITY_FILE = 1 << 16

function read(path: string): Uint8Array {
  try {
    return readRawFile(path, MAX_IDENTITY_FILE)
  } catch (error) {
    const { code } = error as { readonly code?: string }
    if (code === "ENOENT") throw identityError("node.identity_file_missing", { path })
    throw identityError("node.identity_file_unreadable", { path, reason: code })
  }
}

/** Writes a file that only its owner may read, atomically. */
function write(path: string, content: string | Uint8Array): void {
  makeOwnerDirectory(dirname(path))
  writeWholeFile(path, content, 0o400)
}
