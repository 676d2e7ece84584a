import { BloomFilter } from "./bloomFilter.js"
import { p2pError } from "./errors.js"
import type { BloomFilter as FilterMessage } from "./proto/p2p_pb.js"

const MAX_SALT_SIZE = 32

/** Reads the filter of peers that another node knows. Throws `p2p.bad_filter` and `p2p.salt_too_long`. */
export function parseKnownPeers({ filter, salt }: FilterMessage): BloomFilter {
  if (salt.length > MAX_SALT_SIZE) throw p2pError("p2p.salt_too_long", { size: salt.length })
  return BloomFilter.parse(filter, salt)
}
