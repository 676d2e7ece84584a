import { decode, encode } from "../core/codec/decode.js"
import { u64 } from "../core/codec/primitives.js"
import { print } from "../core/codec/textSink.js"
import { utf8 } from "../core/lib/bytes.js"
import { Emitter } from "../core/lib/emitter.js"
import { min } from "../core/lib/math64.js"
import { canonicalSet, validatorSetAt } from "../core/rules/validatorSet.js"
import { signersOf } from "../core/rules/warp.js"
import { type ID, idText } from "../core/types/id.js"
import { decodeSignedMessage } from "../core/types/warp/message.js"
import { evmGenesis } from "../evm/genesis.js"
import type { Feed } from "../jsonrpc/events/feed.js"
import { systemTimers } from "../node/timers.js"
import { type RelayedMessage, relayedMessage } from "../producer/chainHosting.js"
import { signAt } from "../producer/methods/signWarpMessage.js"
import { vmError } from "../vmhost/errors.js"
import { GrpcError } from "../vmhost/grpc/grpcError.js"
import { deliver, isEndOfVM, type SignedRelay } from "./deliver.js"
import { askNeedsPrimarySigners, askQuantity, EvmRefusal, type EvmRpc, evmRpcOf, icmMessagesIn } from "./evmRpc.js"
import { RELAYER, type RelayedChain, type RelayedChains, type RelayerOptions } from "./ports.js"
import { type DeliveryOutcome, RelayLedger, type SentMessage } from "./relayLedger.js"

/** The maximum number of events that are kept for streams. */
const MAX_EVENTS = 1000

/** The number of blocks that are read at a time, and that a note may be behind without a new message. */
const BLOCKS = 1024n

/**
 * Delivers the messages of ICM contracts between the L1s of a node: in order, each once. What was delivered is in the chains themselves; a note
 * beside the data of each source says from which block on its messages have to be looked at after a restart or a revert.
 */
export class Relayer {
  readonly #chains: RelayedChains
  readonly #options: RelayerOptions
  readonly #settled = new Emitter<RelayedMessage>()
  /** These are replaced when the chains are. What runs with the old ones ends without effect. */
  #ledger = new RelayLedger()
  #running = new Map<string, { isAsked: boolean; done: Promise<void> }>()
  #isPaused = false

  constructor(chains: RelayedChains, options: RelayerOptions) {
    this.#chains = chains
    this.#options = options
  }

  get messages(): readonly RelayedMessage[] {
    return this.#ledger.messages
  }

