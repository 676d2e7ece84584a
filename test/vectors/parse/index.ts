import { Invalid, valueOrInvalid } from "../../../src/core/lib/invalid.js"
import type { Check, Entry } from "../group.js"
import { bytesOf } from "../values.js"
import { readAppGossip, readAppRequest, readPullResponse, readSignatureResponse } from "./app.js"
import type { Facts, ReadFacts } from "./facts.js"
import { readFilter, readIp, readMessage, readZstd } from "./messages.js"
import { readFrame, readHandshake, readPeerListClaim, readSession } from "./peers.js"
import { readBlock, readGenesis, readOwners, readTx, readUtxo } from "./platform.js"
import { readConversion, readJustification, readPayload, readRegistry, readUnsignedWarp, readWarp } from "./warp.js"
import { readCertificate, readEpoch, readHeader, readSignature, readWrapper } from "./wrappers.js"

/** How Serac reads each kind of bytes that peers send. */
export const readers: Readonly<Record<string, ReadFacts>> = {
  "app-gossip": readAppGossip,
  "app-request": readAppRequest,
  block: readBlock,
  certificate: readCertificate,
  claim: readPeerListClaim,
  conversion: readConversion,
  epoch: readEpoch,
  filter: readFilter,
  frame: readFrame,
  genesis: readGenesis,
  handshake: readHandshake,
  header: readHeader,
  ip: readIp,
  justification: readJustification,
  message: readMessage,
  owners: readOwners,
  payload: readPayload,
  "pull-response": readPullResponse,
  registry: readRegistry,
  session: readSession,
  signature: readSignature,
  "signature-response": readSignatureResponse,
  tx: readTx,
  "unsigned-warp": readUnsignedWarp,
  utxo: readUtxo,
  warp: readWarp,
  wrapper: readWrapper,
  zstd: readZstd,
}

/** Texts of errors, a counter of AvalancheGo's metrics, and what Go's X.509 and TLS say of a certificate, which only a connection with its node asks. */
const NOT_COMPARED = new Set(["error", "stack", "registration_error", "x509", "tls", "saved"])

/** Checks that Serac reads from bytes what AvalancheGo reads, and refuses what AvalancheGo refuses. */
export const checkParse: Check = ({ kind, bytes, also, expected }, verdict) => {
  const read = readers[kind] as ReadFacts
  const facts: Facts = { ok: true }
  const refusal = valueOrInvalid(() => read(facts, bytesOf(bytes), bytesOf(also ?? "")))
  if (refusal instanceof Invalid) facts.ok = false
  // AvalancheGo itself has no one answer.
  if (expected.wavers) return
  if (facts.ok !== expected.ok) {
    verdict.failures.push(refusal instanceof Invalid ? `refused: ${refusal.code} (${refusal.message})` : "not refused")
    return
  }
  for (const [name, value] of Object.entries(factsOf(kind, expected))) {
    // After a refusal Serac knows fewer facts.
    if (!NOT_COMPARED.has(name) && (facts.ok || name in facts)) verdict.equal(name, facts[name], value)
  }
}

/** Returns the facts of the judge. It says of the signature of an address why it is wrong, which Serac says in other words. */
function factsOf(kind: string, { claims, signature, ...facts }: Entry): Facts {
  if (Array.isArray(claims)) return { ...facts, claims: claims.map((claim) => factsOf("claim", claim)) }
  return signature === undefined ? facts : { ...facts, signature: kind === "claim" ? signature === "" : signature }
}
