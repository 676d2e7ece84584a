import { expect, test } from "vitest"
import { bls, secp256k1 } from "../../platform/backends.js"
import { addressOf } from "../crypto/secp256k1.js"
import { utf8 } from "../lib/bytes.js"
import { bech32Text } from "../types/address.js"
import { idOf, nodeIDText } from "../types/id.js"
import { parsePrivateKey } from "../types/privateKey.js"
import { localConfig, localStartTime } from "./local.js"
import { localStakers } from "./localStakers.js"
import { ewoq, localBlsSecrets, vmRQ } from "./testKeys.js"

test.each([
  [0n, 1_721_016_000n],
  [1_700_000_000n, 1_721_016_000n],
  [1_721_016_000n, 1_721_016_000n],
  [1_744_343_999n, 1_721_016_000n],
  [1_744_344_000n, 1_744_344_000n],
  [1_794_700_800n, 1_791_000_000n],
  [4_102_444_800n, 4_100_472_000n],
])("a local network met at %d started at %d", (now, startTime) => {
  expect(localStartTime(now)).toBe(startTime)
})

test("the local network's validators hold the secrets of their keys", () => {
  expect(localStakers).toHaveLength(5)
  for (const [i, { signer }] of localStakers.entries()) {
    const secret = utf8(localBlsSecrets[i]!)
    expect(bls().publicKey(secret)).toEqual(signer!.publicKey)
    expect(bls().signPossession(secret)).toEqual(signer!.proofOfPossession)
  }
})

test("the local network's validators are the five well-known ones", () => {
  expect(localStakers.map(({ nodeID, delegationFee }) => [nodeIDText(nodeID), delegationFee])).toEqual([
    ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", 1_000_000],
    ["NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ", 500_000],
    ["NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN", 250_000],
    ["NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu", 125_000],
    ["NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", 62_500],
  ])
})

test("the test keys own what the local genesis gives them", () => {
  expect(bech32Text(ewoq.address, "local")).toBe("local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u")
  expect(bech32Text(vmRQ.address, "local")).toBe("local1g65uqn6t77p656w64023nh8nd9updzmxyymev2")
  for (const { privateKey, address } of [ewoq, vmRQ]) {
    expect(addressOf(secp256k1().publicKey(parsePrivateKey(privateKey)))).toBe(address)
  }
})

test("the local C-Chain genesis keeps its spelling", () => {
  const { cChainGenesis } = localConfig()
  expect(utf8(cChainGenesis)).toHaveLength(822)
  expect(idOf(utf8(cChainGenesis))).toBe("547bfce53e93d14320314a78a3a423236ffeaa42c20dce66d35136086e8db081")
})
