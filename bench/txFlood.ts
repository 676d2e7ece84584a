import type { Chain } from "../src/core/chain/chain.js"
import { isAppMessage } from "../src/core/consensus/app/envelope.js"
import { NetworkMempool } from "../src/core/consensus/app/networkMempool.js"
import { pushGossip } from "../src/core/consensus/app/txGossip.js"
import { OuterChain } from "../src/core/consensus/proposer/outerChain.js"
import { BloomFilter } from "../src/core/p2p/bloomFilter.js"
import { encodeFrame } from "../src/core/p2p/frame.js"
import { handshakeOf } from "../src/core/p2p/handshake.js"
import { encodeMessage, type OutgoingMessage } from "../src/core/p2p/message.js"
import { Peers } from "../src/core/p2p/peers.js"
import { addUtxo } from "../src/core/rules/spend.js"
import type { Tx } from "../src/core/txs/tx.js"
import type { TransferableInput } from "../src/core/types/input.js"
import { WorkLoop } from "../src/sources/joined/workLoop.js"
import { keyOf, ownerOf, signTx } from "../test/fixtures/keys.js"
import { peerIdentity, signedIpOf } from "../test/fixtures/peerIdentity.js"
import { peersOptions } from "../test/fixtures/peersOptions.js"
import { FUNDS, NOW, smallRules, smallState, tryTx } from "../test/fixtures/smallChain.js"
import { AVAX, idOfByte, inputOf } from "../test/fixtures/txs.js"
import { balanced, toAlice, validFor, withAmount } from "../test/fixtures/validFor.js"
import { seededRandom } from "../test/simulator/random.js"

const TXS = 1_000
const SIGNATURES = 64
const PER_MESSAGE = 100
const SECONDS = 10

const UTXO = idOfByte(0x90)
const keys = Array.from({ length: SIGNATURES }, (_, i) => keyOf(1_000 + i)).sort((a, b) => (a.address < b.address ? -1 : 1))

/** Makes a payment of a UTXO with 64 owners. Each number gives another one, so that all but the first conflict with it. */
function payment(number: number): Tx {
  const input = { ...inputOf(UTXO, 0, FUNDS, AVAX).input, signatureIndices: keys.map((_, i) => i) }
  const inputs = [{ ...inputOf(UTXO, 0, FUNDS, AVAX), input }] as TransferableInput[]
  const tx = balanced({ ...validFor("BaseTx").tx, inputs, outputs: [toAlice(1n)] }, "granite")
  const outputs = tx.outputs.map((each) => withAmount(each, (amount) => amount - BigInt(number)))
  return signTx({ ...tx, outputs }, [keys])
}

/**
 * Lets a stranger push a thousand payments of 64 signatures to a validator, which refuses them once it has verified the signatures. Prints for
 * how long the event loop was held at most, and how many it verified.
 */
export async function reportTxFlood(print: (line: string) => void): Promise<void> {
  const frames = framesOf(Array.from({ length: TXS }, (_, i) => payment(i)))
  const node = new FloodedNode()
  const longest = await node.run(frames)
  print(
    `peers: ${TXS.toLocaleString("en")} pushed transactions of ${SIGNATURES} signatures from a stranger: the event loop was held for ` +
      `${longest.toFixed(0)} ms at most; ${node.verified} were verified in ${SECONDS} s`,
  )
}

/** Packs transactions into messages. */
function framesOf(txs: readonly Tx[]): readonly Uint8Array[] {
  const count = Math.ceil(txs.length / PER_MESSAGE)
  return Array.from({ length: count }, (_, i) => frameOf(pushGossip(txs.slice(i * PER_MESSAGE, (i + 1) * PER_MESSAGE))))
}

const frameOf = (message: OutgoingMessage): Uint8Array => encodeFrame(encodeMessage(message))

/** A validator with one connection, and without sockets. */
class FloodedNode {
  verified = 0
  readonly #chain = chainWithShared()
  readonly #peers: Peers
  readonly #mempool: NetworkMempool

  constructor() {
    const stopwatch = () => performance.now()
    const peers: Peers = new Peers(
      { ...peersOptions(own, 9651, seededRandom(1), [], NOW), stopwatch, unixSeconds: () => NOW },
      {
        write: () => true,
        close(_id, reason) {
          throw reason
        },
        dial: () => {},
        connected: () => {},
        disconnected: () => {},
        message: (nodeID, message) => void (isAppMessage(message) && this.#mempool.message(nodeID, message)),
        uptimeOf: () => 0,
        fault: (_, error) => {
          throw error
        },
      },
    )
    this.#peers = peers
    this.#mempool = new NetworkMempool({
      node: {
        outer: new OuterChain(this.#chain),
        peers,
        isValidating: true,
        now: () => NOW,
        steadyNow: stopwatch,
        proposedHeight: () => this.#chain.lastAccepted.height,
        preferredState: () => {
          this.verified++
          return this.#chain.state
        },
      },
      random: seededRandom(1),
      soon: (callback) => void setImmediate(callback),
      sign: (message) => message,
      onAdmitted: () => {},
      onFault(error) {
        throw error
      },
    })
  }

  /** Reads the frames as a joined node does, and returns the longest time between two turns of the event loop, milliseconds. */
  async run(frames: readonly Uint8Array[]): Promise<number> {
    const id = this.#peers.open(stranger, { ip: Uint8Array.of(127, 0, 0, 1), port: 1 }, performance.now())
    const loop = new WorkLoop({
      tick: () => this.#mempool.tick(performance.now()),
      handle: (isOutOfTime) => this.#peers.work(performance.now(), isOutOfTime),
      execute: () => false,
      failed(error) {
        throw error
      },
    })
    loop.start()
    const waiting = [...greeting(), ...frames]
    let longest = 0
    const end = performance.now() + SECONDS * 1_000
    for (let before = moment(); before.wall < end; ) {
      await new Promise((resolve) => setImmediate(resolve))
      const now = moment()
      // On a busy machine other programs run during a turn.
      longest = Math.max(longest, Math.min(now.wall - before.wall, now.processor - before.processor))
      before = now
      const frame = this.#peers.readPause(id, now.wall) === 0 ? waiting.shift() : undefined
      if (frame) this.#peers.received(id, frame, now.wall)
    }
    loop.stop()
    return longest
  }
}

/** The present time, and the processor time of this process, milliseconds. */
function moment(): { readonly wall: number; readonly processor: number } {
  const { user, system } = process.cpuUsage()
  return { wall: performance.now(), processor: (user + system) / 1_000 }
}

const [own, stranger] = [peerIdentity("own"), peerIdentity("stranger")]

/** The messages with which the stranger connects. */
function greeting(): readonly Uint8Array[] {
  const { introduction } = peersOptions(stranger, 9651, seededRandom(2), [], NOW)
  const known = BloomFilter.empty({ hashes: 1, bytes: 1 }, new Uint8Array(8), new Uint8Array(0))
  const handshake = handshakeOf(introduction, signedIpOf(stranger, 9651, NOW), known, NOW)
  return [frameOf(handshake), frameOf({ case: "peerList", value: {} })]
}

/** The small chain with the UTXO that the payments spend, and one block. */
function chainWithShared(): Chain {
  const state = smallState()
  const output = { ...ownerOf(...keys), kind: "TransferOutput" as const, amount: FUNDS, threshold: SIGNATURES }
  addUtxo({ diff: state }, { txID: UTXO, outputIndex: 0, assetID: AVAX, output })
  const { tx, signers } = validFor("BaseTx")
  return tryTx(signTx(balanced(tx, "granite"), signers), smallRules("granite"), { state })
}
