import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import * as client from "../src/client.js"
import * as codec from "../src/codec.js"
import * as library from "../src/index.js"
import { root } from "./sources.js"

const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"))

/** The files of a folder that are text. */
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.png$|reference/.test(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

interface LockedPackage {
  readonly version: string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

test("the lockfile has the binaries of every package for x64 and arm64", () => {
  const packages: Readonly<Record<string, LockedPackage>> = read("package-lock.json").packages
  const isLinux = (name: string, cpu: string) => {
    const entry = packages[`node_modules/${name}`]
    return entry?.os?.includes("linux") === true && entry.cpu?.includes(cpu) === true
  }
  for (const owner of ["esbuild", "@biomejs/biome", "lmdb", "@chainsafe/blst", "typescript", "rollup"]) {
    const binaries = Object.keys(packages[`node_modules/${owner}`]?.optionalDependencies ?? {})
    const covered = ["x64", "arm64"].filter((cpu) => binaries.some((name) => isLinux(name, cpu)))
    expect([owner, covered]).toEqual([owner, ["x64", "arm64"]])
  }
})

test("the lockfile leaves out no package that another names, or npm ci would refuse it", () => {
  const packages: Readonly<Record<string, LockedPackage>> = read("package-lock.json").packages
  const absent = Object.entries(packages).flatMap(([owner, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {}).flatMap((name) =>
      packages[`${owner}/node_modules/${name}`] || packages[`node_modules/${name}`] ? [] : [`${owner} -> ${name}`],
    ),
  )
  expect(absent).toEqual([])
})

test("the lockfile and package.json name the same versions, exactly", () => {
  const manifest = read("package.json")
  const locked = read("package-lock.json").packages[""]
  for (const kind of ["dependencies", "devDependencies"]) {
    expect(locked[kind]).toEqual(manifest[kind])
    for (const version of Object.values(manifest[kind])) expect(version).toMatch(/^(npm:\w+@)?\d+\.\d+\.\d+$/)
  }
})

test("the owner of the repository, whom a release fills in, is named by one member of package.json and nowhere else", () => {
  const written = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Dockerfile",
    "package.json",
    ...["docs", "action", "deploy"].flatMap(below),
  ]
  const named = written.flatMap((path) => (readFileSync(join(root, path), "utf8").match(/\bOWNER\//g) ?? []).map(() => path))
  expect(named).toEqual(["package.json"])
})

test("bin/serac and package.json ask for the same Node", () => {
  const [, needed] = /needs Node ([\d.]+) or newer/.exec(readFileSync(join(root, "bin/serac"), "utf8")) as RegExpExecArray
  expect(read("package.json").engines.node).toBe(`>=${needed}`)
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toContain("engine-strict=true")
})

/** The names that an entry point exports, types included. */
function exportedBy(entry: string): string[] {
  const text = readFileSync(join(root, `src/${entry}.ts`), "utf8")
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map((match) => match[1] as string)
  const others = /^export \* from ".\/client.js"/m.test(text) ? exportedBy("client") : []
  return [...others, ...lists.join().split(",")].map((name) => name.replace("type ", "").trim()).filter((name) => name !== "")
}

test.each([
  ["index", "quick-start.md"],
  ["client", "client.md"],
  ["codec", "codec.md"],
])("the page of the entry point %s names everything that it exports", (entry, page) => {
  const text = readFileSync(join(root, "docs", page), "utf8")
  const names = exportedBy(entry)
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

test("the library exports these functions and no others", () => {
  expect({ client: Object.keys(client).sort(), index: Object.keys(library).sort() }).toMatchInlineSnapshot(`
    {
      "client": [
        "Invalid",
        "httpClient",
        "printJson",
        "subscribe",
      ],
      "index": [
        "Invalid",
        "avaxText",
        "bls",
        "buildAtomicTxAt",
        "buildAtomicTxFile",
        "buildTxAt",
        "buildTxFile",
        "cChainCallTo",
        "chooseBackends",
        "combineTxFiles",
        "crypto",
        "delegationForm",
        "exportForm",
        "httpClient",
        "importForm",
        "issueTxFile",
        "jsonForm",
        "loadBackends",
        "parseAvax",
        "paymentForm",
        "printJson",
        "reviewTxFile",
        "secp256k1",
        "signTxFile",
        "signedTxOfFile",
        "startDevnet",
        "subscribe",
        "utxosNotAt",
        "wrapTxAt",
      ],
    }
  `)
  expect(Object.keys(codec).sort()).toMatchInlineSnapshot(`
    [
      "EMPTY_ID",
      "EMPTY_NODE_ID",
      "Invalid",
      "PRIMARY_NETWORK_ID",
      "P_CHAIN_ID",
      "addressOfKey",
      "addressText",
      "avaxText",
      "bech32Text",
      "bitSetIndices",
      "bitSetOf",
      "blockFromJson",
      "blockOf",
      "blockToJson",
      "blockTypes",
      "checkTx",
      "conversionIDOf",
      "credential",
      "decode",
      "decodeBlock",
      "decodeContainer",
      "decodeGenesis",
      "decodeJustification",
      "decodePChainMessage",
      "decodePayload",
      "decodeSignedMessage",
      "decodeTx",
      "decodeUtxo",
      "encode",
      "encodeJustification",
      "encodePChainMessage",
      "encodePayload",
      "fromCb58",
      "fromHex",
      "fromHexText",
      "hrpOf",
      "idOf",
      "idOfName",
      "idText",
      "initialValidationIDOf",
      "isActive",
      "messageIDOf",
      "networkFor",
      "networkIDOf",
      "networkNameOf",
      "networks",
      "nodeIDText",
      "output",
      "outputOwners",
      "pChainOwner",
      "paramsFor",
      "parseAddress",
      "parseAvax",
      "parseID",
      "parseJson",
      "parseNodeID",
      "parsePChainAddress",
      "parsePrivateKey",
      "parseShortID",
      "parseUtxoReference",
      "printJson",
      "privateKeyText",
      "recognise",
      "registrationIDOf",
      "sentMessages",
      "shortIDText",
      "signedMessage",
      "signedTxOf",
      "signer",
      "spansOf",
      "toCb58",
      "toHex",
      "toHexText",
      "toJson",
      "topLevelTx",
      "topLevelUnsignedTx",
      "topLevelUtxo",
      "transferableInput",
      "transferableOutput",
      "txFromJson",
      "txToJson",
      "txTypes",
      "txsOf",
      "unsignedBytesOf",
      "unsignedMessage",
      "unsignedTx",
      "upgradeNames",
      "upgradesFor",
      "utxo",
      "utxoID",
      "utxoReference",
      "warpAccessList",
    ]
  `)
})
