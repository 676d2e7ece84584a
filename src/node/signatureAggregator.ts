import type { ParamsOf } from "../client/client.js"
import { decode } from "../core/codec/decode.js"
import { fromHex, toHex } from "../core/lib/bytes.js"
import { Invalid, valueOrThrow } from "../core/lib/invalid.js"
import { type Json, printJson } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { type ID, idText, P_CHAIN_ID, PRIMARY_NETWORK_ID, parseID } from "../core/types/id.js"
import { unsignedMessage } from "../core/types/warp/message.js"
import { type HttpResponse, page } from "../jsonrpc/http/response/send.js"
import type { BodyRoute } from "../jsonrpc/http/route/bodyRoute.js"
import { clientOf, type NodeApi } from "./api.js"

/** The path of the signature-aggregator of icm-services. */
export const AGGREGATOR_PATH = "/aggregate-signatures"

const DEFAULT_QUORUM = 67

/** A request that the aggregator refuses before it collects signatures. */
class BadRequest extends Error {}

/**
 * Answers `POST /aggregate-signatures` as the signature-aggregator of icm-services does, with signatures by the private chain's own keys.
 * Requests, answers and error texts are the same, but for a message whose chain has no VM here, of which the answer says that nobody checked it.
 */
export function signatureAggregator(api: Pick<NodeApi, "handle">): BodyRoute {
  const call = clientOf(api)
  return {
    kind: "body",
    isPrivileged: true,
    methods: ["POST"],
    async answer({ body }) {
      try {
        const params = aggregationOf(Buffer.from(body).toString("utf8"))
        const { signedMessage, unchecked } = await call("dev.signWarpMessage", params)
        return jsonPage({ "signed-message": signedMessage.slice(2), ...(unchecked === undefined ? {} : { unchecked }) })
      } catch (error) {
        if (error instanceof BadRequest) return jsonPage({ error: error.message }, 400)
        if (error instanceof Invalid) return jsonPage({ error: `failed to aggregate signatures. error: ${error.message}` }, 500)
        throw error
      }
    },
  }
}

const jsonPage = (value: Json, status = 200): HttpResponse => page("application/json", printJson(value), status)

/** Reads a request as parameters of `dev.signWarpMessage`. Throws `BadRequest`. */
function aggregationOf(text: string): ParamsOf<"dev.signWarpMessage"> {
  const request = requestOf(text)
  const message = hexOf(request.message, "Could not decode message")
  const { sourceChainID } = orRefuse("Error unpacking warp message", () => decode(unsignedMessage, message))
  const justification = hexOf(request.justification, "Could not decode justification")
  const quorum = numberOf(request["quorum-percentage"])
  if (quorum > 100n) throw new BadRequest("Invalid quorum number")
  const subnet = textOf(request["signing-subnet-id"])
  const pChainHeight = numberOf(request["pchain-height"])
  return {
    unsignedMessage: `0x${Buffer.from(message).toString("hex")}`,
    justification: `0x${Buffer.from(justification).toString("hex")}`,
    quorum: quorum === 0n ? DEFAULT_QUORUM : Number(quorum),
    ...(subnet === "" ? {} : { subnetID: orRefuse("Error parsing signing subnet ID", () => idText(idOfText(subnet))) }),
    // The aggregator asks the primary network for messages of the P-Chain, unless a request names a subnet.
    ...(subnet === "" && sourceChainID === P_CHAIN_ID ? { subnetID: idText(PRIMARY_NETWORK_ID) } : {}),
    ...(pChainHeight === 0n ? {} : { pChainHeight }),
  }
}

const UNREADABLE = "Could not decode request body"

function requestOf(text: string): { readonly [name: string]: Json | undefined } {
  const request = orRefuse(UNREADABLE, () => parseJson(text))
  if (typeof request !== "object" || request === null || Array.isArray(request)) throw new BadRequest(UNREADABLE)
  return request as { readonly [name: string]: Json }
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ""
  if (typeof value !== "string") throw new BadRequest(UNREADABLE)
  return value
}

function numberOf(value: Json | undefined): bigint {
  if (value === undefined || value === null) return 0n
  const isInteger = typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))
  if (!isInteger || value < 0 || value >= 2n ** 64n) throw new BadRequest(UNREADABLE)
  return BigInt(value)
}

function hexOf(value: Json | undefined, refusal: string): Uint8Array {
  const bytes = fromHex(textOf(value).replace(/^0x/, "").toLowerCase())
  if (!bytes) throw new BadRequest(refusal)
  return bytes
}

/** Reads an ID from `0x` hex or cb58. */
function idOfText(text: string) {
  const bytes = text.startsWith("0x") ? fromHex(text.slice(2).toLowerCase()) : undefined
  return bytes?.length === 32 ? (toHex(bytes) as ID) : parseID(text)
}

/** Throws `BadRequest` with this text if the value is invalid. */
function orRefuse<T>(refusal: string, read: () => T): T {
  return valueOrThrow(read, () => new BadRequest(refusal))
}
