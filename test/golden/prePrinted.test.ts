import { describe, expect, test } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { print } from "../../src/core/codec/textSink.js"
import { neverPausing } from "../../src/core/lib/pace.js"
import { addAmount, BalanceSum } from "../../src/core/readmodel/balances.js"
import { currentStakers, l1ValidatorsOf } from "../../src/core/readmodel/currentValidators.js"
import { addressesOf } from "../../src/core/readmodel/owners.js"
import { stakesOf } from "../../src/core/readmodel/stakes.js"
import { canonicalSet, validatorSetAt } from "../../src/core/rules/validatorSet.js"
import { subnetsWithChanges } from "../../src/core/state/setChanges.js"
import { isPermissioned } from "../../src/core/state/staker.js"
import { delegatorsOf } from "../../src/core/state/stakers.js"
import { tables } from "../../src/core/state/tables.js"
import { type Address, addressText } from "../../src/core/types/address.js"
import { type ID, idText, nodeIDText, PRIMARY_NETWORK_ID, parseNodeID } from "../../src/core/types/id.js"
import { topLevelUtxo, type Utxo } from "../../src/core/types/utxo.js"
import type { AnyMethod } from "../../src/jsonrpc/method.js"
import type { Dialect } from "../../src/jsonrpc/schema/param.js"
import type { Context } from "../../src/services/context.js"
import { Contexts } from "../../src/services/contexts.js"
import { Memo } from "../../src/services/memo.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { sortedByAsset } from "../../src/services/platform/utxos/amountsByAsset.js"
import { getBalance } from "../../src/services/platform/utxos/getBalance.js"
import { getStake } from "../../src/services/platform/utxos/getStake.js"
import { getUTXOs } from "../../src/services/platform/utxos/getUTXOs.js"
import { getAllValidatorsAt } from "../../src/services/platform/validatorSets/getAllValidatorsAt.js"
import { getValidatorsAt } from "../../src/services/platform/validatorSets/getValidatorsAt.js"
import { sampleValidators } from "../../src/services/platform/validatorSets/sampleValidators.js"
import { getCurrentValidators } from "../../src/services/platform/validators/getCurrentValidators.js"
import { changingFields, delegatorRecord, fixedFields, l1Record } from "../../src/services/platform/validators/records.js"
import { once } from "../fixtures/once.js"
import { goldenTip } from "../fixtures/readModel.js"
import { testNode } from "../fixtures/rpcNode.js"
import { sources } from "../sources.js"

