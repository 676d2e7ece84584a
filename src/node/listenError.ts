import { nodeError } from "../chaindata/errors.js"
import type { Invalid } from "../core/lib/invalid.js"

/** Reasons why a server cannot listen, by the code of the failing system call. */
const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "this machine does not have the address",
  ENOTFOUND: "the name of the host has no address",
  EAI_AGAIN: "the name of the host cannot be looked up now",
  EACCES: "the system does not allow this process to use the port; ports below 1024 need privileges",
}

/** Returns the refusal for a failed listen or look-up of the host's name; `undefined` for any other error. */
export function listenError(
  error: unknown,
  http: { readonly host?: string; readonly port?: number } | undefined,
): Invalid | undefined {
  const { code = "", syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  const place = { host: address ?? http?.host, port: port ?? http?.port }
  if (code === "EADDRINUSE") return nodeError("node.address_taken", place)
  const reason = LISTEN_REASONS[code]
  if (reason === undefined || (syscall !== "listen" && syscall !== "getaddrinfo")) return undefined
  return nodeError("node.cannot_listen", { ...place, reason, systemCode: code })
}
