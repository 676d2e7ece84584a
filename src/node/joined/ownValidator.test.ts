import { expect, test } from "vitest"
import { tlsIdentity } from "../../../test/fixtures/tlsIdentity.js"
import { Mempool } from "../../core/chain/mempool.js"
import { FUJI_ID, LOCAL_ID } from "../../core/networks/names.js"
import type { JoinedChainOptions } from "./joinOptions.js"
import { defaultNetworkSettings } from "./networkSettings.js"
import { OwnValidator } from "./ownValidator.js"

/** The delay between blocks that a validator of a network keeps, milliseconds; `undefined` if it does not vote. */
function delayOf(networkID: number, validates: boolean | undefined, minBlockDelayMs?: number): number | undefined {
  const { certificate, key, nodeID } = tlsIdentity("ec")
  const options = {
    identity: { nodeID, staking: { certificate, key } },
    data: { rules: { networkID } },
    validates,
    network: { ...defaultNetworkSettings, building: { minBlockDelayMs, usesCurrentHeight: false } },
    wall: () => 0,
  } as JoinedChainOptions
  return new OwnValidator(options, () => 0n).options(new Mempool())?.minBlockDelayMs
}

test("blocks of Mainnet and Fuji are a second apart, those of other networks are not, and a flag changes both", () => {
  expect([delayOf(LOCAL_ID, undefined), delayOf(FUJI_ID, true)]).toEqual([0, 1_000])
  expect([delayOf(LOCAL_ID, undefined, 250), delayOf(FUJI_ID, true, 250)]).toEqual([250, 250])
})

test("a validator of Fuji that may not vote builds no blocks", () => {
  expect([delayOf(FUJI_ID, false), delayOf(FUJI_ID, undefined)]).toEqual([undefined, undefined])
})