test("this file compares the answers of every file that prints JSON without a schema", () => {
  const printers = sources().filter(({ path, text }) => !path.endsWith(".test.ts") && /new PrintedJson\(/.test(text))
  expect(printers.map(({ path }) => path.split("/").at(-1)).sort()).toEqual([
    "getAllValidatorsAt.ts",
    "printedJson.ts",
    "setPrinters.ts",
  ])
})

describe.each(["local-v1.14.2", "history-v1.14.2", "helicon-v1.15.0"])("%s", (folder) => {
  const { store, rules, genesis } = goldenTip(folder)
  const node = testNode({ store, rules, genesis, methods: platformMethods })
  const memo = new Memo(64 << 20)
  const contextIn = (dialect: Dialect): Context =>
    new Contexts({ dialect, rules, node: node.node, memo, snapshot: () => store.view() }).open().context
  const subnets = [...new Set([PRIMARY_NETWORK_ID, ...subnetsWithChanges(store.latest)])]
  const utxos = [...store.latest.rows(tables.utxos)].map(([, utxo]) => utxo)
  const addresses = [...new Set(utxos.flatMap(addressesOf))].sort()

  /** The sets of every height, with the signers of those that are not empty: the same in both dialects. */
  const setsByHeight = once(() =>
    Array.from({ length: Number(contextIn("contract").height) + 1 }, (_, height) => {
      const sets = new Map(subnets.map((subnetID) => [subnetID, validatorSetAt(store.latest, subnetID, BigInt(height))]))
      const signers = new Map([...sets].flatMap(([id, set]) => (set.size === 0 ? [] : [[id, canonicalSet(set)] as const])))
      return { height, sets, signers }
    }),
  )

  /** Compares an answer with the value as its schema prints it: when it is made, when it is stored, and when it is found in the cache. */
  async function compare(method: AnyMethod, params: object, dialect: Dialect, value: unknown): Promise<void> {
    const plain = print(method.result, value, { hrp: node.node.hrp, dialect } as object)
    for (let asked = 0; asked < 3; asked++) {
      const text = await node.resultText(method.name, params as never, dialect)
      expect([dialect, params, text]).toEqual([dialect, params, plain])
    }
  }

  describe.each(["contract", "avalanchego"] as const)("%s", (dialect) => {
    const context = contextIn(dialect)

    test("validator sets are printed as their schema prints them", async () => {
      for (const { height, sets, signers } of setsByHeight()) {
        for (const [subnetID, set] of sets) {
          await compare(getValidatorsAt, { height, subnetID: idText(subnetID) }, dialect, set)
        }
        await compare(getAllValidatorsAt, { height }, dialect, { validatorSets: signers })
      }
    })

    test("a sample of validators is printed as its schema prints it", async () => {
      const text = await node.resultText(sampleValidators.name, { size: 20 }, dialect)
      const { validators } = JSON.parse(text) as { readonly validators: readonly string[] }
      expect(validators).toHaveLength(20)
      expect(text).toBe(print(sampleValidators.result, { validators: validators.map(parseNodeID) }, {}))
    })

    test("balances, pages of UTXOs and stakes are printed as their schemas print them", async () => {
      for (const address of addresses) {
        const asked = { addresses: [addressText(address, node.node.hrp)] }
        const own = ownedBy(address)
        await compare(getBalance, asked, dialect, balanceOf(own, context))
        await compare(getUTXOs, asked, dialect, pageOf(own, address))
        await compare(getStake, asked, dialect, await stakeOf(address, context))
      }
      expect(addresses.length).toBeGreaterThan(3)
    })

    test("current validators are printed as their schema prints them, delegators too", async () => {
      for (const subnetID of subnets) {
        const all = validatorsOf(subnetID, context)
        await compare(getCurrentValidators, { subnetID: idText(subnetID) }, dialect, { validators: all })
        for (const staker of currentStakers(store.latest, subnetID)) {
          if (isPermissioned(staker.priority)) continue
          const delegators = [...delegatorsOf(store.latest, "current", staker)].map((each) => delegatorRecord(each, context))
          const record = { first: fixedFields(staker, context), second: { ...changingFields(staker, context), delegators } }
          const params = { subnetID: idText(subnetID), nodeIDs: [nodeIDText(staker.nodeID)] }
          await compare(getCurrentValidators, params, dialect, { validators: [record] })
        }
      }
    })
  })

  /** In the order of UTXO IDs, which is that of the table. */
  const ownedBy = (address: Address): readonly Utxo[] => utxos.filter((utxo) => addressesOf(utxo).includes(address))

  function balanceOf(own: readonly Utxo[], { node, dialect }: Context) {
    const sum = new BalanceSum(node.now())
    for (const utxo of own) sum.add(utxo)
    const { total, unlocked, lockedStakeable, lockedNotStakeable } = sum
    const avaxOf = (amounts: ReadonlyMap<ID, bigint>) => amounts.get(rules.avaxAssetID) ?? 0n
    return {
      balance: avaxOf(total),
      unlocked: avaxOf(unlocked),
      lockedStakeable: avaxOf(lockedStakeable),
      lockedNotStakeable: avaxOf(lockedNotStakeable),
      balances: sortedByAsset(total),
      unlockeds: sortedByAsset(unlocked),
      lockedStakeables: sortedByAsset(lockedStakeable),
      lockedNotStakeables: sortedByAsset(lockedNotStakeable),
      utxoIDs: own.length === 0 && dialect === "avalanchego" ? null : own,
    }
  }

  function pageOf(own: readonly Utxo[], address: Address) {
    const last = [...store.latest.rows(tables.utxos)].filter(([, utxo]) => addressesOf(utxo).includes(address)).at(-1)
    return {
      numFetched: own.length,
      utxos: own.map((utxo) => ({ bytes: encode(topLevelUtxo, utxo), encoding: "hex" })),
      endIndex: { address, utxo: last?.[0] },
      encoding: "hex",
    }
  }

  async function stakeOf(address: Address, { view }: Context) {
    const amounts = new Map<ID, bigint>()
    const stakes = await stakesOf(view, [address], neverPausing)
    for (const { assetID, amount } of stakes) addAmount(amounts, assetID, amount)
    const stakedOutputs = stakes.map(({ bytes }) => ({ bytes, encoding: "hex" }))
    return { staked: amounts.get(rules.avaxAssetID) ?? 0n, stakeds: sortedByAsset(amounts), stakedOutputs, encoding: "hex" }
  }

  function validatorsOf(subnetID: ID, context: Context): readonly unknown[] {
    const stakers = currentStakers(store.latest, subnetID).map((each) => ({
      first: fixedFields(each, context),
      second: changingFields(each, context),
    }))
    if (!store.latest.get(tables.conversions, subnetID)) return stakers
    return [...stakers, ...l1ValidatorsOf(store.latest, subnetID).map((each) => l1Record(each, context))]
  }
})
