import { valueOrUndefined } from "../core/lib/invalid.js"
import { aliasesOf, chainIDOf } from "../core/networks/aliases.js"
import { type ID, idText, P_CHAIN_ID, parseID } from "../core/types/id.js"
import { nodeError } from "../datadir/errors.js"
import type { HttpOptions } from "../jsonrpc/http/options.js"
import type { BodyRoute } from "../jsonrpc/http/route/bodyRoute.js"
import { proxyRoute } from "../jsonrpc/http/route/proxyRoute.js"
import type { Subtrees } from "../jsonrpc/http/route/routes.js"
import type { GenesisFacts } from "../services/context.js"

/** Returns the ID of a proxied chain. Throws `node.bad_proxied_chain`. */
export function proxiedChainID(chain: string, genesis: GenesisFacts): ID {
  const id = chainIDOf(chain, genesis) ?? valueOrUndefined(() => parseID(chain))
  if (id === undefined || id === P_CHAIN_ID || id === genesis.xChainID) throw nodeError("node.bad_proxied_chain", { chain })
  return id
}

/** Makes the routes that forward requests below `/ext/bc/<chain>` to other nodes, under every name of each chain. */
export function proxyRoutes(proxies: HttpOptions["chainProxies"], genesis: GenesisFacts): Subtrees {
  const routes = new Map<string, BodyRoute>()
  for (const { chain, url } of proxies ?? []) {
    const id = proxiedChainID(chain, genesis)
    const route = proxyRoute(new URL(url))
    for (const name of new Set([chain, idText(id), ...aliasesOf(id, genesis)])) routes.set(`/ext/bc/${name}`, route)
  }
  return routes
}
