import { addressOf } from "../../../src/core/crypto/secp256k1.js"
import { hrpOf, networkNameOf } from "../../../src/core/networks/names.js"
import { type Address, addressText, parseAddress, parsePChainAddress, shortIDText } from "../../../src/core/types/address.js"
import { parsePrivateKey, privateKeyText } from "../../../src/core/types/privateKey.js"
import { secp256k1 } from "../../../src/platform/backends.js"
import type { Group, Verdict } from "../group.js"

/** addresses.json: keys, and addresses per network. */
export const addresses: Group = {
  key(entry, verdict) {
    const secret = parsePrivateKey(entry.private_key)
    const publicKey = secp256k1().publicKey(secret)
    const address = addressOf(publicKey) as Address
    verdict.equal("private_key_hex", secret, entry.private_key_hex)
    verdict.equal("private_key", privateKeyText(secret), entry.private_key)
    verdict.equal("public_key", publicKey, entry.public_key)
    verdict.equal("address_bytes", address, entry.address_bytes)
    verdict.equal("address_cb58", shortIDText(address), entry.address_cb58)
    for (const text of entry.addresses) spells(verdict, text, address)
  },
  address(entry, verdict) {
    const { chain, hrp } = spells(verdict, entry.address, entry.address_bytes)
    verdict.equal("chain_alias", chain, entry.chain_alias)
    verdict.equal("hrp", hrp, entry.hrp)
    verdict.equal("hrp of network_id", hrpOf(Number(entry.network_id)), entry.hrp)
  },
  hrp(entry, verdict) {
    const networks = Object.entries<string>(entry.hrps ?? {})
    for (const [networkID, hrp] of networks) verdict.equal(`hrp of ${networkID}`, hrpOf(Number(networkID)), hrp)
    if (entry.fallback !== undefined) {
      const unnamed = [0, 6, 9, 11, 9999, 12344, 12346, 0xffff_ffff].filter((each) => !(`${each}` in (entry.hrps ?? {})))
      for (const networkID of unnamed) verdict.equal(`hrp of ${networkID}`, hrpOf(networkID), entry.fallback)
    }
    if (entry.network_id === undefined) return
    const networkID = Number(entry.network_id)
    if (entry.hrp !== undefined) verdict.equal("hrp", hrpOf(networkID), entry.hrp)
    if (entry.network_name !== undefined) verdict.equal("network_name", networkNameOf(networkID), entry.network_name)
  },
  "address per network"(entry, verdict) {
    for (const [networkID, text] of Object.entries<string>(entry.addresses)) {
      const { hrp } = spells(verdict, text, entry.address_bytes)
      verdict.equal(`hrp of network ${networkID}`, hrp, hrpOf(Number(networkID)))
    }
  },
  invalid(entry, verdict) {
    const hrp = hrpOf(Number(entry.network_id))
    verdict.refuses(`${entry.address} (${entry.error})`, () => parsePChainAddress(entry.address, hrp))
  },
  "invalid private key"(entry, verdict) {
    verdict.refuses(`${entry.private_key} (${entry.error})`, () => parsePrivateKey(entry.private_key))
  },
}

/** Checks that a text decodes to this address, for any chain and network, and that the address encodes to this text. */
function spells(verdict: Verdict, text: string, address: Address): { chain: string; hrp: string } {
  const parsed = parseAddress(text)
  verdict.equal(`address of ${text}`, parsed.address, address)
  verdict.equal("text of the address", addressText(address, parsed.hrp, parsed.chain), text)
  return parsed
}
