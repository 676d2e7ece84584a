import type { MethodName } from "../client/client.js"
import { serviceList, services } from "../client/services.js"
import { printJson } from "../core/lib/json.js"
import type { JsonCall } from "../jsonrpc/client.js"
import type { AnyMethod } from "../jsonrpc/method.js"
import { unknownParam } from "../jsonrpc/schema/param.js"
import type { AnyService } from "../jsonrpc/service.js"
import { mcpError } from "./errors.js"
import type { Tool } from "./mcpServer.js"
import type { JsonObject } from "./message.js"

/**
 * The methods that are listed as tools by default: one way each to do a task. An assistant reads the whole list before it does anything, and
 * some assistants take 40 tools at most, so the other methods are listed only on request.
 */
const USUAL: ReadonlySet<string> = new Set<MethodName>([
  "dev.status",
  "dev.advanceTime",
  "dev.mine",
  "dev.setBlockMode",
  "dev.snapshot",
  "dev.revert",
  "dev.reset",
  "dev.accounts",
  "dev.fund",
  "dev.pay",
  "dev.addValidators",
  "dev.setUptime",
  "dev.createL1",
  "dev.registerL1Validator",
  "dev.setL1Weight",
  "dev.disableL1Validator",
  "dev.increaseL1Balance",
  "dev.setAutoRenewedConfig",
  "dev.listL1s",
  "dev.simulateTx",
  "platform.issueTx",
  "platform.decode",
  "platform.identify",
  "platform.getBalance",
  "platform.getUTXOs",
  "platform.getTxInfo",
  "platform.getTxStatus",
  "platform.getTxsByAddress",
  "platform.getStakesByAddress",
  "platform.getRewardsByAddress",
  "platform.getCurrentValidators",
  "platform.getMinStake",
  "platform.getFeeState",
  "platform.getBlocks",
  "platform.getBlockByHeight",
  "platform.getL1s",
  "platform.getL1Health",
  "platform.getL1Validator",
  "info.getNetworkName",
  "info.upgrades",
])

export interface ToolOptions {
  /** Calls a method of the node and returns its result as the node wrote it. */
  readonly call: JsonCall
  /** True if the node has a private chain. */
  readonly isPrivate: boolean
  /** True if every method is listed. */
  readonly listsAll: boolean
}

/** Makes a tool of every method, with the sentences and schemas of its declaration. */
export function toolsOf(options: ToolOptions): readonly Tool[] {
  return serviceList.flatMap((service) => service.methods.map((method) => toolOf(method, service, options)))
}

/** The maximum number of characters of an answer. Longer ones would fill the memory of an assistant. */
const MAX_ANSWER = 200_000

function toolOf(method: AnyMethod, service: AnyService, { call, isPrivate, listsAll }: ToolOptions): Tool {
  const { name, summary, params, foreignOrigins } = method
  const isThere = isPrivate || service !== services.dev
  return {
    // Some assistants refuse dots in names.
    name: name.replace(".", "_"),
    description: summary,
    inputSchema: params.inputSchema,
    isReadOnly: service.foreignOrigins !== "refused" && foreignOrigins !== "refused",
    isListed: isThere && (listsAll || USUAL.has(name)),
    async run(given) {
      if (!isThere) throw mcpError("mcp.only_private", { method: name })
      checkNames(given, method)
      const answer = printJson(await call(name, given))
      if (answer.length > MAX_ANSWER) throw mcpError("mcp.answer_too_long", { characters: answer.length, limit: MAX_ANSWER })
      return answer
    },
  }
}

/** A node may ignore a parameter that it does not know, as AvalancheGo does. An assistant should learn of it. */
function checkNames(given: JsonObject, { params }: AnyMethod): void {
  const unknown = Object.keys(given).find((name) => !params.knows(name))
  if (unknown !== undefined) throw unknownParam(unknown, unknown, Object.keys(params.members))
}
