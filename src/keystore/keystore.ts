import { randomBytes } from "node:crypto"
import { sha256Hex } from "../core/crypto/hash.js"
import { compareBytes, utf8 } from "../core/lib/bytes.js"
import { replaceLoneSurrogates } from "../core/lib/go/goText.js"
import { Turnstile } from "../core/lib/turnstile.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { Store } from "../store/store.js"
import { keystoreError, MAX_LENGTH } from "./errors.js"
import { argon2id, isSameHash, type PasswordHasher, SALT_SIZE } from "./passwordHash.js"
import { isRecommended, Strength } from "./strength/strength.js"
import { type UserRow, users } from "./tables.js"
import { readExport, type User, writeExport } from "./user.js"

/** The number of password hashes at once. Each takes 64 MiB. */
const HASHES_AT_ONCE = 2
const MAX_WAITING = 256

export interface KeystoreOptions {
  readonly hash?: PasswordHasher
  readonly quota?: Quota
}

/** Limits for all users together. */
export interface Quota {
  readonly users: number
  /** The size of names and of the data of users. */
  readonly bytes: number
}

/** Wallets store some kilobytes for a user. */
const DEFAULT_QUOTA: Quota = { users: 1000, bytes: 64 << 20 }

/**
 * Users and their passwords in the node's own store. Each call is atomic; calls for one name run one after the other. The dialect selects the
 * rules for names and passwords: the contract's, or exactly AvalancheGo's.
 */
export class Keystore {
  readonly #store: Pick<Store, "latest" | "commit" | "busy">
  readonly #hash: PasswordHasher
  readonly #quota: Quota
  readonly #strength = new Strength()
  readonly #hashing = new Turnstile(HASHES_AT_ONCE, MAX_WAITING)
  /** The last pending call for each name. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(
    store: Pick<Store, "latest" | "commit" | "busy">,
    { hash = argon2id, quota = DEFAULT_QUOTA }: KeystoreOptions = {},
  ) {
    this.#store = store
    this.#hash = hash
    this.#quota = quota
  }

  /** Creates a user. It refuses, in this order: a bad name, a name that is taken, a bad password, a full keystore. */
  createUser(username: string, password: string, dialect: Dialect): Promise<void> {
    return this.#inTurn(username, dialect, async (name) => {
      this.#requireFree(name)
      await this.#checkPassword(replaceLoneSurrogates(password), dialect)
      const salt = new Uint8Array(randomBytes(SALT_SIZE))
      await this.#put(name, { hash: await this.#hashOf(password, salt), salt, pairs: [] })
    })
  }

  /** Removes a user with all data. The name is free again. */
  deleteUser(username: string, password: string, dialect: Dialect): Promise<void> {
    return this.#inTurn(username, dialect, async (name) => {
      const user = this.#get(name)
      if (!user) throw keystoreError("keystore.unknown_user", { username: name })
      await this.#requireTheirs(name, password, user)
      await this.#idleStore()
      this.#commit(name, undefined)
    })
  }

  /** Exports a user as bytes that this node and AvalancheGo v1.12.1 can import. */
  exportUser(username: string, password: string, dialect: Dialect): Promise<Uint8Array> {
    return this.#inTurn(username, dialect, async (name) => {
      return writeExport(await this.#requireTheirs(name, password, this.#get(name)))
    })
  }

  /** Imports an exported user under this name. The strength of the password is not checked. */
  importUser(username: string, password: string, exported: Uint8Array, dialect: Dialect): Promise<void> {
    return this.#inTurn(username, dialect, async (name) => {
      this.#requireFree(name)
      await this.#put(name, await this.#requireTheirs(name, password, readExport(exported)))
    })
  }

  /** Returns all names, in the order of their bytes. */
  listUsers(): string[] {
    const names = Array.from(this.#store.latest.rows(users), ([, { name }]) => name)
    return names.sort(compareBytes).map((name) => Buffer.from(name).toString("utf8"))
  }

  /** Runs a call after the earlier ones for the same name. Throws at once if the name is invalid. */
  async #inTurn<T>(username: string, dialect: Dialect, work: (name: string) => Promise<T>): Promise<T> {
    const name = replaceLoneSurrogates(username)
    if (name === "") throw keystoreError("keystore.empty_username")
    if (lengthOf(name, dialect) > MAX_LENGTH)
      throw keystoreError("keystore.username_too_long", { length: lengthOf(name, dialect) })
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(() => work(name))
    const ended = turn.catch(() => {})
    this.#turns.set(name, ended)
    try {
      return await turn
    } finally {
      if (this.#turns.get(name) === ended) this.#turns.delete(name)
    }
  }

  async #checkPassword(password: string, dialect: Dialect): Promise<void> {
    if (password === "") throw keystoreError("keystore.empty_password")
    if (lengthOf(password, dialect) > MAX_LENGTH) throw keystoreError("keystore.password_too_long")
    if (dialect === "contract" && isRecommended(password)) return
    if (!(await this.#strength.isFair(password))) throw keystoreError("keystore.weak_password")
  }

  /** Returns the user with this password. Throws `keystore.wrong_password`, also if the user does not exist. */
  async #requireTheirs(username: string, password: string, user: User | undefined): Promise<User> {
    // A missing user takes as long as an existing one, so that the time does not reveal which names are taken.
    const hash = await this.#hashOf(password, user?.salt ?? NO_SALT)
    if (user && isSameHash(hash, user.hash)) return user
    throw keystoreError("keystore.wrong_password", { username })
  }

  async #hashOf(password: string, salt: Uint8Array): Promise<Uint8Array> {
    if (this.#hashing.isFull) throw keystoreError("keystore.busy")
    return this.#hashing.run(() => this.#hash(password, salt))
  }

  #get(name: string): UserRow | undefined {
    return this.#store.latest.get(users, keyOf(name))
  }

  #requireFree(name: string): void {
    if (this.#get(name)) throw keystoreError("keystore.user_exists", { username: name })
  }

  /** Writes a user. Throws `keystore.full`. */
  async #put(name: string, { hash, salt, pairs }: User): Promise<void> {
    await this.#idleStore()
    const row = { name: utf8(name), hash, salt, pairs }
    this.#requireRoom(sizeOf(row))
    this.#commit(name, row)
  }

  #requireRoom(bytes: number): void {
    const { users: maxUsers, bytes: maxBytes } = this.#quota
    let count = 1
    let taken = bytes
    for (const [, row] of this.#store.latest.rows(users)) {
      count++
      taken += sizeOf(row)
    }
    if (count > maxUsers || taken > maxBytes) throw keystoreError("keystore.full", { maxUsers, maxBytes })
  }

  /** Resolves when the store accepts commits, because a large block may be written in steps. */
  async #idleStore(): Promise<void> {
    while (this.#store.busy) await this.#store.busy
  }

  #commit(name: string, value: UserRow | undefined): void {
    this.#store.commit(new Map([[users, new Map([[keyOf(name), { value, isNew: value !== undefined }]])]]))
  }
}

const NO_SALT = new Uint8Array(SALT_SIZE)

function sizeOf({ name, pairs }: Pick<UserRow, "name" | "pairs">): number {
  return pairs.reduce((sum, { key, value }) => sum + key.length + value.length, name.length)
}

function keyOf(name: string): string {
  return sha256Hex(utf8(name))
}

function lengthOf(text: string, dialect: Dialect): number {
  return dialect === "contract" ? [...text].length : Buffer.byteLength(text)
}
