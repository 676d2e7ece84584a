import { Buffer } from "node:buffer"
import { Invalid } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { cliError } from "./errors.js"
import { readNamedFile } from "./files.js"
import { optionalFlag } from "./flags/flags.js"
import { path, text } from "./flags/flagTypes.js"

/** The flags that every command has: the sources of flags besides the command line. The names are AvalancheGo's. */
export const configurationFlags = {
  "config-file": optionalFlag(path("FILE"), 'JSON file with flags, such as {"network-id": "fuji"}'),
  "config-file-content": optionalFlag(text, "The same as base64; has priority over the file"),
}

type Source = { readonly [K in keyof typeof configurationFlags]: string | undefined }

/** Returns the flags of the configuration, by name. */
export function readConfiguration(source: Source): Readonly<Record<string, Json>> {
  const content = source["config-file-content"]
  if (content !== undefined) return objectIn(Buffer.from(content, "base64").toString("utf8"), "--config-file-content")
  const file = source["config-file"]
  return file === undefined ? {} : objectIn(new TextDecoder().decode(readNamedFile(file)), file)
}

function objectIn(json: string, file: string): Readonly<Record<string, Json>> {
  try {
    const value = parseJson(json)
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as Readonly<Record<string, Json>>
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw cliError("cli.bad_config", { file, reason: error.sentence, ...error.data })
  }
  throw cliError("cli.bad_config", { file, reason: "it holds another JSON value" })
}
