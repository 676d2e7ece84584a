import { services } from "../client/services.js"
import { Invalid } from "../core/lib/invalid.js"
import { idText } from "../core/types/id.js"
import { Api } from "../jsonrpc/api.js"
import { errorText, type HttpResponse } from "../jsonrpc/http/response/send.js"
import type { BodyRequest, BodyRoute, ConnectRequest, Tunnel } from "../jsonrpc/http/route/bodyRoute.js"
import type { Routes, Subtree } from "../jsonrpc/http/route/routes.js"
import { mount } from "../jsonrpc/service.js"
import type { NodeApi } from "../node/api.js"
import type { HostedRoutes } from "../node/nodeChain.js"
import type { ChainPlugin } from "../vmhost/chainPlugin.js"
import type { GrpcClient } from "../vmhost/grpc/grpcClient.js"
import { GrpcError, grpcStatus, isCancelled } from "../vmhost/grpc/grpcError.js"
import { PluginSocket } from "../vmhost/http/pluginSocket.js"
import { callHandler } from "../vmhost/http/simpleRequest.js"
import { upgradeAtHandler } from "../vmhost/http/upgradeRequest.js"
import type { EvmChain, EvmChains } from "./evm/evmChain.js"
import { answerRpc, withWords } from "./evm/wordRoutes.js"
import type { ChainList } from "./hostedChain.js"

/** What the routes answer with besides the plugins. */
interface RouteParts {
  readonly nodeApi: NodeApi
  readonly evmChains: EvmChains
}

const NOT_FOUND = errorText(404, "404 page not found")

/** Milliseconds that passing a request on takes, and each byte of its answer. */
const PASS_MILLISECONDS = 0.5
const BYTE_MILLISECONDS = 2 / (1 << 20)

/** Adds the routes of all L1s, and keeps them up to date: `/ext/bc/ID` and `/ext/bc/NAME`, with everything below. */
export function addHostedRoutes(
  { subtrees, headerRoutes }: HostedRoutes,
  host: ChainList,
  { nodeApi, evmChains }: RouteParts,
): void {
  let own: string[] = []
  const update = () => {
    headerRoutes.clear()
    for (const { record, plugin } of host.hosted) {
      const answer: BodyRoute["answer"] = (request) => orRefusal(async () => passOn(plugin.headerHandler(), request))
      headerRoutes.set(idText(record.chainID), { kind: "body", isPrivileged: false, answer })
    }
    for (const path of own) subtrees.delete(path)
    own = host.hosted.flatMap((hosted) => {
      const { record, plugin } = hosted
      const route = chainRoute(plugin, nodeApi, evmChains.of(hosted))
      const paths = [record.name, idText(record.chainID)].map((name) => `/ext/bc/${name}`)
      for (const path of paths) subtrees.set(path, route)
      return paths
    })
  }
  host.onChange(update)
  update()
}

function chainRoute(plugin: ChainPlugin, nodeApi: NodeApi, evm: EvmChain | undefined): Subtree {
  // In AvalancheGo's dialect the VM alone answers, as it does there.
  const words = evm && nodeApi.api.dialect === "contract" ? { plugin, evm, nodeApi } : undefined
  return {
    kind: "body",
    isPrivileged: false,
    below: proposervmRoute(plugin, nodeApi),
    answer: (request) =>
      orRefusal(async () => (words && (await answerRpc(words, request))) ?? passOn(plugin.handler(request.subpath), request)),
    connect: (request) =>
      orRefusal(async () => {
        const tunnel = await openTunnel(plugin, request, nodeApi)
        return words && "stream" in tunnel ? withWords(words, tunnel, request) : tunnel
      }),
  }
}

/** The methods of ProposerVM for an L1, which AvalancheGo adds to every chain. */
function proposervmRoute(plugin: ChainPlugin, { api, node, contexts }: NodeApi): Routes {
  const open = () => {
    const lease = contexts.open()
    const own = { ...node, proposedHeight: () => plugin.proposedHeight(), currentEpoch: () => plugin.currentEpoch() }
    const context = { ...lease.context, node: own }
    return { context, release: () => lease.release() }
  }
  const path = "/proposervm"
  const { endpoints } = new Api({
    dialect: api.dialect,
    textFormat: { hrp: node.hrp },
    services: [mount({ ...services.proposervm, paths: [path] }, open)],
    everywhere: [],
    answerRoom: node.answerRoom,
    isPublic: false,
  })
  return new Map([...endpoints].map(([at, endpoint]) => [at, { kind: "rpc" as const, endpoint, get: undefined }]))
}

/** Answers with the reason if the chain does not run, or its plugin fails. */
async function orRefusal<T>(answer: () => Promise<T | HttpResponse>): Promise<T | HttpResponse> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof Invalid) return errorText(503, `the chain does not answer: ${oneLine(error.message)}`)
    if (isCancelled(error)) return errorText(503, "the node is stopping")
    if (error instanceof GrpcError) {
      return errorText(
        error.status === grpcStatus.unavailable ? 503 : 500,
        `the plugin of the chain failed: ${oneLine(error.message)}`,
      )
    }
    throw error
  }
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " | ").slice(0, 2000)

async function passOn(handler: GrpcClient | undefined, { method, body, request, answerHeaders, ending, reserve }: BodyRequest) {
  if (!handler) return NOT_FOUND
  const { url = "", rawHeaders: headers } = request
  const answer = await callHandler(handler, { method, url, headers, body, responseHeaders: answerHeaders, ending })
  if (!reserve(answer.body.length)) return errorText(503, "too many bytes of answers wait to be read")
  const milliseconds = PASS_MILLISECONDS + answer.body.length * BYTE_MILLISECONDS
  return { ...answer, body: [answer.body], isWhole: true, milliseconds }
}

async function openTunnel(plugin: ChainPlugin, given: ConnectRequest, { onFault }: NodeApi): Promise<Tunnel | HttpResponse> {
  const { subpath, request, remoteAddress } = given
  const handler = plugin.handler(subpath)
  if (!handler) return NOT_FOUND
  const { url = "", method = "GET", rawHeaders, headers } = request
  const endReason = () => plugin.report().reason ?? "the plugin of the chain has ended"
  const upgraded = await upgradeAtHandler(
    handler,
    {
      method,
      url,
      headers: rawHeaders,
      host: headers.host ?? "",
      remoteAddress,
      responseHeaders: [],
      endReason,
      clockAhead: () => plugin.clockAhead,
    },
    onFault,
  )
  if (upgraded instanceof PluginSocket) return { stream: upgraded, head: Buffer.alloc(0) }
  return { status: upgraded.status, headers: upgraded.headers, body: [upgraded.body] }
}