  /** Makes the feed of relayed messages: an event `relay` for each that was delivered, or could not be. Their heights are numbers from 1 on. */
  feed(): Feed {
    const events = new Map<bigint, Uint8Array>()
    let last = 0n
    this.#settled.listen((message) => {
      const data = print(relayedMessage, message, { hrp: "" })
      events.set(++last, utf8(`id: ${last}\nevent: relay\ndata: ${data}\n\n`))
      events.delete(last - BigInt(MAX_EVENTS))
    })
    return {
      contentType: "text/event-stream",
      heartbeat: utf8(": alive\n\n"),
      open: () => ({
        context: { height: last, entryAt: (height) => ({ bytes: events.get(height) }) },
        release: () => {},
      }),
      onChange: (listener) => this.#settled.listen(() => listener()),
    }
  }

  /** Looks at an L1 after a block or a start. */
  wake(chainID: ID): void {
    const l1 = this.#find(chainID)
    if (!l1) return
    this.#rewind(l1)
    if (!this.#options.hasAutoRelay) return
    void this.#read(l1).then(() => Promise.all(this.#hosted.map((each) => this.#deliverTo(each))))
  }

  /** Delivers everything that waits, and tries again what failed. */
  async relay(): Promise<void> {
    this.#ledger.retryFailed()
    this.#failLost(this.#ledger)
    await Promise.all(this.#hosted.map((each) => this.#read(each)))
    await Promise.all(this.#hosted.map((each) => this.#deliverTo(each)))
  }

  /** Forgets everything, and stays idle while the chains are replaced. */
  pause(): void {
    this.#isPaused = true
    this.#ledger = new RelayLedger()
    this.#running = new Map()
  }

  /** Begins again from the notes. */
  resume(): void {
    this.#isPaused = false
    for (const { record } of this.#hosted) this.wake(record.chainID)
  }

  get #hosted(): readonly RelayedChain[] {
    return this.#isPaused ? [] : this.#chains.hosted
  }

  #find(chainID: ID): RelayedChain | undefined {
    return this.#hosted.find(({ record }) => record.chainID === chainID)
  }

  /** Forgets the blocks that an L1 has lost: a VM with a database of its own that is killed may come back behind. */
  #rewind(l1: RelayedChain): void {
    const { height } = l1.plugin.report()
    if (height === undefined || height >= this.#readTo(l1)) return
    this.#ledger.rewind(l1.record.chainID, height)
    this.#note(l1)
  }

  /** Returns the height up to which an L1 was read. */
  #readTo(l1: RelayedChain): bigint {
    return this.#ledger.readTo(l1.record.chainID) ?? notedHeight(l1)
  }

  /** Reads the messages of an L1's new blocks. */
  #read(l1: RelayedChain): Promise<void> {
    return this.#alone(`read ${l1.record.chainID}`, async (ledger) => {
      const { chainID } = l1.record
      const rpc = evmRpcOf(l1.plugin)
      const lastHeight = () => l1.plugin.report().height ?? 0n
      while (rpc) {
        const [next, last] = [this.#readTo(l1) + 1n, lastHeight()]
        if (next > last) return
        const to = min(next + BLOCKS - 1n, last)
        await untilIndexed(rpc, to)
        const found = await icmMessagesIn(rpc, next, to)
        // The blocks may be lost meanwhile.
        if (ledger !== this.#ledger || to > lastHeight()) return
        ledger.add(chainID, to, found)
        this.#failLost(ledger)
        this.#note(l1)
      }
    })
  }

  /** Fails the messages that wait for a chain which this node does not host. */
  #failLost(ledger: RelayLedger): void {
    for (const message of ledger.messages) {
      const { state, destinationChainID } = message
      if (state !== "waiting" || this.#find(destinationChainID)) continue
      this.#settle(
        message,
        { state: "failed", reason: "this node hosts no chain with this blockchain ID" },
        idText(destinationChainID),
      )
    }
  }

  /** Delivers the messages that wait for an L1, one after the other. */
  #deliverTo(l1: RelayedChain): Promise<void> {
    return this.#alone(`deliver ${l1.record.chainID}`, async (ledger) => {
      const isReady = (source: ID) => this.#find(source)?.plugin.report().state === "running"
      for (;;) {
        const message = ledger.next(l1.record.chainID, isReady)
        const outcome = message && (await this.#attempt(message, l1, ledger).catch((error) => this.#failure(error)))
        if (!outcome || ledger !== this.#ledger) return
        this.#settle(message, outcome, l1.record.name)
      }
    })
  }

  /** A fault fails the message whose delivery it ends, and no other one. */
  #failure(error: unknown): DeliveryOutcome | undefined {
    if (isEndOfVM(error)) return undefined
    this.#options.reportFault(error, "relay")
    return { state: "failed", reason: `the delivery met a fault of this node: ${(error as Error).message}` }
  }

  async #attempt(message: SentMessage, l1: RelayedChain, ledger: RelayLedger): Promise<DeliveryOutcome | undefined> {
    const rpc = evmRpcOf(l1.plugin)
    const evm = evmGenesis(l1.genesis)
    if (!rpc || !evm) return { state: "failed", reason: "the destination is no EVM chain" }
    return deliver(message, {
      rpc,
      evmChainID: evm.chainID,
      // A genesis of the user may not fund the relayer. The last of the known keys is used least by others.
      keys: [RELAYER, ...this.#options.fundedKeys(l1.genesis).toReversed()],
      isBeforeFirstBlock: () => l1.plugin.contextHeight() === undefined,
      sign: () => this.#sign(message, l1, rpc),
      pause,
      isWanted: () => ledger === this.#ledger,
    })
  }

  /** Signs a message for a destination as the validators of its source would, if the VM of the source does. Throws `Invalid`. */
  async #sign({ bytes, sourceChainID }: SentMessage, destination: RelayedChain, rpc: EvmRpc): Promise<SignedRelay> {
    const { privateChain } = this.#options
    const source = this.#find(sourceChainID)
    if (!source) throw vmError("vm.unknown_l1", { chainID: sourceChainID })
    await source.plugin.requireSigned(bytes, new Uint8Array(0))
    const pChainHeight = destination.plugin.contextHeight()
    if (pChainHeight === undefined) throw vmError("vm.first_block")
    const subnetID = await this.#signersOf(source, destination, rpc)
    const signedMessage = signAt(privateChain, { message: bytes, subnetID, pChainHeight })
    const members = validatorSetAt(privateChain.status.view, subnetID, pChainHeight)
    const set = canonicalSet(members)
    const signers = signersOf(decodeSignedMessage(signedMessage).signature.signers, set)
      .flatMap(({ nodeIDs }) => nodeIDs)
      .map((nodeID) => ({ nodeID, weight: members.get(nodeID)?.weight ?? 0n }))
    return { signedMessage, pChainHeight, signers, totalWeight: set.totalWeight }
  }

  /** Returns the subnet whose validators sign: that of the source, but that of the destination for a message of the C-Chain, unless it says otherwise. */
  async #signersOf(source: RelayedChain, destination: RelayedChain, rpc: EvmRpc): Promise<ID> {
    if (!source.isCChain || destination.isCChain) return source.record.subnetID
    const needsPrimary = await askNeedsPrimarySigners(rpc, this.#options.privateChain.now())
    return (needsPrimary ? source : destination).record.subnetID
  }

  #settle({ messageID, sourceChainID }: SentMessage, outcome: DeliveryOutcome, to: string): void {
    const settled = this.#ledger.settle(messageID, outcome)
    const source = this.#find(sourceChainID)
    if (source) this.#note(source, true)
    const { reason, deliveryTx } = outcome
    const facts = {
      from: source?.record.name ?? idText(sourceChainID),
      to,
      messageID: idText(messageID),
      ...(deliveryTx === undefined ? {} : { deliveryTx }),
      ...(reason === undefined ? {} : { reason }),
    }
    const { log } = this.#options
    if (outcome.state === "delivered") log.info("a Warp message was delivered", facts)
    else log.warn("a Warp message could not be delivered; dev.relay tries again", facts)
    this.#settled.emit(settled)
  }

  /** Notes the block up to which every message of an L1 is delivered. Without a new message a note in a while is enough. */
  #note(l1: RelayedChain, hasSettled = false): void {
    const height = this.#ledger.deliveredTo(l1.record.chainID)
    const noted = notedHeight(l1)
    if (height === undefined || height === noted) return
    if (hasSettled || height < noted || height >= noted + BLOCKS) l1.database.setNote("relayed", encode(u64, height))
  }

  /** Reports the error that ended a task. The end of a VM is none: its next start wakes the relay. */
  #reportEnd(error: unknown): void {
    if (isEndOfVM(error)) return
    if (!(error instanceof EvmRefusal || error instanceof GrpcError)) this.#options.reportFault(error, "relay")
    else this.#options.log.warn("the messages of an L1 cannot be read", { reason: error.message })
  }

  /** Runs one task of a name at a time, and once more if it was asked for meanwhile. */
  #alone(name: string, task: (ledger: RelayLedger) => Promise<void>): Promise<void> {
    const running = this.#running.get(name)
    if (running) {
      running.isAsked = true
      return running.done
    }
    const [all, ledger] = [this.#running, this.#ledger]
    const entry = { isAsked: true, done: Promise.resolve() }
    all.set(name, entry)
    const repeat = async () => {
      // The caller goes on first: it may be accepting a block.
      await undefined
      while (entry.isAsked && ledger === this.#ledger) {
        entry.isAsked = false
        await task(ledger).catch((error) => this.#reportEnd(error))
      }
      all.delete(name)
    }
    entry.done = repeat()
    return entry.done
  }
}

/** Returns the block up to which every message is delivered. */
function notedHeight({ database }: RelayedChain): bigint {
  const note = database.note("relayed")
  return note ? decode(u64, note) : 0n
}

/** The longest pause before a VM is asked again whether it has indexed a block, milliseconds, and how often it is asked. */
const [LONGEST_PAUSE, MAX_TRIES] = [500, 60]

/** Waits until the VM answers about a block that it has accepted. It adds a block to its indexes a moment later. Throws `EvmRefusal`. */
async function untilIndexed(rpc: EvmRpc, height: bigint): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if ((await askQuantity(rpc, "eth_blockNumber", [])) >= height) return
    await pause(Math.min(4 * 2 ** tries, LONGEST_PAUSE))
  }
  throw new EvmRefusal(`eth_blockNumber: the VM has not indexed its block ${height}`)
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => void systemTimers.after(milliseconds, resolve))
