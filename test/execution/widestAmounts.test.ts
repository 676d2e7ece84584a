import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import type { Json } from "../../src/core/lib/json.js"
import { MAX64 } from "../../src/core/lib/math64.js"
import { neverPausing } from "../../src/core/lib/pace.js"
import { hrpOf } from "../../src/core/networks/names.js"
import { clearExplorer, followChain } from "../../src/core/readmodel/explorer/projectExplorer.js"
import { txsOfAddresses } from "../../src/core/readmodel/explorer/txQueries.js"
import { project, projectGenesis } from "../../src/core/readmodel/fold.js"
import { rowsFrom } from "../../src/core/sql/blockRows.js"
import { ownerCache } from "../../src/core/sql/rowContext.js"
import { textsOf } from "../../src/core/sql/texts.js"
import { Diff } from "../../src/core/state/diff.js"
import { pastOf } from "../../src/core/state/pastReader.js"
import { tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import { emptyView } from "../../src/core/state/view.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { addressText } from "../../src/core/types/address.js"
import { EMPTY_ID, type ID, idText, P_CHAIN_ID } from "../../src/core/types/id.js"
import { compareInputs, type TransferableInput } from "../../src/core/types/input.js"
import { compareOutputs, innerOutput, type TransferableOutput } from "../../src/core/types/output.js"
import { type Utxo, utxoID } from "../../src/core/types/utxo.js"
import { openStore } from "../../src/datadir/openStore.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { askOf } from "../fixtures/explorerAsk.js"
import { type Key, keyOf, ownerOf, signTx } from "../fixtures/keys.js"
import { explorerRows, OwnedHistory } from "../fixtures/ownedHistory.js"
import { testNode } from "../fixtures/rpcNode.js"
import { addGenesisOutput, rulesWith } from "../fixtures/state.js"
import { AVAX, idOfByte } from "../fixtures/txs.js"
import { attempts, Random, seed } from "../fuzz/random.js"

const CHAINS = 50
const BLOCKS = 12
const START = 1_800_000_000n
/** More than the fee of any transaction here. */
const FEE = 10_000_000n
const assets: readonly ID[] = [idOfByte(0xa1), idOfByte(0xa2)]
/** Lock times: none, and two that end after the chain. */
const locks: readonly bigint[] = [0n, START + 1_000_000n, START + 2_000_000n]
const people = [keyOf(1), keyOf(2)]
const payer = keyOf(3)
const rules = rulesWith()
const first = seed("widest amounts")

/** An output to one key, under a stakeable lock unless the lock time is 0. */
function outputTo(owner: Key, assetID: ID, amount: bigint, locktime: bigint): TransferableOutput {
  const output = { ...ownerOf(owner), kind: "TransferOutput" as const, amount }
  return { assetID, output: locktime === 0n ? output : { kind: "LockOut", locktime, output } }
}

function inputOf({ txID, outputIndex, assetID, output }: Utxo): TransferableInput {
  const input = { kind: "TransferInput" as const, amount: innerOutput(output).amount, signatureIndices: [0] }
  return {
    txID,
    outputIndex,
    assetID,
    input: output.kind === "LockOut" ? { kind: "LockIn", locktime: output.locktime, input } : input,
  }
}

const signerOf = (utxo: Utxo): Key => [...people, payer].find(({ address }) => innerOutput(utxo.output).addresses[0] === address)!

/** The bucket in which the rules sum an amount: by asset, lock and owner. */
const bucketOf = ({ assetID, output }: Pick<Utxo, "assetID" | "output">): string =>
  output.kind === "LockOut" ? `${assetID} ${output.locktime} ${innerOutput(output).addresses[0]}` : assetID

/** The genesis: every key has 2^64 − 1 of each asset under each lock, twice. */
function genesisUtxos(): Utxo[] {
  let outputIndex = 0
  const utxoOf = (output: TransferableOutput): Utxo => ({ txID: idOfByte(0x20), outputIndex: outputIndex++, ...output })
  const wide = people.flatMap((owner) =>
    assets.flatMap((assetID) =>
      locks.flatMap((lock) => [0n, 1n].map((less) => utxoOf(outputTo(owner, assetID, MAX64 - less, lock)))),
    ),
  )
  return [utxoOf(outputTo(payer, AVAX, 1_000_000_000_000n, 0n)), ...wide]
}

/** Makes a payment of as many UTXOs as the rules allow together, each to a random owner, split at random. */
function payment(random: Random, view: View): Tx {
  const all = [...view.rows(tables.utxos)].map(([, utxo]) => utxo)
  const fee = all.find(({ assetID }) => assetID === AVAX)!
  const sums = new Map<string, bigint>()
  const spent: Utxo[] = []
  for (const utxo of all.filter((each) => each !== fee).sort(() => random.below(3) - 1)) {
    const sum = (sums.get(bucketOf(utxo)) ?? 0n) + innerOutput(utxo.output).amount
    if (sum > MAX64 || random.below(8) === 0) continue
    sums.set(bucketOf(utxo), sum)
    spent.push(utxo)
  }
  const outputs = spent.flatMap(({ assetID, output }) => {
    const { amount } = innerOutput(output)
    const locktime = output.kind === "LockOut" ? output.locktime : 0n
    // Locked funds stay with their owner.
    const owner =
      locktime === 0n ? random.pick(people) : people.find((each) => each.address === innerOutput(output).addresses[0])!
    const part = amount > 1n && random.below(4) === 0 ? amount / 3n + 1n : 0n
    return [amount - part, part].filter((each) => each > 0n).map((each) => outputTo(owner, assetID, each, locktime))
  })
  const change = outputTo(payer, AVAX, innerOutput(fee.output).amount - FEE, 0n)
  const inputs = [fee, ...spent]
  const sorted = inputs.map((utxo) => ({ input: inputOf(utxo), signer: signerOf(utxo) }))
  sorted.sort((a, b) => compareInputs(a.input, b.input))
  return signTx(
    {
      kind: "BaseTx",
      networkID: rules.networkID,
      blockchainID: P_CHAIN_ID,
      memo: new Uint8Array(0),
      inputs: sorted.map(({ input }) => input),
      outputs: [change, ...outputs].sort(compareOutputs),
    },
    sorted.map(({ signer }) => [signer]),
  )
}

/** The sums that a payment took from each address and paid to it, as `getTxsByAddress` lists them. */
function effectsOf(tx: Tx, before: View, hrp: string): Json[] {
  if (tx.unsignedTx.kind !== "BaseTx") throw new Error("only payments are made here")
  const sums = new Map<string, { received: bigint; sent: bigint }>()
  const add = (address: string, assetID: ID, received: bigint, sent: bigint) => {
    const sum = sums.get(`${address} ${assetID}`) ?? { received: 0n, sent: 0n }
    sums.set(`${address} ${assetID}`, { received: sum.received + received, sent: sum.sent + sent })
  }
  for (const { txID, outputIndex } of tx.unsignedTx.inputs) {
    const { assetID, output } = before.get(tables.utxos, utxoID(txID, outputIndex))!
    add(innerOutput(output).addresses[0]!, assetID, 0n, innerOutput(output).amount)
  }
  for (const { assetID, output } of tx.unsignedTx.outputs) {
    add(innerOutput(output).addresses[0]!, assetID, innerOutput(output).amount, 0n)
  }
  return [...sums].map(([key, { received, sent }]) => {
    const [address, assetID] = key.split(" ") as [(typeof people)[number]["address"], ID]
    return { address: addressText(address, hrp), assetID: idText(assetID), received: `${received}`, sent: `${sent}` }
  })
}

const sortedTexts = (values: readonly Json[]): string[] => values.map((each) => JSON.stringify(each)).sort()

for (let i = 0; i < attempts(CHAINS); i++) {
  test(`chain ${i} keeps its history on the disk although sums of its amounts exceed 64 bits`, async () => {
    const random = new Random(first + i)
    const dir = mkdtempSync(join(tmpdir(), "serac-wide-"))
    const store = openStore(dir, { isLazy: true })
    try {
      const body = { utxos: genesisUtxos(), validators: [], chains: [] }
      const genesis = { timestamp: START, body: () => body }
      const parent = blockOf({ kind: "BanffStandardBlock", time: START, parentID: EMPTY_ID, height: 0n, txs: [] })
      const state = new Diff(emptyView)
      state.put(tables.timestamp, null, START)
      state.put(tables.lastAccepted, null, { id: parent.id, height: 0n })
      state.put(tables.blocks, parent.id, parent.bytes)
      state.put(tables.blockIDs, 0n, parent.id)
      for (const utxo of genesis.body().utxos) addGenesisOutput(state, utxo)
      projectGenesis(state, genesis)
      store.commit(state.edits)
      const chain = new Chain({ rules, state: store, project })
      const history = new OwnedHistory()
      const hrp = hrpOf(rules.networkID)
      const effects: string[][] = []
      for (let height = 1n; height <= BigInt(BLOCKS); height++) {
        const tx = payment(random, store.latest)
        effects.unshift(sortedTexts(effectsOf(tx, store.latest, hrp)))
        const time = START + height * 100n
        const block = blockOf({ kind: "BanffStandardBlock", time, parentID: chain.lastAccepted.id, height, txs: [tx] })
        chain.verify(block, { now: time })
        chain.accept(block.id)
        chain.flush()
        history.remember(height, store.latest)
      }
      const wide = effects.flat().filter((text) => /"(received|sent)":"\d{20,}"/.test(text))
      expect(wide.length).toBeGreaterThan(0)
      await history.expectFound(store.latest)
      await history.expectSums(store.latest)
      const everybody = [...people, payer].map(({ address }) => address)
      expect(
        (await txsOfAddresses(pastOf(store.latest, neverPausing), everybody, { kinds: [], limit: 100 })).events,
      ).toHaveLength(BLOCKS)
      const facts = { xChainID: EMPTY_ID, cChainID: EMPTY_ID, avaxAssetID: EMPTY_ID }
      const ask = askOf(testNode({ store, rules, genesis: facts, methods: platformMethods }))
      await history.expectAnswered(ask, hrp)
      const { txs } = await ask("platform.getTxsByAddress", { addresses: everybody.map((each) => addressText(each, hrp)) })
      expect((txs as { effects: Json[] }[]).map((each) => sortedTexts(each.effects))).toEqual(effects)
      // The rows of a published chain hold the same sums.
      const limits = { blocks: 100, size: 1 << 24 }
      const published = {
        ...{ texts: textsOf(hrp), limits, owners: ownerCache(), genesis, rules },
        ...rules,
        genesisEdits: state.edits,
      }
      expect((await rowsFrom(store.latest, 1n, published, neverPausing))?.last.height).toBe(BigInt(BLOCKS))
      const kept = explorerRows(store.latest)
      clearExplorer(store)
      for (const _ of followChain(store, { genesis }));
      expect(explorerRows(store.latest)).toEqual(kept)
    } finally {
      await store.close()
      rmSync(dir, { recursive: true, force: true })
    }
  })
}
