import { expect, test } from "vitest"
import { tlsIdentity } from "../../../test/fixtures/tlsIdentity.js"
import { Mempool } from "../../core/chain/mempool.js"
import { FUJI_ID, LOCAL_ID } from "../../core/networks/names.js"
import type { JoinedChainOptions } from "./joinOptions.js"
import { defaultNetworkSettings } from "./networkSettings.js"
import { validatorOptions } from "./validation.js"

/** The delay between blocks that a validator of a network keeps, milliseconds; `undefined` if it does not vote. */
function delayOf(networkID: number, minBlockDelayMs?: number): number | undefined {
  const { certificate, key, nodeID } = tlsIdentity("ec")
  const options = {
    identity: { nodeID, staking: { certificate, key } },
    data: { rules: { networkID } },
    network: { ...defaultNetworkSettings, building: { minBlockDelayMs, usesCurrentHeight: false } },
    wall: () => 0,
  } as JoinedChainOptions
  return validatorOptions(options, new Mempool(), () => 0n)?.minBlockDelayMs
}

test("blocks have no delay between them unless a flag sets one", () => {
  expect([delayOf(LOCAL_ID), delayOf(LOCAL_ID, 250)]).toEqual([0, 250])
})

test("a validator of Fuji does not vote and builds no blocks", () => {
  expect(delayOf(FUJI_ID)).toBeUndefined()
})
