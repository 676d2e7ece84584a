import { printJson } from "../../lib/json.js"
import { currentStakers, l1ValidatorsOf } from "../../readmodel/currentValidators.js"
import type { Staker } from "../../state/staker.js"
import { tables } from "../../state/tables.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../../types/id.js"
import { answer } from "../answer.js"
import type { Context, NodePort } from "../context.js"
import { method, Raw } from "../method.js"
import { described, id, list, nodeID, object, withDefault } from "../schema.js"
import { delegatorsPart, l1Record, lastingPart, type Part, passingPart, validatorAnswer } from "./records.js"

export const getCurrentValidators = method({
  name: "platform.getCurrentValidators",
  summary:
    "The current validators of a subnet, all or those of some nodes, in the order they leave; of an L1 in the order of node IDs. Where one node is asked for, with its delegators.",
  params: object({
    subnetID: withDefault(id, PRIMARY_NETWORK_ID),
    nodeIDs: described(withDefault(list(nodeID), []), "all validators if none is named"),
  }),
  result: answer.object({ validators: answer.list(validatorAnswer) }),
  cost: 5,
  examples: [],

  handler({ subnetID, nodeIDs }, context) {
    if (nodeIDs.length > 0) return new Raw(Buffer.from(listOf(recordsOf(subnetID, new Set(nodeIDs), context))))
    return allOf(subnetID, context)
  },
})

/** All validators of a subnet as bytes: made once for each state, as far as the subnet has any. */
function allOf(subnetID: ID, context: Context): Raw {
  const make = () => new Raw(Buffer.from(listOf(recordsOf(subnetID, undefined, context))))
  const hasAny = hasRows(context, subnetID)
  return hasAny ? context.cached(`platform.getCurrentValidators ${subnetID}`, make) : make()
}

function hasRows({ view }: Context, subnetID: ID): boolean {
  for (const _ of view.rows(tables.members, { prefix: subnetID })) return true
  return false
}

const listOf = (records: Iterable<string>): string => `{"validators":[${[...records].join(",")}]}`

/** The records as JSON texts. */
function* recordsOf(subnetID: ID, nodeIDs: ReadonlySet<NodeID> | undefined, context: Context): Iterable<string> {
  for (const staker of currentStakers(context.view, subnetID, nodeIDs)) {
    const passing = passingPart(staker, context)
    const delegators = nodeIDs?.size === 1 ? delegatorsPart(staker, context) : {}
    yield joined(lastingText(staker, context), { ...passing, ...delegators })
  }
  if (!context.view.get(tables.conversions, subnetID)) return
  for (const validator of l1ValidatorsOf(context.view, subnetID, nodeIDs)) yield printJson(l1Record(validator, context))
}

/** One object of a text and a part. */
function joined(text: string, part: Part): string {
  const rest = printJson(part)
  return rest === "{}" ? text : `${text.slice(0, -1)},${rest.slice(1)}`
}

interface Kept {
  readonly staker: Staker
  readonly text: string
}

const keptTexts = new WeakMap<NodePort, Map<string, Kept>>()

/** More stakers than any subnet had so far; when there are more, all are made anew. */
const MAX_KEPT = 20_000

/**
 * The lasting part of a record as JSON. Kept from block to block: it needs the staker's transaction, and most of the time of a list
 * of 1,500 validators would go into reading those again.
 */
function lastingText(staker: Staker, context: Context): string {
  const { node, dialect } = context
  let kept = keptTexts.get(node)
  if (!kept || kept.size > MAX_KEPT) {
    kept = new Map()
    keptTexts.set(node, kept)
  }
  const key = `${dialect}${staker.txID}`
  const known = kept.get(key)
  // After a revert the same transaction may have come in at another time.
  if (known && isSame(known.staker, staker)) return known.text
  const text = printJson(lastingPart(staker, context))
  kept.set(key, { staker, text })
  return text
}

const isSame = (a: Staker, b: Staker): boolean =>
  a === b || (a.startTime === b.startTime && a.endTime === b.endTime && a.potentialReward === b.potentialReward)
