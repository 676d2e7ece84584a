import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { ID } from "../../core/types/id.js"
import type { Changes } from "../database/pluginDatabase.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { SharedMemory } from "../proto/sharedmemory_pb.js"

/** A UTXO that a chain puts for a peer. */
export interface PutUtxo {
  readonly key: Uint8Array
  readonly value: Uint8Array
  readonly traits: readonly Uint8Array[]
}

/** What a block does to the memory that its chain shares with one peer: it removes what the peer has put, and puts for the peer. */
export interface MemoryRequest {
  readonly peer: ID
  readonly removes: readonly Uint8Array[]
  readonly puts: readonly PutUtxo[]
}

/** A page of the UTXOs of some addresses. The page begins at an address and a UTXO, both included. */
export interface MemoryQuery {
  readonly addresses: readonly string[]
  readonly startAddress: string
  readonly startKey: string
  readonly limit: number
}

export interface MemoryPage {
  readonly values: readonly Uint8Array[]
  /** The last address that was looked at, and the key of the last UTXO that was met under it; empty if there is none. */
  readonly lastAddress: string
  readonly lastKey: string
}

/** The memory that one chain of the primary network shares with the others. */
export interface SharedMemoryPort {
  /** Returns what a peer has put for the chain; `undefined` if it is not there. */
  get(peer: ID, key: ID): Uint8Array | undefined
  find(peer: ID, query: MemoryQuery): MemoryPage
  /** Lets the VM accept a block, of which these are the bytes. Throws `vm.lied` if it did not say what the block does to the memory. */
  accepting(block: Uint8Array, accept: () => Promise<void>): Promise<void>
  /** Writes what the block does to the memory, and the rows of the VM that come with it, in one commit. Throws `vm.lied`. */
  apply(requests: readonly MemoryRequest[], changes: readonly Changes[]): void
}

/** The largest page, and that of a query without a limit. */
const MAX_PAGE = 1024

/** Serves the shared memory of a chain. A chain outside the primary network has none. `onLie` ends a chain whose VM is not true to its blocks. */
export function sharedMemoryService(memory: SharedMemoryPort | undefined, onLie: (error: Invalid) => void): ServedService {
  const open = () => {
    if (memory) return memory
    throw new GrpcError(grpcStatus.unimplemented, "Serac has no shared memory for chains outside the primary network")
  }
  return serve(SharedMemory, {
    get: ({ peerChainId, keys }) => {
      const peer = toHex(peerChainId) as ID
      const values = keys.map((key) => open().get(peer, toHex(key) as ID))
      if (values.includes(undefined)) throw new GrpcError(grpcStatus.unknown, "not found")
      return { values: values as Uint8Array[] }
    },
    indexed: ({ peerChainId, traits, startTrait, startKey, limit }) => {
      const page = open().find(toHex(peerChainId) as ID, {
        addresses: [...new Set(traits.map(toHex))].sort(),
        startAddress: toHex(startTrait),
        startKey: toHex(startKey),
        limit: limit > 0 && limit < MAX_PAGE ? limit : MAX_PAGE,
      })
      const { values, lastAddress, lastKey } = page
      return { values: [...values], lastTrait: hexToBytes(lastAddress), lastKey: hexToBytes(lastKey) }
    },
    apply: ({ requests, batches }) => {
      const wanted = requests.map(({ peerChainId, removeRequests, putRequests }) => {
        return { peer: toHex(peerChainId) as ID, removes: removeRequests, puts: putRequests }
      })
      try {
        open().apply(wanted, batches)
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        onLie(error)
        throw new GrpcError(grpcStatus.unknown, error.message)
      }
      return {}
    },
  })
}
