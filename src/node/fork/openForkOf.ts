import type { Log } from "../../core/lib/log.js"
import { networkNameOf } from "../../core/networks/names.js"
import { defaultDataDir } from "../chainData.js"
import { nodeError } from "../errors.js"
import { type ForkBase, openForkBase } from "./forkBase.js"
import { type OpenedFork, openFork } from "./openFork.js"

/** The chain that is forked. */
export interface ForkOptions {
  /** Its data directory. */
  readonly from: string
  /** The height of the block after which the fork begins; left out: its last block. */
  readonly height?: bigint | undefined
}

/** The options of a private chain that opening a fork depends on. */
export interface ForkRequest {
  readonly fork: ForkOptions
  readonly dataDir?: string | undefined
  readonly isEphemeral: boolean
  readonly allowsSharedVolume?: boolean | undefined
  readonly choice: { readonly networkID?: number | undefined; readonly resets?: boolean | undefined }
  readonly log: Log
}

/** Opens the fork that is asked for, in memory or in its data directory. */
export async function openForkOf(request: ForkRequest): Promise<OpenedFork & { readonly dataDir: string | undefined }> {
  const { fork, choice, isEphemeral, log, allowsSharedVolume } = request
  const base = await openForkBase(fork.from)
  try {
    checkBase(base, request)
  } catch (error) {
    await base.store.close()
    throw error
  }
  const dataDir = isEphemeral ? undefined : (request.dataDir ?? defaultForkDir(base.networkID))
  const opened = await openFork(base, { dataDir, resets: choice.resets ?? false, allowsSharedVolume, log })
  return { ...opened, dataDir }
}

function checkBase(base: ForkBase, { fork, choice }: ForkRequest): void {
  const { networkID, height, dir } = base
  if (choice.networkID !== undefined && choice.networkID !== networkID) {
    throw nodeError("node.other_network", { expected: networkNameOf(choice.networkID), got: networkNameOf(networkID) })
  }
  if (fork.height !== undefined && fork.height > height)
    throw nodeError("node.future_height", { dir, asked: fork.height, height })
}

/** The default data directory of a fork of a network. */
const defaultForkDir = (networkID: number): string => `${defaultDataDir(networkID)}-fork`
