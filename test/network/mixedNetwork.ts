import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Rules } from "../../src/core/rules/context.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { changeOf, firstUnspent, payment } from "../fixtures/longChain.js"
import type { Unspent } from "../fixtures/spendUnspent.js"
import { AvalancheGoNetwork, ask, bootstrapFlags, until, untilBootstrapped, type ValidatorPlace } from "./avalanchego.js"
import { type SeracProcess, startSerac } from "./seracProcess.js"

const P = "/ext/bc/P"

/** Options of a network of five validators. */
export interface MixedNetworkOptions {
  /** The network and its rules; they mean the same to AvalancheGo and to Serac. */
  readonly flags: readonly string[]
  /** Number of the local network's five validators that are AvalancheGo nodes, from the first on; the default is three. */
  readonly theirs?: number
  /** Serac's program. */
  readonly bin: string
}

/** The five validators of the local network: the first as AvalancheGo nodes, the others as Serac nodes, each a process, until `stop`. */
export class MixedNetwork {
  readonly #flags: readonly string[]
  readonly #count: number
  readonly #bin: string
  readonly #dir = mkdtempSync(join(tmpdir(), "serac-mixed-"))
  readonly #theirs: AvalancheGoNetwork
  #places: readonly ValidatorPlace[] = []
  #ours: SeracProcess[] = []
  /** The output that the next payment spends. */
  unspent: Unspent = firstUnspent

  constructor({ flags, theirs = 3, bin }: MixedNetworkOptions) {
    this.#flags = flags
    this.#count = theirs
    this.#bin = bin
    this.#theirs = new AvalancheGoNetwork(flags)
  }

  /** The process of every node, in the order of the URLs. */
  get processIDs(): readonly number[] {
    return [...this.#theirs.nodes, ...this.#ours].map(({ process: child }) => child.pid as number)
  }

  /** The URLs of the AvalancheGo nodes, then of the Serac nodes. */
  get urls(): readonly string[] {
    return [...this.#theirs.nodes, ...this.#ours].map(({ url }) => url)
  }

  /** The data directories of the Serac nodes. */
  get directories(): readonly string[] {
    return this.#places.slice(this.#count).map(({ nodeID }) => join(this.#dir, nodeID))
  }

  /** Starts all five; AvalancheGo's nodes are not ready before the two others are connected. */
  async start(): Promise<void> {
    this.#places = await this.#theirs.beginValidators(this.#count)
    await this.startOurs()
    await Promise.all(this.urls.map(untilBootstrapped))
  }

  async startOurs(): Promise<void> {
    this.#ours = await Promise.all(
      this.#places
        .slice(this.#count)
        .map(({ nodeID, port, keys }, i) =>
          startSerac(this.#bin, [
            ...this.#flags,
            ...keys,
            ...bootstrapFlags(this.#places, nodeID),
            `--data-dir=${this.directories[i]}`,
            `--staking-port=${port}`,
            "--api-dialect=avalanchego",
          ]),
        ),
    )
  }

  /** Ends the Serac nodes, without a signal as `kill -9` does. */
  async endOurs(signal?: NodeJS.Signals): Promise<void> {
    await Promise.all(this.#ours.map((own) => own.end(signal)))
    this.#ours = []
  }

  async stop(): Promise<void> {
    await this.endOurs()
    await this.#theirs.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async heightAt(url: string): Promise<number> {
    return Number((await ask(url, P, "platform.getHeight")).height)
  }

  async issue(url: string, tx: Tx): Promise<void> {
    await ask(url, P, "platform.issueTx", { tx: toHexText(tx.bytes) })
  }

  /** Issues the next payment at a node. */
  async pay(url: string, rules: Rules): Promise<Tx> {
    const tx = payment(this.unspent, rules)
    this.unspent = changeOf(tx)
    await this.issue(url, tx)
    return tx
  }

  /** Waits until every running node has committed a transaction. */
  async untilCommitted(tx: Tx, milliseconds: number, pauseMs?: number): Promise<void> {
    const isCommitted = async (url: string) =>
      (await ask(url, P, "platform.getTxStatus", { txID: idText(tx.id) })).status === "Committed"
    await until(async () => (await Promise.all(this.urls.map(isCommitted))).every(Boolean), milliseconds, pauseMs)
  }

  /** The blocks of a node in hex, by height. */
  async blocksAt(url: string, height: number): Promise<unknown[]> {
    const blockAt = (at: number) => ask(url, P, "platform.getBlockByHeight", { height: String(at), encoding: "hex" })
    return Promise.all(Array.from({ length: height + 1 }, (_, at) => blockAt(at)))
  }
}
