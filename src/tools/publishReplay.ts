import { heightOf } from "../core/state/tables.js"
import { nodeError } from "../datadir/errors.js"
import { openPublisher, type PublishOptions } from "../datadir/openPublisher.js"
import { bringUpReadModel } from "../datadir/readModel.js"
import { openCopy } from "../datadir/storedChain.js"
import { createLog } from "../node/log.js"
import type { Publisher } from "../postgres/publisher.js"
import { untilConnected, untilPublished } from "../postgres/untilPublished.js"
import type { Store } from "../store/store.js"
import type { ReplayChoice } from "./chainToReplay.js"

/** Limits of one transaction of the database. Nothing waits for answers during a replay, so it may be large. */
const LIMITS = { blocks: 1000, size: 8 << 20 }

export interface PublishReplay extends Pick<PublishOptions, "publish" | "replaces"> {
  readonly store: Store
  readonly choice: ReplayChoice
  note(line: string): void
}

/** Starts to publish a chain that is about to be replayed into a store, if a database is named. Rejects if that cannot be used. */
export async function publishReplay(options: PublishReplay): Promise<Publisher | undefined> {
  const { store, choice, publish: url, replaces, note } = options
  if (url === undefined) return undefined
  if (choice.history === "off") throw nodeError("node.publish_without_history")
  const log = createLog({ level: "warn", form: "people", hasColors: false, now: () => Date.now(), write: note })
  const data = openCopy(store, choice)
  bringUpReadModel(store, data.genesis, log)
  const publisher = openPublisher({ url, store, data, canRevert: false, limits: LIMITS, replaces, log })
  publisher.start()
  try {
    await untilConnected(publisher)
  } catch (error) {
    await publisher.stop()
    throw error
  }
  return publisher
}

/** Waits until the last block of a store is in the database. Rejects if the publisher has failed. */
export function publishRest(publisher: Publisher, store: Store): Promise<void> {
  publisher.wake()
  return untilPublished(publisher, heightOf(store.latest))
}
