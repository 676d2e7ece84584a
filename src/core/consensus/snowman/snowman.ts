import type { ID } from "../../types/id.js"
import type { SnowParameters } from "./parameters.js"
import { SnowflakeTree, sum, type Votes } from "./snowflakeTree.js"

/** Decisions of a poll in order: parents are accepted before their children. */
interface Decisions {
  readonly accepted: ID[]
  readonly rejected: ID[]
}

interface Node {
  readonly id: ID
  parent: Node | undefined
  readonly height: bigint
  /** False if this node cannot check all of the block. */
  readonly isChecked: boolean
  readonly children: Map<ID, Node>
  /** Chooses among the children; none without children. */
  tree: SnowflakeTree | undefined
  /** Its tree must be reset before it next records a poll. */
  mustReset: boolean
}

/**
 * Snowman consensus: a tree of undecided blocks over the last accepted one. Every block with children chooses among them. It has no
 * messages, time or randomness: its inputs are verified blocks and results of polls.
 */
export class Snowman {
  readonly #parameters: SnowParameters
  readonly #nodes = new Map<ID, Node>()
  #root: Node
  #preference: ID
  /** The undecided blocks on the preferred branch, by height. */
  #preferred = new Map<bigint, ID>()

  constructor(parameters: SnowParameters, lastAccepted: { readonly id: ID; readonly height: bigint }) {
    this.#parameters = parameters
    this.#root = nodeOf(lastAccepted, undefined, true)
    this.#preference = lastAccepted.id
  }

  /** The tip of the preferred branch, which has checked blocks only; the last accepted block if there is none. */
  get preference(): ID {
    return this.#preference
  }

  /** Number of undecided blocks. */
  get processingCount(): number {
    return this.#nodes.size
  }

  isProcessing(id: ID): boolean {
    return this.#nodes.has(id)
  }

  isPreferred(id: ID): boolean {
    const node = this.#nodes.get(id)
    return node !== undefined && this.#preferred.get(node.height) === id
  }

  /** The undecided block on the preferred branch at a height. */
  preferredAt(height: bigint): ID | undefined {
    return this.#preferred.get(height)
  }

  /** The parent of an undecided block, if that is undecided too. */
  undecidedParentOf(id: ID): ID | undefined {
    const parent = this.#nodes.get(id)?.parent
    return parent && parent !== this.#root ? parent.id : undefined
  }

  /** Returns the other undecided blocks with the same parent. */
  rivalsOf(id: ID): readonly ID[] {
    const siblings = this.#nodes.get(id)?.parent?.children.keys() ?? []
    return [...siblings].filter((other) => other !== id)
  }

  /**
   * Adds a verified block whose parent is undecided or accepted last. A block of which this node cannot check all is never preferred, so this
   * node does not vote for it; it is accepted once enough others have voted for it.
   */
  add(block: { readonly id: ID; readonly parentID: ID; readonly height: bigint }, isChecked = true): void {
    const { id, parentID, height } = block
    if (this.#nodes.has(id)) return
    const parent = parentID === this.#root.id ? this.#root : this.#nodes.get(parentID)
    if (!parent) throw new Error(`the parent ${parentID} is neither undecided nor accepted last`)
    const node = nodeOf(block, parent, isChecked)
    parent.children.set(id, node)
    this.#nodes.set(id, node)
    if (parent.tree) parent.tree.add(id)
    else parent.tree = new SnowflakeTree(this.#parameters, id)
    if (parentID !== this.#preference || !isChecked) return
    this.#preference = id
    this.#preferred.set(height, id)
  }

  /** Applies the result of a poll: votes for undecided blocks. A vote for a block is also one for its ancestors. */
  recordPoll(votes: Votes): Decisions {
    const decisions: Decisions = { accepted: [], rejected: [] }
    const levels = this.#levels(votes)
    if (levels.length === 0) this.#root.mustReset = true
    levels.forEach(({ node, votes: own }, i) => {
      this.#record(node, own, levels[i + 1]?.node)
      if (node === this.#root && node.tree?.isFinalized) this.#acceptPreferredChild(decisions)
    })
    this.#followPreference()
    return decisions
  }

  /** The instances with a majority, from the last accepted block up, and the votes that each gets for its children. */
  #levels(votes: Votes): { readonly node: Node; readonly votes: Votes }[] {
    const byNode = new Map<Node, Map<ID, number>>()
    for (const [id, count] of votes) {
      let child = this.#nodes.get(id)
      for (let node = child?.parent; child && node; child = node, node = node.parent) {
        const own = byNode.get(node) ?? new Map<ID, number>()
        own.set(child.id, (own.get(child.id) ?? 0) + count)
        byNode.set(node, own)
      }
    }
    const levels: { node: Node; votes: Votes }[] = []
    // More than half of the votes are needed, so at most one block at a height has them.
    let node: Node | undefined = this.#root
    while (node) {
      const own: Votes | undefined = byNode.get(node)
      if (!own || sum(own) < this.#parameters.alphaPreference) break
      levels.push({ node, votes: own })
      node = [...node.children.values()].find((child) => {
        const below = byNode.get(child)
        return below !== undefined && sum(below) >= this.#parameters.alphaPreference
      })
    }
    return levels
  }

  /** Records a level. All children but the followed one are reset before their next success; all, if this one was. */
  #record(node: Node, votes: Votes, followed: Node | undefined): void {
    const wasReset = node.mustReset
    if (wasReset) node.tree?.recordUnsuccessfulPoll()
    node.mustReset = false
    node.tree?.recordPoll(votes)
    for (const child of node.children.values()) if (wasReset || child !== followed) child.mustReset = true
  }

  #acceptPreferredChild({ accepted, rejected }: Decisions): void {
    const { tree, children } = this.#root
    const chosen = children.get(tree?.preference as ID) as Node
    accepted.push(chosen.id)
    for (const child of children.values()) if (child !== chosen) this.#reject(child, rejected)
    this.#nodes.delete(chosen.id)
    chosen.parent = undefined
    this.#root = chosen
  }

  #reject(node: Node, rejected: ID[]): void {
    rejected.push(node.id)
    this.#nodes.delete(node.id)
    for (const child of node.children.values()) this.#reject(child, rejected)
  }

  #followPreference(): void {
    this.#preferred = new Map()
    this.#preference = this.#root.id
    for (let node = preferredChild(this.#root); node; node = preferredChild(node)) {
      this.#preference = node.id
      this.#preferred.set(node.height, node.id)
    }
  }
}

function nodeOf(
  { id, height }: { readonly id: ID; readonly height: bigint },
  parent: Node | undefined,
  isChecked: boolean,
): Node {
  return { id, parent, height, isChecked, children: new Map(), tree: undefined, mustReset: false }
}

/** The child that the polls prefer or, if it is not checked, the first that is. */
function preferredChild({ tree, children }: Node): Node | undefined {
  const chosen = tree && children.get(tree.preference)
  return chosen?.isChecked === false ? [...children.values()].find(({ isChecked }) => isChecked) : chosen
}
