import type { Meter } from "../limits/meter.js"
import type { ContextLease } from "../service.js"

/** The stream of events to one client. */
export interface Sink {
  /** Returns false if the client does not keep up. Nothing more is written until `onDrain` calls back. */
  write(bytes: Uint8Array): boolean
  onDrain(listener: () => void): void
  /** Ends the stream. */
  destroy(): void
  /** Charges the client for the events that are made and sent for it. */
  readonly meter: Pick<Meter, "run" | "charge" | "debtSeconds" | "reserve" | "release">
}

/** The state of a feed at one moment. */
export interface FeedState {
  /** The height of the newest event. */
  readonly height: bigint
  /** Returns the bytes to send for a height; `undefined` if the height has no events. */
  eventsAt(height: bigint): Uint8Array | undefined
  /**
   * Fetches the bytes to send for some heights, in place of `eventsAt`; omitted if they need not be fetched from another machine. `charge` is
   * called with the milliseconds that this takes. Throws `Unavailable`.
   */
  fetchEvents?(
    heights: readonly bigint[],
    charge: (milliseconds: number) => void,
  ): Promise<ReadonlyMap<bigint, Uint8Array | undefined>>
  /**
   * Returns the bytes that belong to no height and follow the first `sent` parts of them, for a client whose next height is `next`, and the
   * number of parts after them; `undefined` if there are no more. They are sent before the events of the same state.
   */
  besides?(sent: number, next: bigint): { readonly bytes: Uint8Array; readonly sent: number } | undefined
  /** Returns the bytes that make a client revert to the newest event. */
  revertEvent(): Uint8Array
}

/** The source of events: one for each height, ascending, until the feed reverts to an earlier height. */
export interface Feed {
  /** The content type of the feed's streams. */
  readonly contentType: string
  /** The bytes that a silent stream sends at intervals. */
  readonly heartbeat: Uint8Array
  /** Opens the feed in its present state. */
  open(): ContextLease<FeedState>
  /**
   * Returns the feed with only the events that the parameters of a query select, or a sentence about a parameter that cannot be read;
   * omitted if streams take no such parameters.
   */
  filtered?(query: URLSearchParams): Feed | string
  /**
   * Calls the listener after each change, with the height and the event if the change is a revert. Returns a function that unsubscribes.
   */
  onChange(listener: (revert?: { readonly height: bigint; readonly event: Uint8Array }) => void): () => void
}
