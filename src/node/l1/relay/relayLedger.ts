import type { ID } from "../../../core/types/id.js"
import type { IcmMessage } from "../../../core/types/warp/icmMessage.js"
import type { RelayedMessage } from "../../../producer/l1Hosting.js"

/** The maximum number of delivered messages that are remembered. */
const MAX_DELIVERED = 1000

/** The end of an attempt to deliver a message. */
export type DeliveryOutcome = Pick<RelayedMessage, "reason" | "deliveryTx" | "signers" | "totalWeight"> & {
  readonly state: "delivered" | "failed"
}

/** A message as it was sent, with the bytes of the Warp message. */
export interface SentMessage extends Omit<RelayedMessage, keyof DeliveryOutcome> {
  readonly bytes: Uint8Array
  readonly icm: IcmMessage
}

/** A message, and what became of it. */
type KnownMessage = SentMessage & RelayedMessage

/** The messages between L1s that were seen, and the heights up to which the chains were read. */
export class RelayLedger {
  /** In the order in which they were sent, for each source. */
  readonly #messages = new Map<ID, KnownMessage>()
  readonly #read = new Map<ID, bigint>()

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
    const delivered = this.messages.filter(({ state }) => state === "delivered")
    for (const old of delivered.slice(0, -MAX_DELIVERED)) this.#messages.delete(old.messageID)
    return message
  }

  /** Lets the messages wait again whose delivery failed. */
  retryFailed(): void {
    for (const each of this.messages) if (each.state === "failed") this.#messages.set(each.messageID, { ...each, ...WAITING })
  }

  /** Returns the height up to which every message of a chain is delivered; `undefined` if the chain was not read. */
  deliveredTo(chainID: ID): bigint | undefined {
    const open = this.messages.find(({ state, sourceChainID }) => state !== "delivered" && sourceChainID === chainID)
    return open ? open.height - 1n : this.readTo(chainID)
  }
}

const WAITING = { state: "waiting", reason: undefined } as const
