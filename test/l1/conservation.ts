import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { blockAt } from "../../src/core/blocks/acceptedBlocks.js"
import type { Block } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { OuterChain } from "../../src/core/consensus/proposer/outerChain.js"
import { heightOf, tables } from "../../src/core/state/tables.js"
import { type View, valuesOf } from "../../src/core/state/view.js"
import type { ID } from "../../src/core/types/id.js"
import { innerOutput } from "../../src/core/types/output.js"
import { decodeUtxo, type Utxo } from "../../src/core/types/utxo.js"
import { nodeTables } from "../../src/datadir/nodeTables.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { reexecute } from "../../src/datadir/reexecute.js"
import { genesisEdits, storedChain } from "../../src/datadir/storedChain.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import type { CChainOptions, DevnetOptions } from "../../src/devnet/devnetOptions.js"
import { atomicTxsOf } from "../../src/evm/atomicTx.js"
import { flowOf } from "../../src/hosting/blockMemory.js"
import { checkCChainAccounts, sumOfAccounts } from "../../src/hosting/cChainAccounts.js"
import { overridesOf } from "../../src/producer/chain/overrides.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { Auditor } from "../execution/audit.js"
import { eth } from "./evm.js"
import { pluginDir } from "./plugins.js"

const WEI = 10n ** 9n

/** The C-Chain after one of its blocks: what it has told the P-Chain so far, its accounts (wei), and what its transactions have burned (nAVAX). */
interface CChainState {
  readonly changes: number
  readonly accounts: bigint
  readonly burned: bigint
}

/** Reads the states of the C-Chain after genesis and after each block, whose accounts change as its atomic transactions say. */
async function cChainStates(rpcUrl: string, avaxAssetID: ID): Promise<readonly CChainState[]> {
  const rpc = (method: string, params: readonly unknown[]) => eth(rpcUrl, method, params)
  const last = BigInt((await rpc("eth_blockNumber", [])) as string)
  const states: CChainState[] = [{ changes: 0, accounts: (await sumOfAccounts(rpc, 0n)) as bigint, burned: 0n }]
  for (let height = 1n; height <= last; height++) {
    const block = (await rpc("eth_getBlockByNumber", [`0x${height.toString(16)}`, false])) as { blockExtraData: string }
    const before = states.at(-1) as CChainState
    let [accounts, burned] = [before.accounts, before.burned]
    const peers = new Set<ID>()
    for (const { unsignedTx } of atomicTxsOf(Buffer.from(block.blockExtraData.slice(2), "hex"))) {
      const { taken, paid } = flowOf(unsignedTx, avaxAssetID)
      accounts += WEI * (unsignedTx.kind === "import" ? paid : -taken)
      burned += taken - paid
      peers.add(unsignedTx.kind === "import" ? unsignedTx.sourceChain : unsignedTx.destinationChain)
    }
    expect([height, await sumOfAccounts(rpc, height)]).toEqual([height, accounts])
    states.push({ changes: before.changes + peers.size, accounts, burned })
  }
  return states
}

/**
 * Starts a devnet with a C-Chain on the real plugin. Its stop first expects that AVAX was conserved after each of its blocks. Before a revert a
 * test asks for that itself with `isConserved`.
 */
export async function startWithCChain(options: DevnetOptions & { readonly cChain?: true | CChainOptions } = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "serac-with-c-chain-"))
  const devnet = await startDevnet({ pluginDir, cChain: true, ...options, dataDir })
  const isConserved = () => expectConserved(dataDir, devnet.cChain.rpcUrl)
  const stop = async () => {
    try {
      await isConserved()
    } finally {
      await devnet.stop()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true })
    }
  }
  return { ...devnet, isConserved, stop, [Symbol.asyncDispose]: stop }
}

/**
 * Executes the P-Chain of a node again, and sums the AVAX of both chains after each block: on P (with stakes), in the accounts of C (with the
 * one that gets fees), between the chains, and what was burned, less what was minted. The node may run, and makes no block meanwhile.
 */
export async function expectConserved(dataDir: string, rpcUrl: string): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), "serac-audit-"))
  cpSync(chainDir(dataDir), copy, {
    recursive: true,
    filter: (path) => !path.endsWith(".mdb-lock") && !path.includes("serac.lock"),
  })
  const store = openStore(copy, { readOnly: true })
  try {
    const data = storedChain(store)
    const { avaxAssetID } = data.genesis
    const cChain = await cChainStates(rpcUrl, avaxAssetID)
    const again = new MemoryStore({ tables: nodeTables })
    again.commit(genesisEdits(data))
    const outer = new OuterChain(new Chain({ rules: data.rules, state: again, trustSignatures: true }))
    const overrides = [...overridesOf(store.latest)]
    let [changes, credited, mintedBetween] = [0, 0n, 0n]
    const executeUntil = async (height: bigint) => {
      await reexecute(store.latest, { outer, store: again, until: height, now: Date.now })
      credited = 0n
      for (const { override } of overrides.filter((each) => each.height === height)) {
        if (override.kind === "sharedMemory") changes++
        if (override.kind === "utxo") credited += amountOf(override.utxo)
        if (override.kind === "atomicUtxo") mintedBetween += amountOf(override.utxo)
      }
    }
    await executeUntil(0n)
    const auditor = new Auditor(again.latest, data.rules)
    const sumNow = () => {
      const { accounts, burned } = cChain.find((each) => each.changes >= changes) as CChainState
      return WEI * (auditor.total - auditor.made + waitingIn(again.latest) - mintedBetween + burned) + accounts
    }
    const first = sumNow()
    for (let height = 1n; height <= heightOf(store.latest); height++) {
      await executeUntil(height)
      auditor.after(blockAt(store.latest, height) as Block, again.latest, credited)
      expect([height, sumNow()]).toEqual([height, first])
    }
    expect(changes).toBe(cChain.at(-1)?.changes)
    expect([...again.latest.rows(tables.atomicUtxos)]).toEqual([...store.latest.rows(tables.atomicUtxos)])
    const { accounts } = cChain.at(-1) as CChainState
    const found = `the accounts of the C-Chain have ${accounts} wei after block ${cChain.length - 1}, as its imports and exports say`
    expect(await checkCChainAccounts(store, pluginDir)).toBe(found)
  } finally {
    await store.close()
    rmSync(copy, { recursive: true })
  }
}

const amountOf = ({ output }: Utxo): bigint => innerOutput(output).amount

/** The AVAX between the chains, in either direction. */
const waitingIn = (view: View): bigint =>
  [...valuesOf(view.rows(tables.atomicUtxos))].reduce((sum, { value }) => sum + amountOf(decodeUtxo(value)), 0n)
