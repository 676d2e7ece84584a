import { Invalid } from "../../core/lib/invalid.js"
import { editDistance } from "../../core/lib/nearest.js"
import { rpcError } from "../errors.js"
import type { AnyMethod } from "../method.js"
import type { Endpoint } from "./endpoint.js"
import { type RequestedMethod, readMethodName } from "./envelope.js"
import type { Request } from "./request.js"

/** Number of characters of a method's name that a refusal repeats. */
const MAX_SHOWN = 256

/** Returns the requested method, the refusal of a method that may not be called, or `undefined` if the body is not a request. */
export function findMethod(request: Request, endpoint: Endpoint): AnyMethod | Invalid | undefined {
  if (request.fault || request.jsonrpc !== "2.0") return undefined
  const method = endpoint.methods.get(request.method)
  const name = shown(request.method)
  if (endpoint.isClosed) return rpcError("rpc.not_public", { method: name })
  if (!method || (method.onlyIn !== undefined && method.onlyIn !== endpoint.dialect)) return unknownMethod(name, endpoint)
  if (method.nodeSpecific && endpoint.isPublic) {
    return rpcError("rpc.not_public", { method: name, reference: unknownMethod(name, endpoint).avalanchegoMessage })
  }
  return refusalOfOrigin(method, endpoint) ?? method
}

/** Pages of foreign origins may only call methods that read, unless the operator allowed the origin. */
function refusalOfOrigin({ name, foreignOrigins }: AnyMethod, { service, foreignOrigin: origin }: Endpoint): Invalid | undefined {
  if (origin === undefined || (foreignOrigins !== "refused" && service.foreignOrigins !== "refused")) return undefined
  return rpcError("rpc.foreign_origin", { method: name, origin: shown(origin), flag: "--http-allowed-origins" })
}

/** Returns the cost of a call in units of the rate limit. */
export function costOf(method: AnyMethod | Invalid | undefined): number {
  return method === undefined || method instanceof Invalid ? 1 : (method.cost ?? 1)
}

function shown(name: string): string {
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name
}

/**
 * Returns the refusal of a method that is not served at this path. It names the path where the method is served, or the method with the
 * most similar name.
 */
function unknownMethod(name: string, endpoint: Endpoint): Invalid {
  const servedAt = endpoint.pathOf?.(name)
  const didYouMean = servedAt === undefined ? similarMethod(name, endpoint) : undefined
  const reference = referenceFor(readMethodName(name), endpoint.service.name)
  return rpcError("rpc.unknown_method", { method: name, servedAt, didYouMean, reference })
}

/** The maximum number of letters in which a mistyped name differs from the intended one. */
const MAX_TYPOS = 2

/** The maximum length of a name that is compared with the names of methods, because comparing takes time. */
const MAX_COMPARED = 64

function similarMethod(name: string, { methods, isPublic }: Endpoint): string | undefined {
  if (isPublic || name.length > MAX_COMPARED) return undefined
  return [...methods.keys()].find((known) => editDistance(name, known) <= MAX_TYPOS)
}

function referenceFor(name: RequestedMethod, service: string): string {
  if (name.kind === "upper-case") return "method must start with a non-uppercase letter"
  if (name.kind === "ill-formed") return `rpc: service/method request ill-formed: ${name.quoted}`
  return `rpc: can't find ${name.service === service ? "method" : "service"} ${name.quoted}`
}
