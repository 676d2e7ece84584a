/** The maximum number of entries in a node (measured with a million keys: 32 and 128 are slower, to read or to write). */
const FULL = 64
/** The number of entries below which a node is joined with its neighbour, if both fit into one. */
const SPARSE = 16

/** Identity of the map that may change a node in place. A node of another owner is shared with a copy, and is copied before it changes. */
type Owner = object

interface Leaf<V> {
  readonly owner: Owner
  readonly keys: string[]
  readonly values: V[]
  readonly children: undefined
}

/** `keys[i]` is at most the first key under `children[i + 1]`, and above every key under `children[i]`. */
interface Branch<V> {
  readonly owner: Owner
  readonly keys: string[]
  readonly values: undefined
  readonly children: Node<V>[]
}

type Node<V> = Leaf<V> | Branch<V>

/** The part that was split off a full node: its upper half with its first key. */
interface Split<V> {
  readonly key: string
  readonly node: Node<V>
}

/**
 * A map with keys in the order of their text, which can be copied at no cost: a B+ tree whose nodes are shared between copies until one of
 * them changes a path.
 */
export class SortedMap<V> {
  #root: Node<V>
  #size: number
  #owner: Owner = {}

  constructor() {
    this.#root = { owner: this.#owner, keys: [], values: [], children: undefined }
    this.#size = 0
  }

  get size(): number {
    return this.#size
  }

  /** Returns a copy. From now on the two change independently. */
  copy(): SortedMap<V> {
    const copy = new SortedMap<V>()
    copy.#root = this.#root
    copy.#size = this.#size
    this.#owner = {}
    return copy
  }

  get(key: string): V | undefined {
    let node = this.#root
    while (node.children) node = node.children[above(node.keys, key)] as Node<V>
    const at = atOrAbove(node.keys, key)
    return node.keys[at] === key ? node.values[at] : undefined
  }

  first(): readonly [string, V] | undefined {
    let node = this.#root
    while (node.children) node = node.children[0] as Node<V>
    return node.keys.length === 0 ? undefined : [node.keys[0] as string, node.values[0] as V]
  }

  set(key: string, value: V): void {
    this.#root = this.#own(this.#root)
    const split = this.#insert(this.#root, key, value)
    if (split) this.#root = { owner: this.#owner, keys: [split.key], values: undefined, children: [this.#root, split.node] }
  }

  /** Deletes a key. Returns whether it was there. */
  delete(key: string): boolean {
    this.#root = this.#own(this.#root)
    if (!this.#remove(this.#root, key)) return false
    if (this.#root.children?.length === 1) this.#root = this.#root.children[0] as Node<V>
    this.#size--
    return true
  }

  /**
   * Returns the entries whose keys begin with a prefix, in order from a key (inclusive) on, as they are now. Later changes of the map do not
   * affect them.
   */
  entries(prefix = "", from = prefix): IterableIterator<readonly [string, V]> {
    this.#owner = {}
    return entriesOf(this.#root, prefix, from)
  }

  /** Returns the node itself if only this map has it, otherwise a copy. */
  #own<N extends Node<V>>(node: N): N {
    if (node.owner === this.#owner) return node
    return { owner: this.#owner, keys: node.keys.slice(), values: node.values?.slice(), children: node.children?.slice() } as N
  }

  #ownChild({ children }: Branch<V>, at: number): Node<V> {
    const child = this.#own(children[at] as Node<V>)
    children[at] = child
    return child
  }

  #insert(node: Node<V>, key: string, value: V): Split<V> | undefined {
    if (node.children) {
      const at = above(node.keys, key)
      const split = this.#insert(this.#ownChild(node, at), key, value)
      if (!split) return undefined
      node.keys.splice(at, 0, split.key)
      node.children.splice(at + 1, 0, split.node)
    } else {
      const at = atOrAbove(node.keys, key)
      if (node.keys[at] === key) {
        node.values[at] = value
        return undefined
      }
      node.keys.splice(at, 0, key)
      node.values.splice(at, 0, value)
      this.#size++
    }
    return node.keys.length > FULL ? this.#split(node) : undefined
  }

  #split(node: Node<V>): Split<V> {
    const at = FULL >> 1
    const owner = this.#owner
    const keys = node.keys.splice(at)
    if (!node.children) {
      return { key: keys[0] as string, node: { owner, keys, values: node.values.splice(at), children: undefined } }
    }
    const key = keys.shift() as string
    return { key, node: { owner, keys, values: undefined, children: node.children.splice(at + 1) } }
  }

  #remove(node: Node<V>, key: string): boolean {
    if (!node.children) {
      const at = atOrAbove(node.keys, key)
      if (node.keys[at] !== key) return false
      node.keys.splice(at, 1)
      node.values.splice(at, 1)
      return true
    }
    const at = above(node.keys, key)
    const child = this.#ownChild(node, at)
    if (!this.#remove(child, key)) return false
    if (child.keys.length < SPARSE) this.#join(node, at === 0 ? 0 : at - 1)
    return true
  }

  /** Joins two neighbours if they fit into one. */
  #join(parent: Branch<V>, at: number): void {
    const left = parent.children[at] as Node<V>
    const right = parent.children[at + 1] as Node<V>
    // An empty node is always joined, even if the other is full, so no node but the root is ever empty.
    const isEmpty = left.keys.length === 0 || right.keys.length === 0
    if (!isEmpty && left.keys.length + right.keys.length >= FULL) return
    const joined = this.#ownChild(parent, at)
    if (joined.children && right.children) {
      joined.keys.push(parent.keys[at] as string, ...right.keys)
      joined.children.push(...right.children)
    } else {
      joined.keys.push(...right.keys)
      joined.values?.push(...(right.values ?? []))
    }
    parent.keys.splice(at, 1)
    parent.children.splice(at + 1, 1)
  }
}

/** Returns the leaves in order, from the leaf on that would contain a key. */
function* leavesFrom<V>(node: Node<V>, from: string): Iterable<Leaf<V>> {
  if (!node.children) {
    yield node
    return
  }
  const start = above(node.keys, from)
  for (let i = start; i < node.children.length; i++) yield* leavesFrom(node.children[i] as Node<V>, i === start ? from : "")
}

function* entriesOf<V>(root: Node<V>, prefix: string, from: string): IterableIterator<readonly [string, V]> {
  const first = from > prefix ? from : prefix
  for (const { keys, values } of leavesFrom(root, first)) {
    for (let i = atOrAbove(keys, first); i < keys.length; i++) {
      const key = keys[i] as string
      if (!key.startsWith(prefix)) return
      yield [key, values[i] as V]
    }
  }
}

/** Returns the index of the first key that is not below this one. */
function atOrAbove(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the index of the first key that is above this one. */
function above(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as string) <= key) low = middle + 1
    else high = middle
  }
  return low
}
