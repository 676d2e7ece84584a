import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { type BlockBody, blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { optionBlock, type Proposal } from "../../src/core/chain/options.js"
import { silentLog } from "../../src/core/lib/log.js"
import { neverPausing } from "../../src/core/lib/pace.js"
import { departuresOf } from "../../src/core/readmodel/explorer/departures.js"
import { createUntraced } from "../../src/core/readmodel/explorer/money.js"
import { explorerTables } from "../../src/core/readmodel/explorer/tables.js"
import { project } from "../../src/core/readmodel/fold.js"
import { historyGap } from "../../src/core/readmodel/historyGap.js"
import { readTables } from "../../src/core/readmodel/tables.js"
import { EXPLORER_VERSION } from "../../src/core/readmodel/versions.js"
import type { Rules } from "../../src/core/rules/context.js"
import { currentSet } from "../../src/core/rules/validatorSet.js"
import { Diff } from "../../src/core/state/diff.js"
import { RewardKind } from "../../src/core/state/facts.js"
import { pastOf } from "../../src/core/state/pastReader.js"
import { TxStatus, tables } from "../../src/core/state/tables.js"
import { type View, valuesOf } from "../../src/core/state/view.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { idText, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import { utxoID } from "../../src/core/types/utxo.js"
import { nodeTables } from "../../src/datadir/nodeTables.js"
import { makeReadModel, projectOverride } from "../../src/datadir/readModel.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { overrideEdits } from "../../src/producer/chain/overrides.js"
import { allRows } from "../../src/store/maintenance/copyRows.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { checkReplay } from "../../src/tools/check/checkReplay.js"
import { keyOf, ownerOf, signTx } from "../fixtures/keys.js"
import { openTestChain } from "../fixtures/publishedChain.js"
import * as small from "../fixtures/smallChain.js"
import { idOfByte } from "../fixtures/txs.js"
import { balanced, validFor } from "../fixtures/validFor.js"

/** A chain on a small state, with a read model that has followed it from the start. */
class SmallChain {
  readonly store = new MemoryStore({ tables: nodeTables })
  readonly chain: Chain

  constructor(state: Diff, rules: Rules) {
    state.put(explorerTables.progress, null, { version: EXPLORER_VERSION, height: 10n, time: small.NOW, isPaused: false })
    for (const [id, utxo] of state.rows(tables.utxos)) state.put(tables.untracedOutputs, id, { height: 10n, utxo })
    for (const [{ subnetID }] of state.rows(tables.members)) {
      const { size } = currentSet(state, subnetID)
      state.put(readTables.setProgress, subnetID, { changes: size, members: size, since: 0n })
    }
    createUntraced(state, [...valuesOf(state.rows(tables.utxos))], 10n)
    this.store.commit(allRows(state, nodeTables))
    this.chain = new Chain({ rules, state: this.store, project, checksImports: true })
  }

  /** Accepts a block of these transactions at a time, or a proposal and its option. */
  accept(time: bigint, body: { readonly txs: readonly Tx[]; readonly tx?: Tx }, option: "commit" | "abort" = "commit"): void {
    const { id: parentID, height } = this.chain.lastAccepted
    const kind = body.tx ? "BanffProposalBlock" : "BanffStandardBlock"
    const block = blockOf({ kind, time, parentID, height: height + 1n, ...body } as BlockBody)
    for (const each of body.tx ? [block, optionBlock(block as Proposal, option)] : [block]) {
      this.chain.verify(each, { now: time, pChainHeight: height })
      this.chain.accept(each.id)
    }
    this.chain.flush()
  }
}

test("a permissioned validator that returns in the block of its end has ended, and is later removed", async () => {
  const state = small.smallState()
  small.endCycle(state)
  // The validator of the subnet has a transaction, and nobody else leaves before it.
  const { tx, signers } = validFor("AddSubnetValidatorTx")
  const end = small.NOW + 1_000_000n
  const auto = state.first(tables.currentStakers)![0]
  state.delete(tables.currentStakers, auto)
  const validator = { nodeID: small.OTHER_NODE, start: end, end: end + 1_000_000n, weight: 7n, subnetID: small.SUBNET }
  const again = signTx(balanced({ ...tx, validator }, "helicon"), signers)
  state.put(tables.txs, idOfByte(0x33), { status: TxStatus.committed, height: 1n, bytes: signTx({ ...tx, validator }, []).bytes })
  const chain = new SmallChain(state, small.smallRules("helicon"))
  const { store } = chain
  chain.accept(end, { txs: [again] })
  const removal = validFor("RemoveSubnetValidatorTx")
  const [change] = [...valuesOf(store.latest.rows(tables.utxos))].filter(({ txID }) => txID === again.id)
  const input = { txID: again.id, outputIndex: 0, assetID: change!.assetID }
  const amount = (change!.output as { amount: bigint }).amount
  const inputs = [{ ...input, input: { kind: "TransferInput" as const, amount, signatureIndices: [0] } }]
  const removed = {
    ...removal.tx,
    inputs,
    outputs: [
      {
        assetID: input.assetID,
        output: { ...ownerOf(small.alice), kind: "TransferOutput" as const, amount: amount - 10_000_000n },
      },
    ],
  }
  chain.accept(end + 500n, { txs: [signTx(removed, removal.signers)] })
  expect(historyGap(store.latest)).toBeUndefined()
  const left = await departuresOf(pastOf(store.latest, neverPausing), small.SUBNET, { limit: 9 })
  expect(left.map(({ height, stakerID, reason }) => [height, stakerID, reason])).toEqual([
    [12n, again.id, "removed"],
    [11n, idOfByte(0x33), "expired"],
  ])
})

test("a validator whose own reward is zero is paid its delegators' fee as a fee, also to the owner of both", () => {
  const state = small.smallState()
  small.endCycle(state)
  const key = { subnetID: PRIMARY_NETWORK_ID, nodeID: small.AUTO_NODE }
  const [first, auto] = state.first(tables.currentStakers)!
  // The validator earned nothing itself, has no restaked rewards, and continues.
  state.delete(tables.currentStakers, first)
  state.put(tables.currentStakers, first, { ...auto, potentialReward: 0n })
  state.put(tables.currentValidators, key, { ...auto, potentialReward: 0n })
  state.put(tables.delegateeRewards, key, 5_000_000n)
  const both = ownerOf(small.bob)
  const tx = {
    ...(small.AUTO_TX.unsignedTx as { readonly kind: "AddAutoRenewedValidatorTx" }),
    validationRewardsOwner: both,
    delegationRewardsOwner: both,
  }
  state.put(tables.txs, small.AUTO_TX.id, { status: TxStatus.committed, height: 1n, bytes: signTx(tx as never, []).bytes })
  const chain = new SmallChain(state, small.smallRules("helicon"))
  const reward = signTx({ kind: "RewardAutoRenewedValidatorTx", txID: small.AUTO_TX.id, timestamp: small.NOW }, [])
  chain.accept(small.NOW, { txs: [], tx: reward })
  expect([...valuesOf(chain.store.latest.rows(readTables.rewardsByAddress))]).toEqual([
    { txID: reward.id, outputIndex: 0, kind: RewardKind.delegationFee },
  ])
})

test("an L1 validator that is registered and swept in one block has run out", async () => {
  await using devnet = await startDevnet({
    startTime: 1_900_000_000n,
    freezeTime: true,
    flags: { "validator-fees-min-price": 2 },
  })
  const { subnetID } = await devnet.dev.createL1({ validators: 1, balance: 5_000_000_000 })
  const { validationID } = await devnet.dev.registerL1Validator({ subnetID, weight: 5, balance: 1 })
  const { events } = await devnet.rpc("platform.getL1ValidatorHistory", { validationID })
  expect(events.map(({ event }) => event)).toEqual(["ranOut", "registered"])
})

test("the payer of an output that an override made is found again by a rebuild, and the check finds no fault", async () => {
  const { store, data, chain } = openTestChain()
  const [alice, bob] = [keyOf(1), keyOf(2)]
  const assetID = data.rules.avaxAssetID
  const amount = 1_000_000n
  const utxo = {
    txID: idOfByte(0x77),
    outputIndex: 0,
    assetID,
    output: { ...ownerOf(alice), kind: "TransferOutput" as const, amount },
  }
  store.commit(overrideEdits(store.latest, [{ kind: "utxo", utxo }], 0, projectOverride))
  const tx = signTx(
    {
      kind: "BaseTx",
      networkID: data.rules.networkID,
      blockchainID: P_CHAIN_ID,
      memo: new Uint8Array(0),
      inputs: [{ ...utxo, input: { kind: "TransferInput", amount, signatureIndices: [0] } }],
      outputs: [{ assetID, output: { ...ownerOf(bob), kind: "TransferOutput", amount: 900_000n } }],
    } as never,
    [[alice]],
  )
  const { id: parentID, height } = chain.lastAccepted
  const time = (store.latest.get(tables.timestamp, null) as bigint) + 1n
  const block = blockOf({ kind: "BanffStandardBlock", time, parentID, height: height + 1n, txs: [tx] })
  const following = new Chain({ rules: data.rules, state: store, project })
  following.verify(block, { now: time })
  following.accept(block.id)
  following.flush()
  const rows = () => [...store.latest.rows(readTables.txsByAddress)]
  const kept = rows()
  expect(kept.filter(([{ owner }]) => owner === alice.address)).toHaveLength(1)
  expect(store.latest.get(tables.untracedOutputs, utxoID(utxo.txID, 0))).toEqual({ height: 0n, utxo })
  const scratch = mkdtempSync(join(tmpdir(), "serac-facts-"))
  onTestFinished(() => rmSync(scratch, { recursive: true }))
  const check = (view: View, name: string) =>
    checkReplay(view, { data, hasReadModel: true, hasOverrides: true, scratch: join(scratch, name), onBlock: () => {} })
  await check(store.latest, "right")
  const wrong = new Diff(store.latest)
  wrong.put(tables.facts, block.height, [{ kind: "runOut", step: 0, validationID: utxo.txID }])
  const said = new RegExp(
    `^facts has under ${block.height} .*${idText(utxo.txID)}.*, and replaying the blocks gives no row, of block ${block.height}$`,
  )
  await expect(check(wrong, "wrong")).rejects.toMatchObject({
    code: "node.damaged",
    data: { fault: expect.stringMatching(said) },
  })
  makeReadModel(store, data.genesis, silentLog)
  expect(rows()).toEqual(kept)
})
