import { localStakers } from "../../../src/core/genesis/localStakers.js"
import { addressText } from "../../../src/core/types/address.js"
import { devOf } from "../../../src/producer/dev.fixture.js"
import { ownerOf, Payer, payer } from "./payer.js"
import type { RunningNode } from "./runningNode.js"
import { underCortina } from "./scenario/cortina.js"
import { crossings, payFriend, stakes } from "./scenario/granite.js"
import { l1 } from "./scenario/l1.js"
import { authorized, friend, type Scenario } from "./scenario/scenario.js"
import { DURANGO, END, GRANITE, HOUR } from "./when.js"

export type MadeChain = Awaited<ReturnType<typeof makeChain>>

/** Makes a chain with something of each kind that a method can return, by real transactions and by moving the clock. */
export async function makeChain(node: RunningNode) {
  const purse = new Payer(node)
  const locals = localStakers.map(({ nodeID }) => nodeID)
  const act: Scenario = { node, payer: purse, locals, newNode: () => devOf(node.chain).newIdentity() }
  const travel = (to: bigint, settle = true) => node.call("dev.advanceTime", { to, settle })

  const cortina = await underCortina(act)
  await travel(DURANGO, false)
  const change = { subnetID: cortina.txs.subnet.id, ...authorized }
  const dismissal = await purse.issue("RemoveSubnetValidatorTx", { ...change, nodeID: locals[1]! })
  const transfer = await purse.issue("TransferSubnetOwnershipTx", { ...change, newOwner: ownerOf(friend, payer) })
  await travel(GRANITE + HOUR)
  const payment = await payFriend(act)
  const made = await l1(act)
  const staked = await stakes(act)
  await travel(END - HOUR)
  const crossed = await crossings(act, addressText(friend, "local"))
  await travel(END)
  const { validations, members } = made
  const nodes = { locals: localStakers, keyless: cortina.keyless, stayer: staked.stayer, members }
  const { exported, waiting } = crossed
  return {
    txs: { ...cortina.txs, dismissal, transfer, payment, ...made.txs, ...staked.txs, exported },
    validations,
    nodes,
    waiting,
  }
}
