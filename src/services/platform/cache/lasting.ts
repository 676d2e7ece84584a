import { lastBlockOf } from "../../../core/readmodel/history.js"
import type { Address } from "../../../core/types/address.js"
import type { Raw } from "../../../jsonrpc/method.js"
import type { Context } from "../../context.js"
import { type Made, ReadyAnswers, readyAnswer } from "./ready.js"
import { throughBlocks } from "./throughBlocks.js"

const MEBIBYTE = 1024 * 1024

// Apart, so that who goes through the past does not push out what many ask again and again.
const ofThePast = throughBlocks(() => new ReadyAnswers(32 * MEBIBYTE))
const ofAddresses = throughBlocks(() => new ReadyAnswers(64 * MEBIBYTE))

/** An answer about the past, which stays true whatever comes: the key must name the block it is of, since a height may be reverted. */
export function lastingAnswer({ node, dialect }: Context, key: string, make: () => Raw): Raw {
  return ofThePast(node).getOrMake(`${dialect} ${key}`, 0n, () => ({ raw: make() })).raw
}

/**
 * An answer about the UTXOs or stakes of these addresses: true until a transaction takes from one of them or gives to it. Between
 * two blocks not even that is looked up.
 */
export function answerAbout(context: Context, addresses: readonly Address[], question: string, make: () => Made): Raw {
  const { node, dialect, view } = context
  const key = `${question} ${addresses.join()}`
  return readyAnswer(context, key, () => {
    const blocks = addresses.map((address) => lastBlockOf(view, address))
    return ofAddresses(node).getOrMake(`${dialect} ${key} ${blocks.join()}`, node.now(), make)
  })
}
