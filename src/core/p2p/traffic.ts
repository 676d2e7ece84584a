import type { MessageKind } from "./message.js"

/** Number of messages and bytes that were sent or received. */
export interface MessageCount {
  messages: number
  bytes: number
}

/** Counts messages and their bytes on the wire, by kind. Messages that could not be decoded have no kind. */
export class Traffic {
  readonly received = new Map<MessageKind | "unreadable", MessageCount>()
  readonly sent = new Map<MessageKind, MessageCount>()
  /** Messages that were not written, since too much waited for the peer already. */
  unsent = 0

  countReceived(kind: MessageKind | "unreadable", bytes: number): void {
    add(this.received, kind, bytes)
  }

  countSent(kind: MessageKind, bytes: number): void {
    add(this.sent, kind, bytes)
  }
}

function add<K>(flows: Map<K, MessageCount>, kind: K, bytes: number): void {
  const flow = flows.get(kind)
  if (!flow) {
    flows.set(kind, { messages: 1, bytes })
    return
  }
  flow.messages++
  flow.bytes += bytes
}
