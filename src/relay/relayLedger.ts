import type { ID } from "../core/types/id.js"
import type { IcmMessage } from "../evm/icmMessage.js"
import type { RelayedMessage } from "../producer/chainHosting.js"

/** The maximum number of delivered messages that are remembered, and of failed ones. */
const MAX_SETTLED = 1000

export type DeliveryOutcome = Pick<RelayedMessage, "reason" | "deliveryTx" | "signers" | "totalWeight"> & {
  readonly state: "delivered" | "failed"
}

/** A message as it was sent, with the bytes of the Warp message. */
export interface SentMessage extends Omit<RelayedMessage, keyof DeliveryOutcome> {
  readonly bytes: Uint8Array
  readonly icm: IcmMessage
}

type KnownMessage = SentMessage & RelayedMessage

/** The messages between L1s that were seen, and the heights up to which the chains were read. */
export class RelayLedger {
  /** In the order in which they were sent, for each source. */
  readonly #messages = new Map<ID, KnownMessage>()
  readonly #read = new Map<ID, bigint>()
  /** The height of the first failed message of a source that was forgotten. */
  readonly #forgotten = new Map<ID, bigint>()

  get messages(): readonly KnownMessage[] {
    return [...this.#messages.values()]
  }

  /** Returns the height up to which a chain was read; `undefined` if it was not. */
  readTo(chainID: ID): bigint | undefined {
    return this.#read.get(chainID)
  }

  /** Adds the messages that a chain sent up to a height. One that failed before and was sent again waits again. */
  add(chainID: ID, height: bigint, sent: readonly SentMessage[]): void {
    for (const message of sent) {
      const known = this.#messages.get(message.messageID)
      if (known?.state !== "delivered") this.#messages.set(message.messageID, { ...(known ?? message), ...WAITING })
    }
    this.#read.set(chainID, height)
  }

  /** Forgets the blocks of a chain above a height, which it has lost, with the messages that they sent and that are not delivered. */
  rewind(chainID: ID, height: bigint): void {
    const isLost = (each: KnownMessage) => each.sourceChainID === chainID && each.height > height && each.state !== "delivered"
    for (const { messageID } of this.messages.filter(isLost)) this.#messages.delete(messageID)
    if ((this.#forgotten.get(chainID) ?? 0n) > height) this.#forgotten.delete(chainID)
    this.#read.set(chainID, height)
  }

  /** Returns the first message that waits for a destination and whose source is ready. */
  next(destination: ID, isReady: (source: ID) => boolean): KnownMessage | undefined {
    for (const each of this.#messages.values()) {
      if (each.state === "waiting" && each.destinationChainID === destination && isReady(each.sourceChainID)) return each
    }
    return undefined
  }

  /** Notes the end of an attempt. Returns the message with it. */
  settle(messageID: ID, outcome: DeliveryOutcome): RelayedMessage {
    const message = { ...(this.#messages.get(messageID) as KnownMessage), ...outcome }
    this.#messages.set(messageID, message)
    const settled = this.messages.filter(({ state }) => state === outcome.state)
    for (const old of settled.slice(0, -MAX_SETTLED)) this.#forget(old)
    return message
  }

  #forget({ messageID, state, sourceChainID, height }: KnownMessage): void {
    this.#messages.delete(messageID)
    const first = this.#forgotten.get(sourceChainID) ?? height
    if (state === "failed" && height <= first) this.#forgotten.set(sourceChainID, height)
  }

  /** Lets the messages wait again whose delivery failed. Those that were forgotten are read again from their chain. */
  retryFailed(): void {
    for (const [chainID, height] of this.#forgotten) this.#read.set(chainID, height - 1n)
    this.#forgotten.clear()
    for (const each of this.messages) if (each.state === "failed") this.#messages.set(each.messageID, { ...each, ...WAITING })
  }

  /** Returns the height up to which every message of a chain is delivered; `undefined` if the chain was not read. */
  deliveredTo(chainID: ID): bigint | undefined {
    let to = this.readTo(chainID)
    const open = this.messages.filter(({ state, sourceChainID }) => state !== "delivered" && sourceChainID === chainID)
    for (const first of [...open.map(({ height }) => height), this.#forgotten.get(chainID)]) {
      if (first !== undefined && (to === undefined || first <= to)) to = first - 1n
    }
    return to
  }
}

const WAITING = { state: "waiting", reason: undefined } as const
