import type { MessageKind } from "./message.js"

export interface MessageCount {
  readonly messages: number
  readonly bytes: number
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

function add<K>(counts: Map<K, MessageCount>, kind: K, bytes: number): void {
  const before = counts.get(kind) ?? { messages: 0, bytes: 0 }
  counts.set(kind, { messages: before.messages + 1, bytes: before.bytes + bytes })
}
