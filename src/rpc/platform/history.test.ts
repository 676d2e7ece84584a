import { expect, test } from "vitest"
import { askedChain, friend, payer } from "../../../test/fixtures/askedChain.js"
import { testNode } from "../../../test/fixtures/rpcNode.js"
import type { Json } from "../../lib/json.js"
import { addressText } from "../../types/address.js"
import { idText } from "../../types/id.js"
import { platformMethods } from "./index.js"

const chain = askedChain()
const node = testNode({ ...chain, methods: platformMethods })
const address = addressText(friend, "local")
type Members = { readonly [name: string]: Json }

async function ask(name: string, params: Json): Promise<Members> {
  const { result } = await node.call(`platform.${name}`, params, "contract")
  expect((await node.call(`platform.${name}`, params, "avalanchego")).result).toEqual(result)
  return result as Members
}

/** The pages of an address's events, one after the other. */
async function pages(name: string, member: string, params: Members): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor: Json = ""; cursor !== null; ) {
    const page: Members = await ask(name, { ...params, cursor })
    all.push(...(page[member] as readonly Json[]))
    cursor = page.cursor as Json
  }
  return all
}

test("an address's transactions are those that paid it, took from it, staked for it or gave back, newest first", async () => {
  const { names } = chain
  const txs = (await ask("getTxsByAddress", { address })).txs as readonly Members[]
  expect(txs.map(({ txID, kind, height }) => [txID, kind, height])).toEqual([
    [idText(names.export.id), "ExportTx", "13"],
    [idText(names.proposal.id), "RewardValidatorTx", "11"],
    [txs[2]?.txID, "RewardValidatorTx", "9"],
    [idText(names.delegator.id), "AddPermissionlessDelegatorTx", "8"],
    [idText(names.validator.id), "AddPermissionlessValidatorTx", "7"],
    [idText(names.payment.id), "BaseTx", "1"],
  ])
  expect(txs[5]).toEqual({ txID: idText(names.payment.id), kind: "BaseTx", height: "1", timestamp: "2024-07-15T04:00:01Z" })
})

test("pages of any size hold the same, and end with none to follow", async () => {
  for (const [name, member] of [
    ["getTxsByAddress", "txs"],
    ["getRewardsByAddress", "rewards"],
  ] as const) {
    for (const each of [address, addressText(payer, "local")]) {
      const whole = await ask(name, { address: each })
      expect(whole.cursor).toBeNull()
      for (const limit of [1, 2, 3, "4", 5000]) expect(await pages(name, member, { address: each, limit })).toEqual(whole[member])
    }
  }
})

test("a cursor names a place: what comes later does not move it", async () => {
  const first = await ask("getTxsByAddress", { address, limit: 2 })
  expect(first.cursor).toBe("11-0")
  const rest = await ask("getTxsByAddress", { address, cursor: first.cursor as string })
  const newer = await ask("getTxsByAddress", { address, cursor: "999999-4" })
  expect(newer.txs).toEqual([...(first.txs as Json[]), ...(rest.txs as Json[])])
})

test("a reward says what it was for", async () => {
  const delegatorTxID = idText(chain.names.delegator.id)
  expect((await ask("getRewardsByAddress", { address })).rewards).toMatchObject([
    { stakerTxID: delegatorTxID, kind: "delegation", height: "9" },
  ])
  const own = (await ask("getRewardsByAddress", { address: addressText(payer, "local") })).rewards as readonly Members[]
  expect(own).toMatchObject([{ stakerTxID: idText(chain.names.validator.id), kind: "delegationFee", height: "11" }])
})

test("a transaction's fee is what it burned, and not what it staked, exported or put on an account", async () => {
  const feeOf = async (name: keyof typeof chain.names) => (await ask("getTxInfo", { txID: idText(chain.names[name].id) })).fee
  for (const name of ["payment", "subnet", "blockchain", "member", "conversion", "validator", "delegator", "export"] as const) {
    expect([name, await feeOf(name)]).toEqual([name, "1000000"])
  }
  expect(await ask("getTxInfo", { txID: idText(chain.genesis.validators[0]!.id) })).toMatchObject({
    kind: "AddPermissionlessValidatorTx",
    status: "Committed",
    blockID: idText(chain.genesis.block.id),
    height: "0",
    timestamp: "2024-07-15T04:00:00Z",
  })
})
