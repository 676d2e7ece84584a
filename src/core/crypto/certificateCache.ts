import { LruCache } from "../lib/lruCache.js"
import type { Certificate, ParseCertificate } from "./certificate.js"
import { sha256Hex } from "./hash.js"

/** Number of certificates that one reader of blocks caches. Few nodes sign many blocks. */
const ENTRIES = 4096

/** Returns a parser that caches keys, because making a key object takes as long as verifying a signature with it. */
export function certificateCache(parse: ParseCertificate): ParseCertificate {
  const parsed = new LruCache<Certificate>(ENTRIES)
  return (der) => parsed.valueOf(sha256Hex(der), () => parse(der))
}
