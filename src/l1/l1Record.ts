import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import type { Log } from "../core/lib/log.js"
import { parseJson } from "../core/lib/parseJson.js"
import { type ID, idText, parseID } from "../core/types/id.js"
import { makeOwnerDirectory } from "../files/ownerOnly.js"
import { readBoundedFile } from "../files/readBoundedFile.js"
import { writeWholeFile } from "../files/writeWholeFile.js"
import type { CreatedChain, PreparedVM } from "../producer/l1Hosting.js"
import { vmError } from "../vmhost/errors.js"

/** What a node remembers of an L1 that it hosts. */
export interface L1Record extends Omit<PreparedVM, "genesis">, CreatedChain {
  /** True if the chain is not to be started with the node. */
  readonly isStopped: boolean
}

const RECORD_FILE = "l1.json"
const MAX_RECORD = 16 << 20

export const l1Folder = (dataDir: string): string => join(dataDir, "l1")

export const l1Dir = (folder: string, chainID: ID): string => join(folder, idText(chainID))

/** Writes the record of an L1, and makes its directory. */
export function writeRecord(folder: string, { config, upgrades, ...record }: L1Record): void {
  const dir = l1Dir(folder, record.chainID)
  makeOwnerDirectory(dir)
  const ids = { subnetID: idText(record.subnetID), chainID: idText(record.chainID), vmID: idText(record.vmID) }
  const files = { config: Buffer.from(config).toString("base64"), upgrades: Buffer.from(upgrades).toString("base64") }
  writeWholeFile(join(dir, RECORD_FILE), `${JSON.stringify({ ...record, ...ids, ...files })}\n`)
}

/**
 * Reads the records of all L1s. A directory without one belongs to a creation or a removal that is not finished. `onDamaged` is called with the
 * refusal `vm.damaged_record` of a record that cannot be read, which is left out.
 */
export function readRecords(folder: string, onDamaged: (refusal: Invalid) => void): readonly L1Record[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).map((name) => join(folder, name, RECORD_FILE))
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const record = valueOrInvalid(() => recordIn(file))
      if (!(record instanceof Invalid)) return [record]
      onDamaged(vmError("vm.damaged_record", { file, reason: record.message }))
      return []
    })
}

/** Removes the directories of L1s without a record, which an earlier node has left over. */
export function removeLeftovers(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!existsSync(join(folder, name, RECORD_FILE))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** Says in the log that a server or a fork of a data directory has the P-Chain only, if there are L1s in the directory. */
export function reportPChainOnly(dataDir: string, log: Log): void {
  const folder = l1Folder(dataDir)
  const count = existsSync(folder) ? readdirSync(folder).length : 0
  if (count > 0) log.info("only the P-Chain is there, without the L1s of the data directory", { dataDir, l1s: count })
}

/** Deletes the record of an L1. Its other data is removed by the next start, if it is still there. */
export function removeRecord(folder: string, chainID: ID): void {
  rmSync(join(l1Dir(folder, chainID), RECORD_FILE), { force: true })
}

/** Returns whether a VM keeps files of its own in its directory. */
export const hasOwnData = (dataDir: string): boolean => readdirSync(dataDir).length > 0

export function removeL1Data(folder: string, chainID: ID): void {
  rmSync(l1Dir(folder, chainID), { recursive: true, force: true })
}

/** Throws `Invalid`. */
function recordIn(file: string): L1Record {
  const json = parseJson(Buffer.from(readBoundedFile(file, MAX_RECORD)).toString("utf8"))
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json)
  const { name, subnetID, chainID, vmID, config, upgrades, isStopped } = isObject
    ? (json as Readonly<Record<string, unknown>>)
    : {}
  return {
    name: textOf(name),
    subnetID: parseID(textOf(subnetID)),
    chainID: parseID(textOf(chainID)),
    vmID: parseID(textOf(vmID)),
    config: Buffer.from(textOf(config), "base64"),
    upgrades: Buffer.from(textOf(upgrades), "base64"),
    isStopped: isStopped === true,
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
