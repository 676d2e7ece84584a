import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import type { Rules } from "../../src/core/rules/context.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { chainDir } from "../../src/datadir/places.js"
import { openLmdbStore } from "../../src/store/lmdb/openLmdbStore.js"
import { changeOf, firstUnspent, payment } from "../fixtures/longChain.js"
import type { Unspent } from "../fixtures/spendUnspent.js"
import { expectJudged } from "../judge.js"
import { type AvalancheGoNetwork, type AvalancheGoNode, ask, until, untilBootstrapped } from "./avalanchego.js"
import { type SeracProcess, startSerac } from "./seracProcess.js"

/** The path of the P-Chain's API. */
export const P = "/ext/bc/P"

/** Returns the height of a node. */
export const heightAt = async (url: string): Promise<number> => Number((await ask(url, P, "platform.getHeight")).height)

/** Options of a node that joins validators of AvalancheGo. */
export interface JoinedSeracOptions {
  readonly network: AvalancheGoNetwork
  /** The program of Serac. */
  readonly bin: string
  /** The flags that name the network and its rules. */
  readonly flags: readonly string[]
  readonly rules: Rules
}

/** A Serac node in a separate process that joins five validators of AvalancheGo, and the transactions that a test issues there. */
export class JoinedSerac {
  readonly #options: JoinedSeracOptions
  readonly #dir = mkdtempSync(join(tmpdir(), "serac-joined-"))
  #process: SeracProcess | undefined
  /** The output that the next payment spends. */
  unspent: Unspent = firstUnspent

  constructor(options: JoinedSeracOptions) {
    this.#options = options
  }

  get url(): string {
    return this.#running.url
  }

  get nodeID(): string {
    return this.#running.nodeID
  }

  /** The first of the validators. */
  get first(): AvalancheGoNode {
    return this.#options.network.nodes[0] as AvalancheGoNode
  }

  get #running(): SeracProcess {
    if (!this.#process) throw new Error("the node of Serac was not started")
    return this.#process
  }

  /** Starts the node on its data directory, and waits until it has caught up. */
  async start(): Promise<void> {
    const { network, bin, flags } = this.#options
    const validators = network.nodes.slice(0, 5)
    this.#process = await startSerac(bin, [
      ...flags,
      `--data-dir=${this.#dir}`,
      "--staking-port=0",
      "--api-dialect=avalanchego",
      `--bootstrap-ips=${validators.map(({ ip }) => ip).join(",")}`,
      `--bootstrap-ids=${validators.map(({ nodeID }) => nodeID).join(",")}`,
    ])
    await untilBootstrapped(this.url)
  }

  /** Ends the process; without a signal as `kill -9` does. */
  async end(signal?: NodeJS.Signals): Promise<void> {
    await this.#process?.end(signal)
  }

  /** Ends the process, and removes its data directory. */
  async remove(): Promise<void> {
    await this.end()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async issue(url: string, tx: Tx): Promise<void> {
    await ask(url, P, "platform.issueTx", { tx: toHexText(tx.bytes) })
  }

  /** Issues the next payment at a node. */
  async pay(url: string): Promise<Tx> {
    const tx = payment(this.unspent, this.#options.rules)
    this.unspent = changeOf(tx)
    await this.issue(url, tx)
    return tx
  }

  /** Waits until a node has committed a transaction. */
  untilCommittedAt(url: string, tx: Tx): Promise<void> {
    const isCommitted = async () => (await ask(url, P, "platform.getTxStatus", { txID: idText(tx.id) })).status === "Committed"
    return until(isCommitted, 60_000)
  }

  /** Waits until this node and the first validator have committed a transaction. */
  async untilCommitted(tx: Tx): Promise<void> {
    await this.untilCommittedAt(this.url, tx)
    await this.untilCommittedAt(this.first.url, tx)
  }

  /** Waits until this node is as high as the first validator, and compares all blocks byte for byte. */
  async expectSameBlocks(): Promise<void> {
    const height = await heightAt(this.first.url)
    await until(async () => (await heightAt(this.url)) >= height, 30_000)
    for (let at = 0; at <= height; at++) {
      const params = { height: String(at), encoding: "hex" }
      expect(await ask(this.url, P, "platform.getBlockByHeight", params)).toEqual(
        await ask(this.first.url, P, "platform.getBlockByHeight", params),
      )
    }
  }

  /** Checks that an AvalancheGo node that knows only this node catches up from it. */
  async expectServesBlocks(): Promise<void> {
    const { ip } = (await ask(this.url, "/ext/info", "info.getNodeIP")) as { ip: string }
    const partial = await this.#options.network.startPartialSync(ip, this.nodeID)
    await untilBootstrapped(partial.url)
    expect(await heightAt(partial.url)).toBe(await heightAt(this.url))
  }

  /** Stops the node, and compares its state with the state that AvalancheGo's VM computes from the blocks. */
  async expectJudged(inputs: Parameters<typeof expectJudged>[1]): Promise<void> {
    await this.end("SIGTERM")
    const store = openLmdbStore({ dir: chainDir(this.#dir), tables: nodeTables, tablesBesideChain })
    expectJudged(store, inputs)
    await store.close()
  }
}
