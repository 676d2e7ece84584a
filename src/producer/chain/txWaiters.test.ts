import { expect, test } from "vitest"
import { AVAX } from "../../core/networks/params.js"
import type { ID } from "../../core/types/id.js"
import { Actor } from "../actor.fixture.js"
import { openDevnet } from "../devnet.fixture.js"

const manual = { blockMode: { mode: "manual" } } as const

/** Returns the present answer of a promise. */
function watched<T>(promise: Promise<T>): { answer: T | undefined | "waits" } {
  const state: { answer: T | undefined | "waits" } = { answer: "waits" }
  promise.then((answer) => {
    state.answer = answer
  })
  return state
}

test("a wait for a transaction ends with its block, its drop, or its refusal when it is issued", async () => {
  const devnet = await openDevnet({ choices: manual })
  const { dev, chain, machine } = devnet
  const actors = [await Actor.withFunds(devnet, 1, AVAX), await Actor.withFunds(devnet, 2, AVAX)] as const
  const [fine, dropped] = [actors[0].make("BaseTx", {}), actors[1].make("BaseTx", {})]
  const forged = { ...actors[0].make("CreateSubnetTx", { owner: actors[0].owner }), credentials: [] }
  const waiting = [fine, dropped, forged].map(({ id }) => watched(chain.txWaiters.wait(id, 10)))
  const answers = async () => {
    await machine.idle()
    return waiting.map(({ answer }) => answer)
  }
  expect(await answers()).toEqual(["waits", "waits", "waits"])
  await chain.issueTx(forged).catch(() => {})
  expect(await answers()).toEqual(["waits", "waits", undefined])
  for (const tx of [fine, dropped]) await chain.issueTx(tx)
  await dev.dropTx(dropped.id)
  expect(await answers()).toEqual(["waits", undefined, undefined])
  await dev.mine({ blocks: 1, filler: false })
  expect(await answers()).toEqual([{ isAborted: false, height: 3n }, undefined, undefined])
})

test("time limits a wait, and so does the end of the node", async () => {
  const { chain, machine } = await openDevnet()
  const txID = "77".repeat(32) as ID
  const [short, long] = [watched(chain.txWaiters.wait(txID, 5)), watched(chain.txWaiters.wait(txID, 25))]
  await machine.pass(4)
  expect([short.answer, long.answer]).toEqual(["waits", "waits"])
  await machine.pass(1)
  expect([short.answer, long.answer]).toEqual([undefined, "waits"])
  chain.interrupt()
  await machine.idle()
  expect(long.answer).toBeUndefined()
})

test("a wait continues after a revert, and ends with what happens then", async () => {
  const devnet = await openDevnet({ choices: manual })
  const { dev, chain, machine } = devnet
  const actor = await Actor.withFunds(devnet, 1, AVAX)
  const { id } = await dev.snapshot()
  const tx = actor.make("BaseTx", {})
  await chain.issueTx(tx)
  const waiting = watched(chain.txWaiters.wait(tx.id, 25))
  await dev.revert(id)
  await machine.idle()
  expect([waiting.answer, chain.txStatus(tx.id)]).toEqual(["waits", undefined])
  await chain.issueTx(tx)
  await dev.mine({ blocks: 1, filler: false })
  await machine.idle()
  expect(waiting.answer).toEqual({ isAborted: false, height: 2n })
})
