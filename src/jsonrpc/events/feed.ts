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

/** A place in a feed: a height, and the ID of what was there; without an ID, whatever is there now. */
export interface Place {
  readonly height: bigint
  readonly id?: string | undefined
}

/** Reads a place as clients write it, `12-2pjM...` or `12`; `undefined` if the text is none. */
export function placeIn(text: string): Place | undefined {
  const [, height, id] = /^(\d{1,20})(?:-([0-9A-Za-z]{1,64}))?$/.exec(text) ?? []
  return height === undefined ? undefined : { height: BigInt(height), id }
}

/** The last place that a client and a feed have in common. */
export interface CommonPlace extends Place {
  /** The IDs of what the client has after it and the feed does not, by ascending height; omitted if there are too many, or if they are not known. */
  readonly removed?: readonly string[] | undefined
}

/** What a feed has at a height. A feed that never goes back needs no IDs. */
export interface Entry {
  readonly id?: string
  /** The ID at the height before it. */
  readonly parentID?: string
  /** The bytes to send; omitted if there are none. */
  readonly bytes?: Uint8Array | undefined
}

/** The state of a feed at one moment. */
export interface FeedState {
  /** The height of the newest entry. */
  readonly height: bigint
  /** Returns the entry at a height; `undefined` if there is none. */
  entryAt(height: bigint): Entry | undefined
  /**
   * Fetches the entries at some heights, in place of `entryAt`; omitted if they need not be fetched from another machine. `charge` is called with
   * the milliseconds that this takes. Throws `Unavailable`.
   */
  fetchEntries?(heights: readonly bigint[], charge: Charge): Promise<ReadonlyMap<bigint, Entry | undefined>>
  /**
   * Returns the bytes that belong to no height and follow the first `sent` parts of them, for a client whose next height is `next`, and the
   * number of parts after them; `undefined` if there are no more. They are sent before the events of the same state.
   */
  besides?(sent: number, next: bigint): { readonly bytes: Uint8Array; readonly sent: number } | undefined
  /**
   * Returns the last place that the feed has in common with a client whose last place is given, which may have to be fetched; `ahead` if the feed
   * is behind the client and may still come to its place. Omitted if the feed never goes back.
   */
  commonWith?(last: Place, charge: Charge): CommonPlace | "ahead" | Promise<CommonPlace | "ahead">
  /** Returns the bytes that make a client go back to a place. */
  revertEvent?(to: CommonPlace): Uint8Array
}

/** Charges the client with milliseconds. */
export type Charge = (milliseconds: number) => void

/** The source of events: one entry for each height, ascending, until the feed goes back to an earlier height. */
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
  /** Calls the listener after each change, and says whether the feed has gone back. Returns a function that unsubscribes. */
  onChange(listener: (hasGoneBack?: boolean) => void): () => void
}
