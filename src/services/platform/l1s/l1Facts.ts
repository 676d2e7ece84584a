import { blockAt } from "../../../core/blocks/acceptedBlocks.js"
import type { ChargedPace, Pace } from "../../../core/lib/pace.js"
import { blockTime } from "../../../core/readmodel/blockTimes.js"
import type { L1FeeState, L1Health, L1Member } from "../../../core/rules/l1Health.js"
import { l1FeeStateAt, l1FeeStateOf, recordedMember } from "../../../core/rules/l1Record.js"
import type { Range } from "../../../core/state/range.js"
import { type L1MemberBefore, tables } from "../../../core/state/tables.js"
import type { View } from "../../../core/state/view.js"
import type { ID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"
import { platformError } from "../errors.js"
import { requireReached } from "../params/heights.js"

/** Yields all validators of an L1: those that pay a fee, and permissioned ones that have not left since the conversion. */
export function* l1Members(view: View, subnetID: ID): Generator<L1Member> {
  for (const [{ nodeID }, validationID] of view.rows(tables.l1ValidationIDs, { under: { subnetID } })) {
    const validator = view.get(tables.l1Validators, validationID)
    if (!validator) throw new Error(`L1 validator ${validationID} is missing`)
    yield { nodeID, validationID, weight: validator.weight, endAccumulatedFee: validator.endAccumulatedFee }
  }
  for (const [{ nodeID }, { weight, endTime }] of view.rows(tables.currentValidators, { under: { subnetID } })) {
    yield { nodeID, validationID: undefined, weight, endAccumulatedFee: 0n, endTime }
  }
}

/** The number of changes that are undone before others may run. */
const CHANGES_AT_ONCE = 1_000

/** Returns the validators that an L1 had after the block of a height: the changes since then are undone. */
async function l1MembersAt(context: Context, subnetID: ID, height: bigint, pace: ChargedPace): Promise<L1Member[]> {
  const members = new Map((await l1MembersOf(context.view, subnetID, pace)).map((each) => [placeOf(each), each]))
  const table = tables.l1MemberDiffs
  const isBehind = ({ height: changedAt }: { readonly height: bigint }) => changedAt <= height
  for (let range: Range<L1ChangeKey> = { under: { subnetID } }; ; ) {
    const rows = await context
      .past(pace)
      .merged({ table, ranges: [range], compare: inKeyOrder, isBehind, limit: CHANGES_AT_ONCE })
    for (const row of rows) undo(members, row)
    const last = rows.at(-1)?.[0]
    if (!last || rows.length < CHANGES_AT_ONCE) return [...members.values()].sort(inStoredOrder)
    range = { under: { subnetID }, after: { height: last.height, stakerID: last.stakerID } }
  }
}

/** Returns the validators that an L1 had after the block of a height, at once. */
export function l1MembersThen(view: View, subnetID: ID, height: bigint): ReadonlyMap<string, L1Member> {
  const members = new Map([...l1Members(view, subnetID)].map((each) => [placeOf(each), each]))
  for (const row of view.rows(tables.l1MemberDiffs, { under: { subnetID } })) {
    if (row[0].height <= height) break
    undo(members, row)
  }
  return members
}

function undo(members: Map<string, L1Member>, [{ stakerID }, { before }]: readonly [L1ChangeKey, L1Change]): void {
  const member = before && recordedMember(stakerID, before)
  if (member) members.set(placeOf(member), member)
  else members.delete(stakerID)
}

interface L1Change {
  readonly before: L1MemberBefore | undefined
}

interface L1ChangeKey {
  readonly subnetID: ID
  readonly height: bigint
  readonly stakerID: ID
}

function inKeyOrder(a: L1ChangeKey, b: L1ChangeKey): number {
  const [first, second] = [a, b].map((key) => tables.l1MemberDiffs.key.toText(key)) as [string, string]
  return first === second ? 0 : first < second ? -1 : 1
}

/** Permissioned validators have no validation ID, and a node is one of them once at most. */
const placeOf = ({ validationID, nodeID }: L1Member): string => validationID ?? nodeID

/** Validators that pay come before permissioned ones, each in the order of node IDs. */
function inStoredOrder(a: L1Member, b: L1Member): number {
  const [first, second] = [a, b].map(({ validationID, nodeID }) => `${validationID === undefined} ${nodeID}`) as [string, string]
  return first < second ? -1 : 1
}

/** The validators of an L1, and the state of fees, after the block of a height. */
export interface L1At {
  readonly members: readonly L1Member[]
  readonly state: L1FeeState
}

/**
 * Returns the validators and fees of a subnet after the block of a height. No validators that pay means that the subnet was no L1 then.
 * Throws `platform.future_height` and `platform.height_not_kept`.
 */
export async function l1At(context: Context, subnetID: ID, height: bigint, pace: ChargedPace): Promise<L1At> {
  requireReached(height, context)
  const { view, rules } = context
  if (height === context.height) return { members: await l1MembersOf(view, subnetID, pace), state: l1FeeStateOf(view, rules) }
  const state = await context.past(pace).read((past) => {
    // A proposal changes nothing before its option.
    const isProposal = blockAt(past, height)?.kind.endsWith("ProposalBlock")
    return l1FeeStateAt(past, rules, height, blockTime(past, isProposal ? height - 1n : height))
  })
  if (!state) throw platformError("platform.height_not_kept", { height })
  return { members: await l1MembersAt(context, subnetID, height, pace), state }
}

/** Returns all validators of an L1, with pauses. */
export async function l1MembersOf(view: View, subnetID: ID, pace: Pace): Promise<L1Member[]> {
  const members: L1Member[] = []
  for (const member of l1Members(view, subnetID)) {
    members.push(member)
    if (pace.isDue) await pace.pause()
  }
  return members
}

/** Whether an L1 can decide blocks, and for how long. */
export interface L1Verdict {
  readonly verdict: "halted" | "runsOut" | "lasts"
  /** The second in which the L1 can no longer decide blocks, Unix seconds; `undefined` unless it runs out. */
  readonly haltsAt: bigint | undefined
}

export function verdictOf({ snowman }: L1Health): L1Verdict {
  if (!snowman.isMet) return { verdict: "halted", haltsAt: undefined }
  return snowman.lostAt === undefined ? { verdict: "lasts", haltsAt: undefined } : { verdict: "runsOut", haltsAt: snowman.lostAt }
}
